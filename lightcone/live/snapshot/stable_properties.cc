// Finds termination and deadlock in a snapshot.
#include <lightcone/snapshot.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// A process of the snapshot, as far as it is known whether it may go on.
struct Waiting {
  std::string_view process;
  Awaited wait;
  std::size_t lacking = 0;  ///< of these senders a message, with none in transit
  bool may_go_on = false;
  std::vector<std::size_t> waited_for_by;  ///< those who lack a message of this process
};

/// A process that may continue can send to all that wait for it. Each pair is looked at once.
class WaitGraph {
 public:
  WaitGraph(const GlobalSnapshot& snapshot, const WaitsFor& waits_for) : snapshot_(snapshot) {
    for (const auto& [process, part] : snapshot.states()) {
      waiting_.push_back({process, waits_for(process, part->state), 0, false, {}});
    }
    for (std::size_t p = 0; p < waiting_.size(); ++p) begin(p);
    while (!to_follow_.empty()) follow();
  }
  [[nodiscard]] std::vector<std::string> deadlocked() const {
    std::vector<std::string> found;
    for (const Waiting& one : waiting_) {
      const bool waits = one.wait.what == Awaited::For::any || one.wait.what == Awaited::For::all;
      if (waits && !one.may_go_on) found.emplace_back(one.process);
    }
    return found;
  }

 private:
  void begin(std::size_t p) {
    Waiting& one = waiting_[p];
    if (one.wait.what == Awaited::For::no_one) return;
    if (one.wait.what == Awaited::For::idle) return begin_idle(p);
    std::vector<std::string>& senders = one.wait.senders;
    std::ranges::sort(senders);
    senders.erase(std::ranges::unique(senders).begin(), senders.end());
    for (const std::string& sender : senders) lack(p, sender);
    const bool served = one.wait.what == Awaited::For::any && one.lacking < senders.size();
    const bool lacks_nothing = one.wait.what == Awaited::For::all && one.lacking == 0;
    if (one.wait.what == Awaited::For::nothing || served || lacks_nothing) go_on(p);
  }
  /// Anyone who continues can send to those who are idle.
  void begin_idle(std::size_t p) {
    const bool is_served = std::ranges::any_of(waiting_, [&](const Waiting& sender) {
      return !snapshot_.is_empty(sender.process, waiting_[p].process);
    });
    if (is_served) return go_on(p);
    idle_.push_back(p);
  }
  /// A sender that the snapshot does not know may appear and send.
  void lack(std::size_t p, std::string_view sender) {
    const auto found = std::ranges::lower_bound(waiting_, sender, {}, &Waiting::process);
    if (found == waiting_.end() || found->process != sender) return;
    if (!snapshot_.is_empty(sender, waiting_[p].process)) return;
    ++waiting_[p].lacking;
    found->waited_for_by.push_back(p);
  }
  void go_on(std::size_t p) {
    if (std::exchange(waiting_[p].may_go_on, true)) return;
    to_follow_.push_back(p);
  }
  void follow() {
    const std::size_t sender = to_follow_.back();
    to_follow_.pop_back();
    for (const std::size_t p : std::exchange(idle_, {})) go_on(p);
    for (const std::size_t p : waiting_[sender].waited_for_by) {
      Waiting& one = waiting_[p];
      if (--one.lacking == 0 || one.wait.what == Awaited::For::any) go_on(p);
    }
  }

  const GlobalSnapshot& snapshot_;
  std::vector<Waiting> waiting_;  // sorted by name, as the snapshot is
  std::vector<std::size_t> to_follow_;
  std::vector<std::size_t> idle_;  // those that nobody can send to, so far
};

}  // namespace

bool is_terminated(const GlobalSnapshot& snapshot, const IsPassive& passive) {
  LIGHTCONE_ASSERT(snapshot.has_all_states());
  return std::ranges::all_of(snapshot.channels(),
                             [](const auto& entry) { return entry.second.is_empty(); }) &&
         std::ranges::all_of(snapshot.states(), [&](const auto& entry) {
           return passive(entry.first, entry.second->state);
         });
}

std::vector<std::string> deadlocked(const GlobalSnapshot& snapshot, const WaitsFor& waits_for) {
  LIGHTCONE_ASSERT(snapshot.has_all_states());
  return WaitGraph(snapshot, waits_for).deadlocked();
}

}  // namespace lightcone
