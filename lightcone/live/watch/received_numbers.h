// Which messages of a sender have come already, in bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// The latest numbers of one sender, a bit each. A sender counts all its messages, to whomever they
/// go, so that gaps are the rule and ranges would grow without end.
class ReceivedNumbers {
 public:
  /// How far behind the latest a number is still told apart.
  static constexpr std::uint64_t window = 16384;

  ReceivedNumbers() = default;
  /// What `end` and `words` gave.
  ReceivedNumbers(std::uint64_t end, std::span<const std::uint64_t> words)
      : bits_(words.begin(), words.end()), end_(end) {
    bits_.resize(word_count(end), 0);
  }
  /// One beyond the latest number.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// The words of bits that can be set if that is the end.
  [[nodiscard]] static std::size_t word_count(std::uint64_t end) {
    return std::min(end / 64 + (end % 64 != 0), most_words);
  }
  [[nodiscard]] std::span<const std::uint64_t> words() const {
    return std::span(bits_).first(word_count(end_));
  }

  /// Returns whether the number was added before, or is further behind than that can be known.
  [[nodiscard]] bool has(std::uint64_t number) const {
    if (number == UINT64_MAX) return true;
    if (number >= end_) return false;
    if (number / 64 + most_words <= (end_ - 1) / 64) return true;
    return (bits_[number / 64 % most_words] >> (number % 64) & 1) != 0;
  }
  /// Returns whether the number is new. What is further behind than the window is taken for a
  /// redelivery: a trace may mark a first reception as one, but must not leave a second one
  /// unmarked. So is the greatest number, which is never reached.
  bool add(std::uint64_t number) {
    if (number == UINT64_MAX) return false;
    if (number >= end_ && end_ != 0 && number / 64 == (end_ - 1) / 64) {  // nearly always
      bits_[number / 64 % most_words] |= std::uint64_t{1} << (number % 64);
      end_ = number + 1;
      return true;
    }
    if (number >= end_) {
      bits_.resize(word_count(number + 1), 0);
      // Each word is cleared as the window moves onto it; after a long jump all of them are.
      const std::uint64_t last = number / 64, first = end_ == 0 ? 0 : (end_ - 1) / 64 + 1;
      for (std::uint64_t w = std::max(first, last - std::min(last, most_words - 1)); w <= last;
           ++w) {
        bits_[w % most_words] = 0;
      }
      end_ = number + 1;
    } else if (number / 64 + most_words <= (end_ - 1) / 64) {
      return false;
    }
    std::uint64_t& word = bits_[number / 64 % most_words];
    const std::uint64_t bit = std::uint64_t{1} << (number % 64);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  static constexpr std::uint64_t most_words = window / 64;

  std::vector<std::uint64_t> bits_;  // a ring, once it has grown to its full length
  std::uint64_t end_ = 0;            // one beyond the latest
};

}  // namespace lightcone
