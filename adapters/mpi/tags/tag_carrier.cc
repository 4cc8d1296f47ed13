// Tags through rings in a window of shared memory, and as messages.
#include "tags/tag_carrier.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

#include "calls/mpi_functions.h"

namespace lightcone::mpi {
namespace {

constexpr std::size_t memory_of_host = 16 << 20, largest_ring = 64 << 10, smallest_ring = 1 << 10;
/// A tag is sent before its message, so it comes at once unless the sender's MPI stands still.
constexpr std::chrono::seconds longest_wait{10};

/// For hosts where memory cannot be shared well, and to measure what it is worth.
[[nodiscard]] bool only_messages() {
  const char* const text = ::secure_getenv("LIGHTCONE_TAGS");
  return text != nullptr && std::string_view(text) == "messages";
}

/// Where rings begin in shared memory. An MPI may align it in any way. All processes see it at the
/// same place of a page, and so find the same beginning.
[[nodiscard]] char* aligned(void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return static_cast<char*>(memory) + (-address & (TagRing::alignment - 1));
}

}  // namespace

TagCarrier::TagCarrier(int rank, int size) : rank_(rank), peers_(static_cast<std::size_t>(size)) {
  LIGHTCONE_REAL(Comm_dup)(MPI_COMM_WORLD, &comm_);
  share_memory();
}

/// The rings of all ranks of a host, each rank's in its own part: from each of the others to it.
void TagCarrier::share_memory() {
  LIGHTCONE_REAL(Comm_split_type)(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host_);
  LIGHTCONE_REAL(Comm_set_errhandler)(host_, MPI_ERRORS_RETURN);
  int count = 1, self = 0;
  LIGHTCONE_REAL(Comm_size)(host_, &count);
  LIGHTCONE_REAL(Comm_rank)(host_, &self);
  if (count == 1) return;
  const auto rings = static_cast<std::size_t>(count);
  capacity_ =
      std::bit_floor(std::clamp(memory_of_host / rings / rings, smallest_ring, largest_ring));
  void* own = nullptr;
  const std::size_t size = rings * TagRing::size_for(capacity_) + TagRing::alignment;
  const int made =
      LIGHTCONE_REAL(Win_allocate_shared)(static_cast<MPI_Aint>(size), 1, MPI_INFO_NULL, host_,
                                          &own, &window_) == MPI_SUCCESS;
  for (std::size_t k = 0; made != 0 && k < rings; ++k) {
    TagRing::clear(aligned(own) + k * TagRing::size_for(capacity_));
  }
  const int use = made != 0 && !only_messages() ? 1 : 0;
  int all_use = 0;  // and all rings are clear
  LIGHTCONE_REAL(Allreduce)(&use, &all_use, 1, MPI_INT, MPI_MIN, host_);
  if (all_use == 0) return;
  std::vector<int> neighbours(rings);
  LIGHTCONE_REAL(Allgather)(&rank_, 1, MPI_INT, neighbours.data(), 1, MPI_INT, host_);
  make_rings(neighbours, self);
}

void TagCarrier::make_rings(const std::vector<int>& neighbours, int self) {
  const std::size_t size = TagRing::size_for(capacity_);
  const auto part_of = [&](int of) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* base = nullptr;
    LIGHTCONE_REAL(Win_shared_query)(window_, of, &bytes, &unit, &base);
    return aligned(base);
  };
  char* const own = part_of(self);
  for (int k = 0; k < static_cast<int>(neighbours.size()); ++k) {
    if (k == self) continue;
    Peer& peer = peers_[static_cast<std::size_t>(neighbours[static_cast<std::size_t>(k)])];
    peer.in.emplace(own + static_cast<std::size_t>(k) * size, capacity_);
    peer.out.emplace(part_of(k) + static_cast<std::size_t>(self) * size, capacity_);
  }
}

void TagCarrier::put(int to, const TagKey& key, std::string_view tag) {
  if (to < 0 || static_cast<std::size_t>(to) >= peers_.size()) return;  // not of this world
  Peer& peer = peers_[static_cast<std::size_t>(to)];
  if (to == rank_) {
    peer.early.emplace(key, tag);
  } else if (!peer.out || !peer.out->put(key, tag)) {
    send(to, key, tag);
  }
}

void TagCarrier::send(int to, const TagKey& key, std::string_view tag) {
  for (int is_over = 1; !pending_.empty(); pending_.pop_front()) {
    LIGHTCONE_REAL(Test)(&pending_.front().request, &is_over, MPI_STATUS_IGNORE);
    if (is_over == 0) break;
  }
  Pending& pending = pending_.emplace_back();
  pending.bytes.resize(sizeof key);
  std::memcpy(pending.bytes.data(), &key, sizeof key);
  pending.bytes += tag;
  LIGHTCONE_REAL(Isend)
  (pending.bytes.data(), static_cast<int>(pending.bytes.size()), MPI_BYTE, to, 0, comm_,
   &pending.request);
  ++peers_[static_cast<std::size_t>(to)].sent;
}

std::optional<std::string> TagCarrier::take(int from, const TagKey& key) {
  if (from < 0 || static_cast<std::size_t>(from) >= peers_.size()) return std::nullopt;
  Peer& peer = peers_[static_cast<std::size_t>(from)];
  if (auto place = peer.early.lower_bound(key); place != peer.early.end() && place->first == key) {
    std::string tag = std::move(place->second);
    peer.early.erase(place);
    return tag;
  }
  const auto next = [&]() -> std::optional<KeyedTag> {
    if (from == rank_) return std::nullopt;
    if (peer.in) {
      if (auto taken = peer.in->take()) return taken;
    }
    if (!wait_for_message(from)) return std::nullopt;
    return receive(from);
  };
  while (auto taken = next()) {
    if (taken->key == key) return std::move(taken->tag);
    peer.early.emplace(taken->key, std::move(taken->tag));
  }
  return std::nullopt;
}

/// A tag that is missing once is not waited for again: messages that are sent past the wrappers
/// have none.
bool TagCarrier::wait_for_message(int from) {
  Peer& peer = peers_[static_cast<std::size_t>(from)];
  const auto start = std::chrono::steady_clock::now();
  constexpr int tries_at_once = 200;
  for (int tries = 0;; ++tries) {
    int is_there = 0;
    LIGHTCONE_REAL(Iprobe)(from, 0, comm_, &is_there, MPI_STATUS_IGNORE);
    if (is_there != 0) return true;
    if (peer.silent) return false;
    if (tries < tries_at_once) continue;
    std::this_thread::yield();
    if (std::chrono::steady_clock::now() - start > longest_wait) peer.silent = true;
  }
}

KeyedTag TagCarrier::receive(int from) {
  MPI_Status status;
  int size = 0;
  LIGHTCONE_REAL(Probe)(from, 0, comm_, &status);
  LIGHTCONE_REAL(Get_count)(&status, MPI_BYTE, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  LIGHTCONE_REAL(Recv)(bytes.data(), size, MPI_BYTE, from, 0, comm_, MPI_STATUS_IGNORE);
  ++peers_[static_cast<std::size_t>(from)].received;
  KeyedTag received;
  std::memcpy(&received.key, bytes.data(), sizeof received.key);
  received.tag = bytes.substr(sizeof received.key);
  return received;
}

void TagCarrier::end() {
  std::vector<std::uint64_t> sent(peers_.size()), coming(peers_.size());
  std::transform(peers_.begin(), peers_.end(), sent.begin(),
                 [](const Peer& peer) { return peer.sent; });
  LIGHTCONE_REAL(Alltoall)(sent.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, comm_);
  for (std::size_t k = 0; k < peers_.size(); ++k) {
    while (peers_[k].received < coming[k]) static_cast<void>(receive(static_cast<int>(k)));
  }
  for (Pending& pending : pending_) {
    LIGHTCONE_REAL(Wait)(&pending.request, MPI_STATUS_IGNORE);
  }
  if (window_ != MPI_WIN_NULL) LIGHTCONE_REAL(Win_free)(&window_);
  LIGHTCONE_REAL(Comm_free)(&host_);
  LIGHTCONE_REAL(Comm_free)(&comm_);
}

}  // namespace lightcone::mpi
