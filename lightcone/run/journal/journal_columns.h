// Columns of numbers as they stand inside a block of a journal: small alphabets in few bits.
#pragma once

#include <lightcone/base/wire.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::journal {

/// Writes bytes, compressed where that makes them fewer.
void put_piece(WireWriter& wire, std::string_view bytes);
/// Reads a piece that had `size` bytes; the wire fails where it is none.
[[nodiscard]] std::string get_piece(WireReader& wire, std::size_t size);

/// Writes numbers in as few bytes as the greatest of them allows: none if all are 0 or there is
/// one, several of them a byte below 16, else the lowest bytes apart from the rest; long runs as
/// one number and a length. Each column is compressed for itself, so that each has a Huffman code
/// of its own; that costs at least one bit per byte, which bytes of several numbers share.
void put_column(WireWriter& wire, std::span<const std::uint64_t> values);
/// Reads `count` numbers, none of them above `most`; the wire fails where there are no such.
[[nodiscard]] std::vector<std::uint64_t> get_column(WireReader& wire, std::size_t count,
                                                    std::uint64_t most = UINT64_MAX);

/// The same for numbers that are nearly all 0: one bit each, then those that are not.
void put_sparse(WireWriter& wire, std::span<const std::uint64_t> values);
[[nodiscard]] std::vector<std::uint64_t> get_sparse(WireReader& wire, std::size_t count);

/// The kinds of entries that a block has, numbered from 0.
class KindNumbers {
 public:
  explicit KindNumbers(std::span<const std::uint64_t> kinds) {
    for (const std::uint64_t kind : kinds) mask_ |= 1ULL << kind;
  }
  /// As written in a block.
  explicit KindNumbers(std::uint64_t mask) : mask_(mask) {}
  /// One bit per kind.
  [[nodiscard]] std::uint64_t mask() const { return mask_; }
  [[nodiscard]] std::vector<std::uint64_t> narrowed(std::span<const std::uint64_t> kinds) const;
  /// The reverse, of numbers that are below the number of kinds.
  [[nodiscard]] std::vector<std::uint64_t> widened(std::span<const std::uint64_t> numbers) const;

 private:
  std::uint64_t mask_ = 0;
};

}  // namespace lightcone::journal
