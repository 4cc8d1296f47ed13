// A synchronous send is over when its message has been taken.
#include "throttle.h"

#include <chrono>
#include <thread>

#include "real.h"

namespace lightcone::mpi {

int Throttle::send(const void* buffer, int count, MPI_Datatype type, int to_world, int to, int tag,
                   MPI_Comm comm) {
  Peer& peer = peers_[to_world];
  auto& marks = peer.marks;
  Mark& mark = marks.emplace_back();
  int size = 0, position = 0;
  LIGHTCONE_REAL(Pack_size)(count, type, comm, &size);
  mark.copy.resize(static_cast<std::size_t>(size));
  LIGHTCONE_REAL(Pack)(buffer, count, type, mark.copy.data(), size, &position, comm);
  const int result =
      LIGHTCONE_REAL(Issend)(mark.copy.data(), position, MPI_PACKED, to, tag, comm, &mark.request);
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
