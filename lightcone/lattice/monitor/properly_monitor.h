// Properly, on the fly: has a state that all observers agree on satisfied a predicate?
#pragma once

#include <lightcone/lattice/monitor/arrived_timestamps.h>
#include <lightcone/lattice/monitor/global_monitor.h>
#include <lightcone/lattice/monitor/inevitable_monitor.h>

#include <concepts>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lightcone {

/// Asks the predicate in each inevitable state as soon as it is certain that the state is
/// inevitable. Says no when all processes have ended. An event costs O(n). An inevitable state
/// costs one move per changed value, and one call. The value of a local state is kept as long as a
/// later inevitable state may contain it.
template <class Value>
class ProperlyMonitor {
 public:
  static_assert(!std::same_as<Value, bool>, "there is no span of a std::vector<bool>");

  /// Whether a global state satisfies it, given each process's value.
  using Predicate = std::function<bool(std::span<const Value>)>;

  /// Starts with each process's value in its initial state.
  ProperlyMonitor(std::vector<Value> initial, Predicate predicate)
      : timestamps_(static_cast<std::uint32_t>(initial.size())),
        state_(std::move(initial)),
        current_(state_.size(), 0),
        predicate_(std::move(predicate)),
        later_(state_.size()) {
    inevitable_.emplace(timestamps_.processes(), [this](std::span<const Rank> cut) { visit(cut); });
    if (timestamps_.processes() == 0) decide(false, {});
    forget();
  }
  ProperlyMonitor(const ProperlyMonitor&) = delete;
  ProperlyMonitor& operator=(const ProperlyMonitor&) = delete;

  [[nodiscard]] Expected<void> arrive(std::uint32_t process, std::span<const Rank> timestamp,
                                      Value value) {
    if (auto possible = timestamps_.arrive(process, timestamp); !possible) return possible;
    if (finding_.found) return {};
    later_[process].push_back(std::move(value));
    auto certain = inevitable_->arrive(process, timestamp);
    forget();
    // An error for good: nothing more will be found.
    if (!certain && !finding_.found) later_[process].clear();
    return certain;
  }
  [[nodiscard]] Expected<void> end(std::uint32_t process) {
    if (auto possible = timestamps_.end(process); !possible) return possible;
    if (finding_.found) return {};
    auto certain = inevitable_->end(process);
    if (certain && ++ended_ == timestamps_.processes()) decide(false, {});
    forget();
    return certain;
  }
  [[nodiscard]] const FoundState& finding() const { return finding_; }
  [[nodiscard]] std::uint64_t kept() const { return inevitable_ ? inevitable_->kept() : 0; }
  /// A cut that is still to be found does not lie below.
  [[nodiscard]] const Cut& least() const { return current_; }

 private:
  void visit(std::span<const Rank> cut) {
    if (finding_.found) return;
    settle(cut);
    if (predicate_(state_)) decide(true, Cut(cut.begin(), cut.end()));
  }
  /// Forgets the states before those that each future inevitable state contains; or all.
  void forget() {
    if (finding_.found) return inevitable_.reset();
    settle(inevitable_->settled());
  }
  /// Makes these the current states.
  void settle(std::span<const Rank> cut) {
    for (std::uint32_t p = 0; p < cut.size(); ++p) {
      const Rank steps = cut[p] - current_[p];
      if (steps == 0) continue;
      auto& values = later_[p];
      state_[p] = std::move(values[steps - 1]);
      values.erase(values.begin(), values.begin() + steps);
      current_[p] = cut[p];
    }
  }
  void decide(bool found, Cut cut) {
    if (finding_.found) return;
    finding_ = {found, std::move(cut)};
    later_ = {};
    state_ = {};
  }

  ArrivedTimestamps timestamps_;
  std::vector<Value> state_;  // of each process, the value after its last settled event
  Cut current_;               // and the rank of that
  Predicate predicate_;
  std::vector<std::deque<Value>> later_;  // those after it
  std::uint32_t ended_ = 0;
  FoundState finding_;
  std::optional<InevitableMonitor> inevitable_;  // until there is an answer
};

static_assert(GlobalMonitor<ProperlyMonitor<int>, int>);

}  // namespace lightcone
