// XXH3 for processors with AVX2: about twice as fast on long contents.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lightcone {

/// The 64 bits of XXH3 with seed 0. The processor must have AVX2.
[[nodiscard]] std::uint64_t xxh3_by_avx2(const void* bytes, std::size_t size);

}  // namespace lightcone
