// Properties that stay true once they are true, found in snapshots.
#pragma once

#include <lightcone/live/snapshot/global_snapshot.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Whether a process, in this state, does nothing until it takes a message.
using IsPassive = std::function<bool(std::string_view process, std::string_view state)>;

/// Returns whether all processes are passive and no message is in transit, in a complete snapshot.
/// If so, nothing happens after the snapshot: the first to become active would take a message that
/// was in transit, or sent by someone who became active before. And if nothing happens any more,
/// every snapshot begun from then on says so.
[[nodiscard]] bool is_terminated(const GlobalSnapshot& snapshot, const IsPassive& passive);

/// What a process waits for. It may take other messages meanwhile, as long as it goes on waiting
/// and sends nothing.
struct Awaited {
  enum class For : std::uint8_t {
    nothing,  ///< it does not wait
    any,      ///< a message from one of the senders, whichever (OR); from none: it waits for ever
    all,      ///< a message from each of the senders (AND) that have not sent one yet
    no_one,   ///< it has ended, and will not send; processes that wait for it are in a deadlock
  };
  For what = For::nothing;
  std::vector<std::string> senders = {};
};
using WaitsFor = std::function<Awaited(std::string_view process, std::string_view state)>;

/// Returns the processes that wait for ever in a complete snapshot, sorted by name. A sender is
/// silent if it is in this set or has ended, and no message from it is in transit. The set is the
/// greatest one in which every sender that a member waits for is silent (any), or at least one of
/// them is (all). Cycles of `all` and knots of `any` are such sets, with those that wait for them.
///
/// No member continues after the snapshot: the first one to do so would take a message that was not
/// in transit, from a member that had continued before. All other processes may continue, if those
/// that do not wait may send anything to any process.
[[nodiscard]] std::vector<std::string> deadlocked(const GlobalSnapshot& snapshot,
                                                  const WaitsFor& waits_for);

}  // namespace lightcone
