// Which wildcard of an MPI process an entry of its journal is about.
#pragma once

#include <cstdint>
#include <deque>

namespace lightcone {

/// The wildcards that have got nothing so far, by their numbers from 0. There is no end to them.
/// Keeps runs of numbers, since a journal can claim any number of wildcards in a few bytes.
class OpenWildcards {
 public:
  /// Takes the one before which so many are open. Returns its number.
  [[nodiscard]] std::uint64_t take(std::uint64_t older);

 private:
  /// Numbers that follow each other.
  struct SkippedRange {
    std::uint64_t begin = 0, end = 0;
  };
  std::uint64_t untouched_ = 0;       // all from here on are open,
  std::deque<SkippedRange> skipped_;  // and these before it, ascending
};

}  // namespace lightcone
