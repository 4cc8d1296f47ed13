// Digests by xxHash.
#include <lightcone/trace/digest.h>

#include <xxhash.h>

#include <algorithm>

namespace lightcone {

std::uint64_t digest_of(std::string_view contents) {
  return std::max<std::uint64_t>(1, XXH3_64bits(contents.data(), contents.size()));
}

std::uint64_t digest_of_all(std::span<const std::uint64_t> digests) {
  if (digests.empty() || std::ranges::count(digests, 0U) != 0) return 0;
  if (digests.size() == 1) return digests.front();
  return std::max<std::uint64_t>(1, XXH3_64bits(digests.data(), digests.size_bytes()));
}

}  // namespace lightcone
