// A synchronous send is over when its message has been taken.
#include "process/throttle.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {

using std::chrono::milliseconds;

/// Those that are too many to be waited for are sent as any other message: an MPI need not end well
/// with many synchronous sends that no receive has asked for.
int Throttle::send(std::string copy, int to_world, int to, int tag, MPI_Comm comm) {
  Peer& peer = peers_[to_world];
  auto& marks = peer.marks;
  const auto begin = Clock::now();
  while (!marks.empty()) {
    int is_over = 0;
    LIGHTCONE_REAL(Test)(&marks.front().request, &is_over, MPI_STATUS_IGNORE);
    if (is_over != 0) {
      marks.pop_front();
      continue;
    }
    if (marks.size() < peer.most_ahead || !should_hold(peer, to_world, tag, begin)) break;
    if (standings_) standings_->waits_for(to_world);
    std::this_thread::sleep_for(std::chrono::microseconds(100));  // others need the core
  }
  if (standings_) standings_->waits_for(Standings::nothing);
  const auto real = marks.size() < peer.most_ahead ? LIGHTCONE_REAL(Issend) : LIGHTCONE_REAL(Isend);
  Mark& mark = marks.emplace_back();
  mark.copy = std::move(copy);
  return real(mark.copy.data(), static_cast<int>(mark.copy.size()), MPI_PACKED, to, tag, comm,
              &mark.request);
}

/// A receiver that has not moved for a while does something else, and it is not known for how long:
/// until it moves again, no rank waits for it. As long as it moves, it comes to this sender's
/// messages at last.
bool Throttle::should_hold(Peer& peer, int to, int tag, Clock::time_point since) {
  constexpr milliseconds a_moment{2}, longest{250};
  const auto now = Clock::now();
  if (!standings_) {
    if (now - since < a_moment) return true;
    peer.most_ahead *= 2;
    return false;
  }
  const auto advice = standings_->advice(to, tag);
  if (advice == Standings::Advice::go) return false;
  if (const std::uint64_t moves = standings_->moves(to); moves != peer.moves) {
    peer.moves = moves;
    peer.moved = now;
  }
  if (now - std::max(peer.moved, since) > longest) {
    peer.most_ahead *= 2;
    return false;
  }
  return advice == Standings::Advice::hold || now - peer.moved < a_moment;
}

}  // namespace lightcone::mpi
