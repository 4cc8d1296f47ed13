// Chaining the blocks of a journal by their checksums.
#include <lightcone/base/wire.h>
#include <lightcone/run/journal/journal_block.h>

#include <xxhash.h>

namespace lightcone::journal {
namespace {

constexpr std::size_t checked_from = 8;

}  // namespace

std::string seal(std::string_view payload, std::uint64_t& checksum) {
  WireWriter wire;
  wire.fixed(0, 8);
  wire.fixed(payload.size(), 4);
  std::string& block = wire.bytes();
  block += payload;
  checksum = block_checksum(block, checksum);
  WireWriter sum;
  sum.fixed(checksum, 8);
  return block.replace(0, 8, sum.bytes());
}

BlockHeader block_header(std::string_view bytes) {
  WireReader wire(bytes);
  BlockHeader header;
  header.checksum = wire.fixed(8);
  header.size = static_cast<std::uint32_t>(wire.fixed(4));
  return header;
}

std::uint64_t block_checksum(std::string_view block, std::uint64_t before) {
  const std::string_view checked = block.substr(checked_from);
  return XXH3_64bits_withSeed(checked.data(), checked.size(), before);
}

}  // namespace lightcone::journal
