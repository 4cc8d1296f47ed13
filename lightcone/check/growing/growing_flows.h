// The flow and logic properties of a growing computation, but for those with `for each`.
#pragma once

#include <lightcone/check/growing/growing_tag.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/automata/lrdag.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/riders/inspection.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lightcone {

/// Tells the riders of all processes what happens, and passes their answers on.
class GrowingFlows {
 public:
  /// Called with the answer to a property at the last state of a process. Nothing is found where
  /// clocks cannot tell.
  using Answers = std::function<void(ProcessIndex, std::uint32_t property, std::optional<bool>)>;

  /// The arguments must outlive this.
  GrowingFlows(const CompiledProperties& properties, const Names& names, Answers answers);

  /// One more process; they are numbered in order.
  void add_process(std::string_view name);
  void start(ProcessIndex process, const StateContent& initial);
  void step(ProcessIndex process, const StateContent& state,
            std::span<const GrowingTag* const> taken);
  /// Puts on a message that leaves at the last event what the riders send with it.
  void put(ProcessIndex process, GrowingTag& tag) const;

  [[nodiscard]] const LocalExpressions& expressions() const { return observer_.expressions(); }
  [[nodiscard]] const Observer& observer() const { return observer_; }
  /// The first property that compared times of two processes without a bound; `none` if none did.
  [[nodiscard]] std::uint32_t uncomparable() const;

 private:
  struct Riders {
    explicit Riders(Lrdag& equations) : lrdag(equations) {}
    LrdagRider lrdag;
    std::vector<LongestFlowRider> longest = {};  // one per alphabet
    std::vector<TimedFlowRider> timed = {};      // one per flow with `within`
  };

  void look_at_lrdag(ProcessIndex process, Scene scene);
  void look_at_longest(ProcessIndex process, Scene scene);
  void look_at_timed(ProcessIndex process, Scene scene);

  Answers answers_;
  Observer observer_;
  Lrdag lrdag_;
  std::vector<std::unique_ptr<LongestFlows>> longest_;  // outlive all riders and tags
  std::deque<TimedFlows> timed_;
  std::deque<Riders> processes_;
};

}  // namespace lightcone
