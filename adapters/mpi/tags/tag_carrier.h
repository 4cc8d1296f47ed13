// How tags get from rank to rank: through memory where two of them share it, else as messages.
#pragma once

#include <mpi.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tags/tag_ring.h"

namespace lightcone::mpi {

/// Carries the tags of all messages from each rank to each other. A tag is put before its message
/// is sent, and taken after the message was received: so it is there, or on its way.
///
/// Ranks on one host have a ring for each direction. What finds no room there, and all to other
/// hosts, is a message on a communicator that the program does not know, sent without waiting.
/// Both sides know which: a tag that was put in the ring is there once its message is received; one
/// that is not there comes as a message. Tags say which message they belong to, so those that come
/// before their turn are kept until then, from wherever they came.
class TagCarrier {
 public:
  /// All ranks begin, and end, together.
  TagCarrier(int rank, int size);
  TagCarrier(const TagCarrier&) = delete;
  TagCarrier& operator=(const TagCarrier&) = delete;
  /// Takes tags that were not asked for, so that no message is left when the MPI ends.
  void end();

  /// Ranks are those in the world.
  void put(int to, const TagKey& key, std::string_view tag);
  /// Nothing if it does not come: then no wrapper has seen its message being sent.
  [[nodiscard]] std::optional<std::string> take(int from, const TagKey& key);

 private:
  struct Peer {
    std::optional<TagRing> out, in;
    std::multimap<TagKey, std::string> early;
    std::uint64_t sent = 0, received = 0;  ///< as messages
    bool silent = false;                   ///< a tag of its did not come
  };
  struct Pending {
    MPI_Request request = MPI_REQUEST_NULL;
    std::string bytes;
  };

  void share_memory();
  void make_rings(const std::vector<int>& neighbours, int self);
  void send(int to, const TagKey& key, std::string_view tag);
  [[nodiscard]] bool wait_for_message(int from);
  [[nodiscard]] KeyedTag receive(int from);

  int rank_;
  MPI_Comm comm_ = MPI_COMM_NULL, host_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::size_t capacity_ = 0;  // of each ring
  std::vector<Peer> peers_;
  std::deque<Pending> pending_;  // their bytes must stay where they are
};

}  // namespace lightcone::mpi
