// `for each` of a global property, while a computation grows.
#pragma once

#include <lightcone/check/growing/growing_event.h>
#include <lightcone/check/growing/growing_global.h>
#include <lightcone/property/states/value_slice.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Follows one global property for each value. In the slice of a value, other events carry nothing.
/// So only these can change what the property reads: events of the value, those right after them,
/// and those right after initial states. Nothing else is told to the property, which must not read
/// the kind, the messages or the time of events.
class GrowingValueGlobals {
 public:
  /// What all of them share.
  struct Surroundings {
    const Properties& properties;
    std::uint32_t property = 0;
    EventNames& names;
    GlobalEffort effort = {};
    GrowingGlobal::ClockOf clock_of = {};
  };
  /// All must outlive this. So many values are followed.
  GrowingValueGlobals(Surroundings surroundings, std::uint64_t most_values);

  void add_process(std::string_view name);
  void close();
  void start(ProcessIndex process, const GrowingEvent& initial);
  void step(EventPlace place, const GrowingEvent& event, std::span<const Rank> clock);
  /// An event takes no part, but its value is one.
  void mention(const GrowingEvent& event) { (void)number_of(event); }

  [[nodiscard]] std::uint32_t size() const { return values_.size(); }
  [[nodiscard]] const OwnedValue& value(std::uint32_t number) const { return values_[number]; }
  [[nodiscard]] GrowingGlobal& global(std::uint32_t number) { return *globals_[number]; }
  /// Returns the values that have been told something since the last call.
  [[nodiscard]] std::vector<std::uint32_t> take_touched() { return std::exchange(touched_, {}); }
  /// Returns about how much memory they take: as if all were like the first one.
  [[nodiscard]] std::size_t bytes() const {
    return globals_.empty() ? 0 : globals_.size() * globals_.front()->bytes();
  }
  /// Returns whether there were more values than are followed.
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] bool reads_content() const { return prototype_.expressions().reads_content(); }

 private:
  struct Process {
    std::string_view name;
    std::optional<GrowingEvent> initial = {};
    std::vector<std::uint32_t> marked = {};  // values whose event was the last one here
  };
  /// The first event of a process, in the order of happening.
  struct First {
    ProcessIndex process = 0;
    Cut clock = {};
  };

  [[nodiscard]] std::unique_ptr<GrowingGlobal> made() const;
  [[nodiscard]] std::uint32_t number_of(const GrowingEvent& event);
  void add_value();
  void touch(std::uint32_t value);

  Surroundings of_;
  const Global& question_;
  NameIndex variable_;
  std::uint64_t most_values_;
  GrowingGlobal prototype_;  // is told nothing; says what is read
  ValueNumbers values_;
  std::deque<std::unique_ptr<GrowingGlobal>> globals_;  // by value
  std::deque<Process> processes_;
  std::vector<First> first_events_;
  std::vector<std::uint32_t> touched_;
  bool is_closed_ = false, is_over_ = false;
};

}  // namespace lightcone
