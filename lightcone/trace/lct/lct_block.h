// A block of an lct file: rows of events, complete in itself, sealed by a checksum.
#pragma once

#include <lightcone/causal/arrivals.h>
#include <lightcone/trace/lct/lct_columns.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone::lct {

inline constexpr std::string_view file_magic = "\x89LCT\r\n\x1a\n";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t file_header_size = 16;   // magic, version, zero
inline constexpr std::size_t block_header_size = 32;  // see seal() and find_block()

/// The first bytes of every lct file.
[[nodiscard]] std::string file_header();

/// Values that older versions wrote and that no reader accepts: they are replaced.
struct Repairs {
  std::size_t texts = 0;    ///< that were not UTF-8
  std::size_t times = 0;    ///< that were not finite, and are left out
  std::size_t members = 0;  ///< rows whose unknown members were not JSON, and are left out
};

/// A block's columns; the same for writing and for reading. Names, processes and sets are local
/// to the block, messages are numbered through the file.
struct Columns {
  std::vector<std::string_view> names;
  std::string name_text;                 ///< reading: what the names are views of
  std::vector<std::uint32_t> processes;  ///< names
  std::vector<std::uint32_t> ranks_before;
  std::string header_extra;
  std::vector<std::uint32_t> event_process;
  std::vector<std::uint8_t> event_flags;  ///< Arrivals::Flag
  std::vector<std::uint32_t> sent, take_counts, taken;
  std::vector<std::uint32_t> new_messages, new_prefixes;
  std::vector<std::uint64_t> new_numbers;
  std::vector<std::uint32_t> set_sizes, set_members, labels, to;
  std::vector<std::uint32_t> variable_counts, variable_names;
  std::string variable_types;
  std::vector<std::uint64_t> variable_values;
  std::vector<std::uint8_t> more;  ///< Arrivals::More
  std::vector<std::uint64_t> times;
  std::vector<std::uint32_t> texts, sources, extras;
  std::vector<std::uint64_t> digests;

  std::size_t decoded_bytes = 0;  ///< reading: what the columns take in memory
  Repairs repairs = {};           ///< reading: what was not as it should be
  std::deque<std::string> repaired_names = {};
};

/// What the blocks of a file of this size may take in memory, once they are decoded. Blocks of
/// equal rows compress to a few hundredths of a percent; what claims more is made to fill memory.
[[nodiscard]] std::size_t most_decoded_bytes(std::size_t file_size);

/// The bytes of a block: header, checksum, compressed columns.
[[nodiscard]] std::string seal(const Columns& columns, std::uint32_t sequence);

/// A block found in a file.
struct BlockPlace {
  std::size_t offset = 0;  ///< of its header
  std::size_t end = 0;     ///< of its last byte, plus one
  std::uint32_t sequence = 0;
  std::uint32_t raw_size = 0;
};

/// The first whole block at or after `from`; its checksum holds. `end == 0`: there is none.
[[nodiscard]] BlockPlace find_block(std::string_view file, std::size_t from);

/// Decompresses a block and checks that all indices stay inside; `raw` is memory to work in.
/// Replaces bytes that are not UTF-8. Returns false if this version does not understand the block,
/// or would take more memory than a block of its size may.
[[nodiscard]] bool unseal(std::string_view file, const BlockPlace& place, std::string& raw,
                          Columns& columns);

}  // namespace lightcone::lct
