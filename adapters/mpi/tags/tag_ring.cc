// A ring of bytes with two counts: what was put, which only one process changes, and what was
// taken, which only the other does.
//
// A process that has received a message finds its tag here if it was put here: the tag was written
// and the count raised before the message was sent, and a message comes after what was done before
// it was sent, in memory too.
#include "tags/tag_ring.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace lightcone::mpi {
namespace {

struct Prefix {
  TagKey key;
  std::uint64_t size = 0;
};

[[nodiscard]] constexpr std::uint64_t padded(std::uint64_t size) { return (size + 7) & ~7ULL; }

}  // namespace

struct TagRing::Header {
  alignas(alignment) std::atomic<std::uint64_t> put;
  alignas(alignment) std::atomic<std::uint64_t> taken;
};

std::size_t TagRing::size_for(std::size_t capacity) { return sizeof(Header) + capacity; }

void TagRing::clear(void* memory) { new (memory) Header{0, 0}; }

TagRing::TagRing(void* memory, std::size_t capacity)
    : header_(static_cast<Header*>(memory)),
      bytes_(static_cast<char*>(memory) + sizeof(Header)),
      capacity_(capacity) {}

void TagRing::write(std::uint64_t at, const void* from, std::size_t size) {
  const std::size_t place = at & (capacity_ - 1);
  const std::size_t first = std::min(size, capacity_ - place);
  std::memcpy(bytes_ + place, from, first);
  std::memcpy(bytes_, static_cast<const char*>(from) + first, size - first);
}

void TagRing::read(std::uint64_t at, void* to, std::size_t size) const {
  const std::size_t place = at & (capacity_ - 1);
  const std::size_t first = std::min(size, capacity_ - place);
  std::memcpy(to, bytes_ + place, first);
  std::memcpy(static_cast<char*>(to) + first, bytes_, size - first);
}

bool TagRing::put(const TagKey& key, std::string_view tag) {
  const Prefix prefix{key, tag.size()};
  const std::uint64_t next = own_ + sizeof prefix + padded(tag.size());
  if (next - others_ > capacity_) {
    others_ = header_->taken.load(std::memory_order_acquire);
    if (next - others_ > capacity_) return false;
  }
  write(own_, &prefix, sizeof prefix);
  write(own_ + sizeof prefix, tag.data(), tag.size());
  own_ = next;
  header_->put.store(own_, std::memory_order_release);
  return true;
}

std::optional<KeyedTag> TagRing::take() {
  if (own_ == others_) others_ = header_->put.load(std::memory_order_acquire);
  if (own_ == others_) return std::nullopt;
  Prefix prefix;
  read(own_, &prefix, sizeof prefix);
  KeyedTag taken{prefix.key, std::string(prefix.size, '\0')};
  read(own_ + sizeof prefix, taken.tag.data(), prefix.size);
  own_ += sizeof prefix + padded(prefix.size);
  header_->taken.store(own_, std::memory_order_release);
  return taken;
}

}  // namespace lightcone::mpi
