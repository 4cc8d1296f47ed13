// A set of cuts of one interval, each in as few bits as the interval needs.
#pragma once

#include <lightcone/lattice/order/cut.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// Cuts between two cuts, packed into words: of each chain as many bits as tell its ranks apart.
class CutPacking {
 public:
  CutPacking(std::span<const Rank> lower, std::span<const Rank> upper);

  [[nodiscard]] std::size_t words() const { return words_; }
  void pack(std::span<const Rank> cut, std::uint64_t* words) const;
  void unpack(const std::uint64_t* words, std::span<Rank> cut) const;

 private:
  struct Bits {
    std::uint32_t word, shift;
    std::uint64_t mask;
  };
  Cut lower_;
  std::vector<Bits> bits_;  // of each chain; none spans two words
  std::size_t words_ = 1;
};

/// A hash set of packed cuts: open addressing, words next to each other, in the order of insertion.
class CutSet {
 public:
  explicit CutSet(const CutPacking& packing) : packing_(&packing), slots_(64, 0) {}

  /// Returns whether the cut was not in it yet.
  bool insert(std::span<const Rank> cut);
  [[nodiscard]] bool contains(std::span<const Rank> cut) const;
  [[nodiscard]] std::size_t size() const { return count_; }
  /// The cut that was inserted as number i, counted from 0.
  void get(std::size_t i, std::span<Rank> cut) const {
    packing_->unpack(words_.data() + i * packing_->words(), cut);
  }
  [[nodiscard]] std::size_t bytes() const {
    return slots_.capacity() * sizeof(std::uint32_t) + words_.capacity() * sizeof(std::uint64_t);
  }

 private:
  /// The slot where these words are, or would be.
  [[nodiscard]] std::size_t slot(const std::uint64_t* words) const;
  void grow();

  const CutPacking* packing_;
  std::vector<std::uint32_t> slots_;  // one more than the number of the cut; 0: free
  std::vector<std::uint64_t> words_;
  std::size_t count_ = 0;
};

}  // namespace lightcone
