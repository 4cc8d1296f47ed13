// All global properties of a computation that is still growing.
#pragma once

#include <lightcone/check/growing/growing_event.h>
#include <lightcone/check/growing/growing_global.h>
#include <lightcone/check/growing/growing_value_globals.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lightcone {

/// Tells each of them what happens. A property with `for each` is one per value.
class GrowingGlobals {
 public:
  /// A property was found; with `for each`, for this value.
  using Tell = std::function<void(std::uint32_t property, const GrowingGlobal& global,
                                  std::optional<ReportedValue> value)>;

  /// Follows those that need not know the whole trace. Properties and names must outlive this.
  GrowingGlobals(const Properties& properties, EventNames& names, const CheckOptions& options,
                 const GrowingGlobal::ClockOf& clock_of);

  void add_process(std::string_view name);
  /// The processes so far are all there are.
  void close();
  /// `initial` is the content of the event.
  void start(ProcessIndex process, const GrowingEvent& event, const StateContent& initial);
  void step(EventPlace place, const GrowingEvent& event, std::span<const Rank> clock);
  /// An event has something lost in its past. It takes no part, but its value is one.
  void mention(const GrowingEvent& event);

  [[nodiscard]] bool empty() const { return followed_.empty(); }
  /// Returns about how much memory they take.
  [[nodiscard]] std::size_t bytes() const;
  /// Tells of each property that has been decided since the last call.
  void tell_of_decided(const Tell& tell);
  /// No event follows: what became of a property. Nothing, if it is not followed.
  [[nodiscard]] std::optional<PropertyReport> report(std::uint32_t property, std::size_t processes,
                                                     const Wholeness& wholeness);

 private:
  /// One of the two is there.
  struct Followed {
    std::uint32_t property = 0;
    std::unique_ptr<GrowingGlobal> alone = {};
    std::unique_ptr<GrowingValueGlobals> values = {};
    std::vector<bool> told = {};  // by value; of one that is alone, the first
  };

  void follow(std::uint32_t property, const CheckOptions& options,
              const GrowingGlobal::ClockOf& clock_of);
  [[nodiscard]] const Property& property(const Followed& followed) const {
    return properties_.properties[followed.property];
  }
  [[nodiscard]] bool is_given_up(const Followed& followed, const GrowingGlobal& global) const;
  [[nodiscard]] PropertyReport report_of(const Followed& followed, GrowingGlobal& global,
                                         std::size_t processes, const Wholeness& wholeness) const;
  [[nodiscard]] PropertyReport report_of_values(const Followed& followed, std::size_t processes,
                                                const Wholeness& wholeness) const;

  const Properties& properties_;
  EventNames& names_;
  std::vector<Followed> followed_;  // in the order of the file
};

}  // namespace lightcone
