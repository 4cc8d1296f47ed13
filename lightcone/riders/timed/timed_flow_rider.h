// Flows with `within` on the fly: recorded, while a trace grows, and live.
#pragma once

#include <lightcone/riders/rider.h>
#include <lightcone/riders/timed/timed_paths.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// The last letter of a process that is known somewhere, and the paths to it. Of one that has
/// another letter after it there, the paths do not matter any more.
struct TimedEntry {
  std::uint32_t rank = 0;  ///< among the letters of its process, from 1; 0: none
  bool is_covered = false;
  std::shared_ptr<const TimedState> paths = {};
};

/// What the sender of a message knows: of a `flow` the paths to its state, of a `longest flow` the
/// last letters of all processes.
struct TimedFlowTag {
  std::shared_ptr<const TimedState> paths = {};
  std::shared_ptr<const std::vector<TimedEntry>> letters = {};
};

/// Follows one flow with `within` in one process.
///
/// Of a longest flow, a letter continues the paths to its immediate predecessors: the last letters
/// that it knows of and that no other such letter covers, as LO/SLO vectors have them (RR-2595).
class TimedFlowRider {
 public:
  using Tag = TimedFlowTag;
  static constexpr bool reads_times = true;

  TimedFlowRider(TimedFlows& flows, std::uint32_t self);

  void start(const Step& step);
  void event(const Step& step);
  void receive(const Step& step, std::span<const Tag* const> tags);
  [[nodiscard]] Tag tag() const { return {paths_, letters_}; }

  /// Calls `visit(found)` if the flow is asked of the last event, whatever `at` says. Nothing is
  /// found where clocks cannot tell.
  template <class Visit>
  void answer(const Visit& visit) const {
    if (is_asked_) visit(paths_->found(flows_->flow));
  }
  [[nodiscard]] const TimedFlows& flows() const { return *flows_; }
  /// Forgets what is known of a process, whose number another one gets.
  void forget(std::uint32_t process);
  /// Returns how many letters of this process a longest flow has counted.
  [[nodiscard]] std::uint32_t own_letters() const {
    return self_ < letters_->size() ? (*letters_)[self_].rank : 0;
  }

 private:
  void take(const Tag& tag);
  void read_letter(const Step& step);
  [[nodiscard]] std::vector<TimedEntry>& writable();

  TimedFlows* flows_;
  std::uint32_t self_;
  bool is_asked_ = false;
  std::shared_ptr<const TimedState> paths_;  // to the last state; of a longest flow, letter
  std::shared_ptr<const std::vector<TimedEntry>> letters_;  // by process; of a longest flow
};

static_assert(Rider<TimedFlowRider>);

}  // namespace lightcone
