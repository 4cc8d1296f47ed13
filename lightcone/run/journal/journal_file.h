// The first bytes of a journal: its kind, and its process.
#pragma once

#include <lightcone/run/journal/journal_entry.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lightcone::journal {

inline constexpr std::string_view file_magic = "\x89LCJ\r\n\x1a\n";
/// The version that is written. It and all from the oldest one on are read.
inline constexpr std::uint32_t version = 3, oldest_version = 1;
inline constexpr std::size_t file_start_size = 24;  ///< magic, version, size of the body, checksum

/// The bytes that a journal begins with: a start of fixed size, and a body.
[[nodiscard]] std::string file_header(const JournalHeader& header);
/// The checksum in a header, from which the checksums of blocks go on.
[[nodiscard]] std::uint64_t file_header_checksum(std::string_view bytes);
[[nodiscard]] std::uint32_t file_header_version(std::string_view start);
[[nodiscard]] std::uint32_t file_header_body_size(std::string_view start);
/// Nothing when the header is damaged.
[[nodiscard]] std::optional<JournalHeader> read_file_header(std::string_view bytes);

}  // namespace lightcone::journal
