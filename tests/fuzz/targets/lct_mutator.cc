// Mutates what is inside the blocks of an lct file; their checksums would stop blind mutation.
#include <lightcone/trace/lct/lct_block.h>

#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit);

namespace {

using namespace lightcone;

constexpr std::size_t checksum_at = 8;
constexpr std::size_t checked_from = 16;
constexpr std::size_t raw_size_at = 20;
constexpr std::size_t stored_size_at = 24;
constexpr std::size_t largest_payload = 1 << 16;

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

/// A block with this block's magic and sequence, this payload, and a checksum that holds.
std::string sealed(std::string_view block, std::string_view payload) {
  std::string out(block.substr(0, lct::block_header_size));
  out.resize(out.size() + ZSTD_compressBound(payload.size()));
  const std::size_t stored =
      ZSTD_compress(out.data() + lct::block_header_size, out.size() - lct::block_header_size,
                    payload.data(), payload.size(), 1);
  out.resize(lct::block_header_size + stored);
  put(out, raw_size_at, static_cast<std::uint32_t>(payload.size()));
  put(out, stored_size_at, static_cast<std::uint32_t>(stored));
  const std::string_view checked = std::string_view(out).substr(checked_from);
  put(out, checksum_at, std::uint64_t{XXH3_64bits(checked.data(), checked.size())});
  return out;
}

/// The file with the payload of one of its blocks mutated; empty when there is no such block.
std::string mutate_block(std::string_view file, std::mt19937& random) {
  lct::BlockPlace place = lct::find_block(file, 0);
  if (place.end == 0 || place.raw_size > largest_payload) return {};
  for (auto next = lct::find_block(file, place.end); next.end != 0 && random() % 2 == 0;
       next = lct::find_block(file, place.end)) {
    if (next.raw_size > largest_payload) break;
    place = next;
  }
  const std::string_view block = file.substr(place.offset, place.end - place.offset);
  std::string payload(largest_payload, '\0');
  const std::size_t got =
      ZSTD_decompress(payload.data(), payload.size(), block.data() + lct::block_header_size,
                      block.size() - lct::block_header_size);
  if (ZSTD_isError(got)) return {};
  auto* const bytes = reinterpret_cast<std::uint8_t*>(payload.data());
  payload.resize(LLVMFuzzerMutate(bytes, got, payload.size()));
  std::string out(file.substr(0, place.offset));
  out += sealed(block, payload);
  out += file.substr(place.end);
  return out;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned int seed) {
  std::mt19937 random(seed);
  constexpr unsigned blind_every = 8;
  if (random() % blind_every != 0) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    const std::string mutated = mutate_block(file, random);
    if (!mutated.empty() && mutated.size() <= limit) {
      std::memcpy(data, mutated.data(), mutated.size());
      return mutated.size();
    }
  }
  return LLVMFuzzerMutate(data, size, limit);
}
