// Keeps senders from running far ahead of a receiver that takes messages in a recorded order.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace lightcone::mpi {

/// In a replay a receiver may have to take all messages of one sender before the first of another,
/// which meanwhile sends all of its own. An MPI may look through all messages that no one has asked
/// for yet at each receive. So once in a while a message is sent in a way that tells when it was
/// taken, and a sender that is too far ahead waits. The receiver may wait for something else: who
/// has waited for long may go on twice as far, and waits twice as long the next time.
class Throttle {
 public:
  /// Whether the next message to this process (a rank in the world) is one of those.
  [[nodiscard]] bool is_due(int to) { return ++peers_[to].sent % stride == 0; }
  /// Sends a packed copy of it.
  int send(std::string copy, int to_world, int to, int tag, MPI_Comm comm);

 private:
  static constexpr std::uint64_t stride = 32;
  struct Mark {
    MPI_Request request = MPI_REQUEST_NULL;
    std::string copy;
  };
  struct Peer {
    std::uint64_t sent = 0;
    std::size_t most_ahead = 8;  ///< such messages
    std::deque<Mark> marks;
  };
  std::map<int, Peer> peers_;
};

}  // namespace lightcone::mpi
