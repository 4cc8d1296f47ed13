// A synchronous send is over when its message has been taken.
#include "throttle.h"

#include <chrono>
#include <thread>
#include <utility>

#include "real.h"

namespace lightcone::mpi {

int Throttle::send(std::string copy, int to_world, int to, int tag, MPI_Comm comm) {
  Peer& peer = peers_[to_world];
  auto& marks = peer.marks;
  Mark& mark = marks.emplace_back();
  mark.copy = std::move(copy);
  const int result = LIGHTCONE_REAL(Issend)(mark.copy.data(), static_cast<int>(mark.copy.size()),
                                            MPI_PACKED, to, tag, comm, &mark.request);
  constexpr std::chrono::milliseconds a_while{125};  // for each of them
  const auto begin = std::chrono::steady_clock::now();
  while (marks.size() > peer.most_ahead) {
    int is_over = 0;
    LIGHTCONE_REAL(Test)(&marks.front().request, &is_over, MPI_STATUS_IGNORE);
    if (is_over != 0) {
      marks.pop_front();
    } else if (std::chrono::steady_clock::now() - begin < a_while * peer.most_ahead) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // others need the core
    } else {
      peer.most_ahead *= 2;
    }
  }
  return result;
}

}  // namespace lightcone::mpi
