// Keeps senders from running far ahead of a receiver that takes messages in a recorded order.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "process/standings.h"

namespace lightcone::mpi {

/// In a replay a receiver may have to take all messages of one sender before the first of another,
/// which meanwhile sends all of its own. At each receive, an MPI may look through all messages that
/// no receive has asked for yet. So from time to time a message is sent synchronously, which shows
/// when it was taken. A sender that is too far ahead looks what its receiver waits for, and waits
/// only while the receiver must take messages of others first. If this is not known, as between
/// hosts, it waits for a moment, and may then continue twice as far. Nobody waits for a receiver of
/// the same host that takes messages early (`EarlyMessages`).
class Throttle {
 public:
  /// In a replay; `folder` is new for each.
  void begin(const std::string& folder, int rank, int ranks) {
    if (auto standings = Standings::open(folder, rank, ranks)) {
      standings_.emplace(std::move(*standings));
    }
  }
  /// How this process stands, where anyone may ask.
  [[nodiscard]] Standings* standings() { return standings_ ? &*standings_ : nullptr; }

  /// Returns whether the next message to this process (a rank in the world) is one of those.
  [[nodiscard]] bool is_due(int to) { return ++peers_[to].sent % stride == 0; }
  /// Sends a packed copy of it.
  int send(std::string copy, int to_world, int to, int tag, MPI_Comm comm);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t stride = 32;
  struct Mark {
    MPI_Request request = MPI_REQUEST_NULL;
    std::string copy;
  };
  struct Peer {
    std::uint64_t sent = 0;
    std::size_t most_ahead = 8;  ///< such messages
    std::deque<Mark> marks;
    std::uint64_t moves = 0;  ///< of the receiver, when it was last seen to move,
    Clock::time_point moved;  ///< and when
  };
  [[nodiscard]] bool should_hold(Peer& peer, int to, int tag, Clock::time_point since);

  std::map<int, Peer> peers_;
  std::optional<Standings> standings_;
};

}  // namespace lightcone::mpi
