// Writing and reading the header of a journal.
#include <lightcone/run/journal/journal_file.h>

#include <lightcone/base/wire.h>
#include <lightcone/run/journal/journal_block.h>

#include <xxhash.h>

namespace lightcone::journal {
namespace {

constexpr std::size_t version_at = 8, body_size_at = 12, checksum_at = 16;
constexpr std::uint64_t contents_flag = 1;

[[nodiscard]] std::uint64_t fixed_at(std::string_view bytes, std::size_t at, std::size_t count) {
  return WireReader(bytes.substr(at)).fixed(count);
}

}  // namespace

std::string file_header(const JournalHeader& header) {
  WireWriter body;
  body.number(static_cast<std::uint64_t>(header.kind));
  body.number(header.contents ? contents_flag : 0);
  body.text(header.process);
  WireWriter start;
  start.bytes() += file_magic;
  start.fixed(header.version, 4);
  start.fixed(body.bytes().size(), 4);
  start.fixed(XXH3_64bits(body.bytes().data(), body.bytes().size()), 8);
  return start.bytes() + body.bytes();
}

std::uint64_t file_header_checksum(std::string_view bytes) {
  return fixed_at(bytes, checksum_at, 8);
}

std::uint32_t file_header_version(std::string_view start) {
  return static_cast<std::uint32_t>(fixed_at(start, version_at, 4));
}

std::uint32_t file_header_body_size(std::string_view start) {
  return static_cast<std::uint32_t>(fixed_at(start, body_size_at, 4));
}

std::optional<JournalHeader> read_file_header(std::string_view bytes) {
  const std::string_view body = bytes.substr(file_start_size);
  if (XXH3_64bits(body.data(), body.size()) != file_header_checksum(bytes)) return std::nullopt;
  WireReader wire(body);
  const std::uint64_t kind = wire.number();
  const std::uint64_t flags = wire.number();
  const std::string_view process = wire.text(longest_name);
  if (wire.failed() || wire.left() != 0) return std::nullopt;
  if (kind > static_cast<std::uint64_t>(JournalKind::races) || flags > contents_flag) {
    return std::nullopt;
  }
  return JournalHeader{std::string(process), static_cast<JournalKind>(kind), flags != 0,
                       file_header_version(bytes)};
}

}  // namespace lightcone::journal
