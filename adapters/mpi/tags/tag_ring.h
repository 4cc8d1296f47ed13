// A stream of tags from one process to another, through memory that both of them see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone::mpi {

/// Which message a tag belongs to: a hash of where it goes from, to and how, and a number.
struct TagKey {
  std::uint64_t channel = 0, number = 0;
  friend auto operator<=>(const TagKey&, const TagKey&) = default;
};

/// A tag and its message.
struct KeyedTag {
  TagKey key;
  std::string tag;
};

/// One end of the stream: one process puts, one other takes, and neither waits for the other.
class TagRing {
 public:
  /// Of the memory: a cache line.
  static constexpr std::size_t alignment = 64;
  /// Returns how much memory a ring takes that holds so many bytes, a power of two.
  [[nodiscard]] static std::size_t size_for(std::size_t capacity);
  /// Empties the ring in this memory, before anyone uses it.
  static void clear(void* memory);
  TagRing(void* memory, std::size_t capacity);

  /// Returns whether there was room for it.
  [[nodiscard]] bool put(const TagKey& key, std::string_view tag);
  /// The next one. Nothing, if the other process has put no more before what this one knows of.
  [[nodiscard]] std::optional<KeyedTag> take();

 private:
  struct Header;
  void write(std::uint64_t at, const void* from, std::size_t size);
  void read(std::uint64_t at, void* to, std::size_t size) const;

  Header* header_;
  char* bytes_;
  std::size_t capacity_;
  std::uint64_t own_ = 0, others_ = 0;  // how far this end has come, and the other when last seen
};

}  // namespace lightcone::mpi
