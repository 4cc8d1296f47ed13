// Digests by xxHash, as fast as the processor can.
#include <lightcone/trace/digest.h>
#include <lightcone/trace/digest_avx2.h>

#include <xxhash.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] std::uint64_t xxh3(const void* bytes, std::size_t size) {
#ifdef LIGHTCONE_AVX2
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return xxh3_by_avx2(bytes, size);
#endif
  return XXH3_64bits(bytes, size);
}

}  // namespace

std::uint64_t digest_of(std::string_view contents) {
  return std::max<std::uint64_t>(1, xxh3(contents.data(), contents.size()));
}

std::uint64_t digest_of_all(std::span<const std::uint64_t> digests) {
  if (digests.empty() || std::ranges::count(digests, 0U) != 0) return 0;
  if (digests.size() == 1) return digests.front();
  return std::max<std::uint64_t>(1, xxh3(digests.data(), digests.size_bytes()));
}

}  // namespace lightcone
