// Bits on the wire, as few bytes as hold them.
#pragma once

#include <lightcone/base/wire.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

inline void write_bits(WireWriter& wire, std::span<const std::uint64_t> words, std::uint32_t bits) {
  for (std::size_t i = 0; i < (bits + 7) / 8; ++i) wire.fixed(words[i / 8] >> (8 * (i % 8)), 1);
}

/// Fails where there is a bit beyond the last.
inline void read_bits(WireReader& wire, std::uint32_t bits, std::vector<std::uint64_t>& words) {
  if (bits == 0) return words.clear();
  words.assign((bits + 63) / 64, 0);
  for (std::size_t i = 0; i < (bits + 7) / 8; ++i) {
    words[i / 8] |= wire.fixed(1) << (8 * (i % 8));
  }
  if (bits % 64 != 0 && (words.back() >> (bits % 64)) != 0) wire.fail();
}
[[nodiscard]] inline std::vector<std::uint64_t> read_bits(WireReader& wire, std::uint32_t bits) {
  std::vector<std::uint64_t> words;
  read_bits(wire, bits, words);
  return words;
}

}  // namespace lightcone
