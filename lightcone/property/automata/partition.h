// Numbers in blocks that are split again and again, as Hopcroft's algorithm does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace lightcone {

/// The numbers below `count`, at first in one block. A block is a range of one array, with the
/// marked numbers at its front. So marking takes constant time, and a split the size of the smaller
/// part.
class Partition {
 public:
  explicit Partition(std::uint32_t count)
      : order_(count), place_(count), block_(count, 0), blocks_{{.begin = 0, .end = count}} {
    std::iota(order_.begin(), order_.end(), 0U);
    std::iota(place_.begin(), place_.end(), 0U);
  }

  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] std::uint32_t block_of(std::uint32_t number) const { return block_[number]; }
  /// Valid until something is marked.
  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t block) const {
    return std::span(order_).subspan(blocks_[block].begin, size_of(blocks_[block]));
  }

  void mark(std::uint32_t number) {
    Block& block = blocks_[block_[number]];
    const std::uint32_t front = block.begin + block.marked;
    if (place_[number] < front) return;
    if (block.marked++ == 0) touched_.push_back(block_[number]);
    const std::uint32_t other = order_[front];
    std::swap(order_[front], order_[place_[number]]);
    place_[other] = std::exchange(place_[number], front);
  }

  /// Parts what is marked from what is not, in each block, and takes the marks away. Calls
  /// `visit(block)` with each block that came into being: the smaller part of the old one.
  template <class Visit>
  void split(const Visit& visit) {
    for (const std::uint32_t old : std::exchange(touched_, {})) {
      const std::uint32_t marked = std::exchange(blocks_[old].marked, 0);
      if (marked == size_of(blocks_[old])) continue;
      const std::uint32_t middle = blocks_[old].begin + marked;
      Block part = blocks_[old];
      if (marked <= size_of(part) / 2) {
        blocks_[old].begin = part.end = middle;
      } else {
        blocks_[old].end = part.begin = middle;
      }
      const auto number = static_cast<std::uint32_t>(blocks_.size());
      blocks_.push_back(part);
      for (std::uint32_t i = part.begin; i < part.end; ++i) block_[order_[i]] = number;
      visit(number);
    }
  }

 private:
  struct Block {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t marked = 0;
  };
  [[nodiscard]] static std::uint32_t size_of(const Block& block) { return block.end - block.begin; }

  std::vector<std::uint32_t> order_, place_;  // the numbers, and where each stands
  std::vector<std::uint32_t> block_;          // of each number
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> touched_;  // blocks with marks
};

}  // namespace lightcone
