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
      if (!one.may_go_on && one.wait.what != Awaited::For::no_one) found.emplace_back(one.process);
    }
    return found;
  }

 private:
  void begin(std::size_t p) {
    Waiting& one = waiting_[p];
    if (one.wait.what == Awaited::For::no_one) return;
    std::vector<std::string>& senders = one.wait.senders;
    std::ranges::sort(senders);
    senders.erase(std::ranges::unique(senders).begin(), senders.end());
    for (const std::string& sender : senders) lack(p, sender);
    const bool served = one.wait.what == Awaited::For::any && one.lacking < senders.size();
    const bool lacks_nothing = one.wait.what == Awaited::For::all && one.lacking == 0;
    if (one.wait.what == Awaited::For::nothing || served || lacks_nothing) go_on(p);
  }
  /// A sender that the snapshot does not know may appear and send.
  void lack(std::size_t p, std::string_view sender) {
    const auto found = std::ranges::lower_bound(waiting_, sender, {}, &Waiting::process);
    if (found == waiting_.end() || found->process != sender) return;
    if (!snapshot_.in_transit(sender, waiting_[p].process).empty()) return;
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
    for (const std::size_t p : waiting_[sender].waited_for_by) {
      Waiting& one = waiting_[p];
      if (--one.lacking == 0 || one.wait.what == Awaited::For::any) go_on(p);
    }
  }

  const GlobalSnapshot& snapshot_;
  std::vector<Waiting> waiting_;  // sorted by name, as the snapshot is
  std::vector<std::size_t> to_follow_;
};

}  // namespace

bool is_terminated(const GlobalSnapshot& snapshot, const IsPassive& passive) {
  LIGHTCONE_ASSERT(snapshot.complete());
  return std::ranges::all_of(snapshot.channels(),
                             [](const auto& entry) { return entry.second.in_transit.empty(); }) &&
         std::ranges::all_of(snapshot.states(), [&](const auto& entry) {
           return passive(entry.first, entry.second->state);
         });
}

std::vector<std::string> deadlocked(const GlobalSnapshot& snapshot, const WaitsFor& waits_for) {
  LIGHTCONE_ASSERT(snapshot.complete());
  return WaitGraph(snapshot, waits_for).deadlocked();
}

}  // namespace lightcone
