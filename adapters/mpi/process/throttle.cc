// A synchronous send is over when its message has been taken.
#include "process/throttle.h"

#include <chrono>
#include <thread>
#include <utility>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {

/// Those that are too many to be waited for are sent as any other message: an MPI need not end well
/// with many synchronous sends that no receive has asked for.
int Throttle::send(std::string copy, int to_world, int to, int tag, MPI_Comm comm) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds a_moment{2};
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
    if (marks.size() < peer.most_ahead) break;
    if (Clock::now() - begin > a_moment) {
      peer.most_ahead *= 2;
      break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));  // others need the core
  }
  const auto real = marks.size() < peer.most_ahead ? LIGHTCONE_REAL(Issend) : LIGHTCONE_REAL(Isend);
  Mark& mark = marks.emplace_back();
  mark.copy = std::move(copy);
  return real(mark.copy.data(), static_cast<int>(mark.copy.size()), MPI_PACKED, to, tag, comm,
              &mark.request);
}

}  // namespace lightcone::mpi
