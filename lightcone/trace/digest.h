// Digests of the contents of messages.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lightcone {

/// XXH3 of the bytes, 64 bits, with seed 0; 1 where that is 0, since 0 stands for no digest.
[[nodiscard]] std::uint64_t digest_of(std::string_view contents);
/// The digest of several contents, by theirs; that of one is its own. 0 if one of them is 0.
[[nodiscard]] std::uint64_t digest_of_all(std::span<const std::uint64_t> digests);

}  // namespace lightcone
