// A file with one slot per rank, mapped by all ranks.
#include "process/standings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <string_view>
#include <utility>

namespace lightcone::mpi {
namespace {

/// Which machine this is: memory of a file that several machines see is not shared.
[[nodiscard]] std::uint64_t this_host() {
  std::array<char, 256> name = {};
  static_cast<void>(::gethostname(name.data(), name.size() - 1));
  return std::hash<std::string_view>()(name.data()) | 1;
}

}  // namespace

/// All zero at first: a rank that has not begun has no host.
struct alignas(64) Standings::Slot {
  std::atomic<std::uint64_t> host;
  std::atomic<std::uint64_t> moves;
  std::atomic<int> waits_for;
  std::atomic<int> tag;
  std::atomic<bool> is_free;
  std::atomic<bool> is_synchronous, is_unseen;
};

std::optional<Standings> Standings::open(const std::string& folder, int rank, int ranks) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  if (folder.empty()) return std::nullopt;
  const std::string path = folder + "/standings";
  const std::size_t size = sizeof(Slot) * static_cast<std::size_t>(ranks);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return std::nullopt;
  void* memory = MAP_FAILED;
  // With its space, so that a full disk kills no process.
  if (::posix_fallocate(file, 0, static_cast<off_t>(size)) == 0) {
    memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  ::close(file);
  if (memory == MAP_FAILED) return std::nullopt;
  Standings standings(static_cast<Slot*>(memory), rank, ranks);
  standings.waits_for(nothing);
  standings.slots_[rank].host.store(this_host(), std::memory_order_release);
  return standings;
}

Standings::Standings(Standings&& other) noexcept
    : slots_(std::exchange(other.slots_, nullptr)), rank_(other.rank_), ranks_(other.ranks_) {}

Standings::~Standings() {
  if (slots_ != nullptr) ::munmap(slots_, sizeof(Slot) * static_cast<std::size_t>(ranks_));
}

void Standings::asks(bool is_free, int tag) {
  slots_[rank_].tag.store(tag, std::memory_order_relaxed);
  slots_[rank_].is_free.store(is_free, std::memory_order_relaxed);
}

void Standings::moved() { slots_[rank_].moves.fetch_add(1, std::memory_order_relaxed); }

void Standings::waits_for(int what) {
  slots_[rank_].waits_for.store(what, std::memory_order_relaxed);
}

void Standings::sends_synchronously() { slots_[rank_].is_synchronous = true; }

void Standings::sends_unseen(bool begins) { slots_[rank_].is_unseen = begins; }

const Standings::Slot* Standings::find(int rank) const {
  if (rank < 0 || rank >= ranks_) return nullptr;
  const Slot& slot = slots_[rank];
  const bool is_here = slot.host.load(std::memory_order_acquire) == slots_[rank_].host.load();
  return is_here ? &slot : nullptr;
}

std::uint64_t Standings::moves(int rank) const {
  const Slot* const slot = find(rank);
  return slot == nullptr ? 0 : slot->moves.load(std::memory_order_relaxed);
}

Standings::Early Standings::early(int from) const {
  const Slot* const sender = find(from);
  if (sender == nullptr || sender->is_unseen) return Early::nothing;
  return sender->is_synchronous ? Early::match : Early::receive;
}

/// Follows which rank waits for which. If this leads back here, or to a rank that is not known, no
/// rank may be made to wait.
Standings::Advice Standings::advice(int to, int tag) const {
  const Slot* const receiver = find(to);
  if (receiver == nullptr || !receiver->is_free) return Advice::go;
  const int asked = receiver->tag;
  if (asked >= 0 && asked != tag) return Advice::go;
  int at = receiver->waits_for;
  if (at == nothing) return Advice::watch;
  for (int steps = 0; steps < ranks_; ++steps) {
    if (at == rank_) return Advice::go;
    const Slot* const other = find(at);
    if (other == nullptr) return Advice::go;
    at = other->waits_for;
    if (at == nothing) return Advice::hold;
  }
  return Advice::go;
}

}  // namespace lightcone::mpi
