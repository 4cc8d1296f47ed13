// Compiled for AVX2 alone, so it includes nothing whose code other sources could share.
#include <lightcone/trace/digest_avx2.h>

#ifdef __AVX2__

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {

std::uint64_t xxh3_by_avx2(const void* bytes, std::size_t size) { return XXH3_64bits(bytes, size); }

}  // namespace lightcone

#endif
