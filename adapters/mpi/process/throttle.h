// Keeps senders from running far ahead of a receiver that takes messages in a recorded order.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace lightcone::mpi {

/// In a replay a receiver may have to take all messages of one sender before the first of another,
/// which meanwhile sends all of its own. At each receive, an MPI may look through all messages that
/// no receive has asked for yet. On one host the receiver takes such messages early. Between hosts
/// a message is sent synchronously from time to time, which shows when it was taken. A sender that
/// is too far ahead waits for a moment, and may then continue twice as far.
class Throttle {
 public:
  /// Returns whether the next message to this process (a rank in the world) is one of those.
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
