// Sets of small numbers as bits: states of automata, variables of equations.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lightcone {

/// A set of numbers below a size that is fixed when it is made.
class StateSet {
 public:
  explicit StateSet(std::uint32_t size = 0) : words_((size + 63) / 64, 0) {}

  void insert(std::uint32_t state) { words_[state / 64] |= std::uint64_t{1} << (state % 64); }
  [[nodiscard]] bool contains(std::uint32_t state) const {
    return (words_[state / 64] >> (state % 64) & 1) != 0;
  }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  [[nodiscard]] bool meets(const StateSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  StateSet& operator|=(const StateSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  StateSet& operator&=(const StateSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  /// Calls `visit` with each member, smallest first.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(64 * i) +
              static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const { return words_; }
  friend auto operator<=>(const StateSet&, const StateSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace lightcone
