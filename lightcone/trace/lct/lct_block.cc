// Sealing blocks, finding them in damaged files, and opening them.
#include <lightcone/trace/lct/lct_block.h>

#include <lightcone/base/memory/fresh_memory.h>
#include <lightcone/base/utf8.h>
#include <lightcone/trace/jsonl/jsonl_parser.h>
#include <simdjson.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>

namespace lightcone::lct {
namespace {

constexpr std::string_view block_magic = "LCTBLOCK";
constexpr int compression_level = 3;
constexpr std::uint32_t largest_block = 1U << 29;
constexpr std::size_t most_rows = std::size_t{8} * Arrivals::usual_rows;

// Block header: magic (8), checksum of all that follows it (8), sequence (4), raw size (4),
// stored size (4), zero (4); then the compressed columns. All little-endian.
constexpr std::size_t checksum_at = 8;
constexpr std::size_t checked_from = 16;

template <class T>
void put(std::string& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i));
}

template <class T>
[[nodiscard]] T get(std::string_view bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i));
  }
  return value;
}

[[nodiscard]] std::string_view as_text(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[nodiscard]] std::string payload_of(const Columns& c) {
  SectionWriter out;
  std::string all_names;
  std::vector<std::uint32_t> lengths;
  lengths.reserve(c.names.size());
  for (const std::string_view name : c.names) {
    all_names += name;
    lengths.push_back(static_cast<std::uint32_t>(name.size()));
  }
  out.bytes(Section::names, all_names);
  out.u32(Section::name_lengths, lengths);
  out.u32(Section::processes, c.processes);
  out.u32(Section::ranks_before, c.ranks_before);
  out.bytes(Section::header_extra, c.header_extra);
  out.u32(Section::event_process, c.event_process);
  out.bytes(Section::event_flags, as_text(c.event_flags));
  out.u32(Section::sent, c.sent, true);
  out.u32(Section::take_counts, c.take_counts);
  out.u32(Section::taken, c.taken, true);
  out.u32(Section::new_messages, c.new_messages, true);
  out.u32(Section::new_prefixes, c.new_prefixes);
  out.u64(Section::new_numbers, c.new_numbers, true);
  out.u32(Section::set_sizes, c.set_sizes);
  out.u32(Section::set_members, c.set_members);
  out.u32(Section::labels, c.labels);
  out.u32(Section::to, c.to);
  out.u32(Section::variable_counts, c.variable_counts);
  out.u32(Section::variable_names, c.variable_names);
  out.bytes(Section::variable_types, c.variable_types);
  out.u64(Section::variable_values, c.variable_values);
  out.bytes(Section::more, as_text(c.more));
  out.u64(Section::times, c.times, true);
  out.u32(Section::texts, c.texts);
  out.u32(Section::sources, c.sources);
  out.u32(Section::extras, c.extras);
  out.u64(Section::digests, c.digests);
  return std::move(out.payload());
}

void read_columns(const SectionReader& in, Columns& c) {
  in.u32(Section::processes, c.processes);
  in.u32(Section::ranks_before, c.ranks_before);
  c.header_extra = in.bytes(Section::header_extra);
  in.u32(Section::event_process, c.event_process);
  const std::string_view flags = in.bytes(Section::event_flags);
  make_room(c.event_flags, flags.size());
  c.event_flags.assign(flags.begin(), flags.end());
  in.u32(Section::sent, c.sent);
  in.u32(Section::take_counts, c.take_counts);
  in.u32(Section::taken, c.taken);
  in.u32(Section::new_messages, c.new_messages);
  in.u32(Section::new_prefixes, c.new_prefixes);
  in.u64(Section::new_numbers, c.new_numbers);
  in.u32(Section::set_sizes, c.set_sizes);
  in.u32(Section::set_members, c.set_members);
  in.u32(Section::labels, c.labels);
  in.u32(Section::to, c.to);
  in.u32(Section::variable_counts, c.variable_counts);
  in.u32(Section::variable_names, c.variable_names);
  c.variable_types = in.bytes(Section::variable_types);
  in.u64(Section::variable_values, c.variable_values);
  const std::string_view more = in.bytes(Section::more);
  c.more.assign(more.begin(), more.end());
  in.u64(Section::times, c.times);
  in.u32(Section::texts, c.texts);
  in.u32(Section::sources, c.sources);
  in.u32(Section::extras, c.extras);
  in.u64(Section::digests, c.digests);
}

[[nodiscard]] bool read_names(const SectionReader& in, Columns& c) {
  std::vector<std::uint32_t> lengths;
  in.u32(Section::name_lengths, lengths);
  c.name_text = in.bytes(Section::names);
  c.repaired_names.clear();
  std::string_view rest = c.name_text;
  c.names.clear();
  for (const std::uint32_t length : lengths) {
    if (length > rest.size()) return false;
    c.names.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  return rest.empty();
}

/// Which names something is known by: processes, messages, receivers, variables.
[[nodiscard]] std::vector<bool> names_of_things(const Columns& c) {
  std::vector<bool> known(c.names.size(), false);
  const auto mark = [&](std::uint32_t name) { known[name] = true; };
  std::ranges::for_each(c.processes, mark);
  std::ranges::for_each(c.new_prefixes, mark);
  std::ranges::for_each(c.variable_names, mark);
  std::vector<std::size_t> begin{0};
  for (const std::uint32_t size : c.set_sizes) begin.push_back(begin.back() + size);
  for (const std::uint32_t set : c.to) {
    for (std::size_t i = begin[set]; i < begin[set + 1]; ++i) mark(c.set_members[i]);
  }
  return known;
}

/// Names that are not UTF-8 were written by older versions; the indices are known to fit.
void repair_names(Columns& c) {
  std::vector<bool> of_things;
  for (std::size_t i = 0; i < c.names.size(); ++i) {
    const std::string_view name = c.names[i];
    if (simdjson::validate_utf8(name.data(), name.size())) continue;
    if (of_things.empty()) of_things = names_of_things(c);
    c.names[i] = c.repaired_names.emplace_back(of_things[i] ? as_utf8_name(name) : as_utf8(name));
    ++c.repairs.texts;
  }
}

[[nodiscard]] bool all_below(const std::vector<std::uint32_t>& values, std::size_t limit) {
  return std::all_of(values.begin(), values.end(), [&](auto value) { return value < limit; });
}

[[nodiscard]] std::uint64_t sum(const std::vector<std::uint32_t>& values) {
  std::uint64_t total = 0;
  for (const std::uint32_t value : values) total += value;
  return total;
}

/// Returns how many entries the flags promise in each of the sparse columns.
[[nodiscard]] bool flags_fit(const Columns& c) {
  std::array<std::size_t, 256> rows_with{};
  for (const std::uint8_t flags : c.event_flags) ++rows_with[flags];
  std::size_t sent = 0, single = 0, batches = 0, labelled = 0, assigning = 0, with_more = 0;
  for (std::size_t flags = 0; flags < rows_with.size(); ++flags) {
    const std::size_t rows = rows_with[flags];
    const auto bits = static_cast<std::uint8_t>(flags);
    const Kind kind = Arrivals::kind(bits);
    if (Arrivals::sends(bits)) sent += rows;
    const bool odd_batch = (flags & Arrivals::batch) != 0 && kind != Kind::receive;
    const bool odd_initial =
        kind == Kind::initial && (flags & (Arrivals::sends_too | Arrivals::duplicate)) != 0;
    if (rows > 0 && (odd_batch || odd_initial)) return false;
    if (kind == Kind::receive) ((flags & Arrivals::batch) != 0 ? batches : single) += rows;
    if ((flags & Arrivals::labelled) != 0) labelled += rows;
    if ((flags & Arrivals::assigns) != 0) assigning += rows;
    if ((flags & Arrivals::says_more) != 0) with_more += rows;
  }
  std::array<std::size_t, 6> have{};
  for (const std::uint8_t bits : c.more) {
    for (std::size_t i = 0; i < have.size(); ++i) have[i] += (bits >> i) & 1;
  }
  const auto is_zero = [](std::uint32_t count) { return count == 0; };
  if (std::any_of(c.take_counts.begin(), c.take_counts.end(), is_zero)) return false;
  return c.sent.size() == sent && c.take_counts.size() == batches &&
         c.taken.size() == single + sum(c.take_counts) && c.labels.size() == labelled &&
         c.variable_counts.size() == assigning &&
         c.variable_names.size() == sum(c.variable_counts) && c.more.size() == with_more &&
         c.to.size() == have[0] && c.times.size() == have[1] && c.texts.size() == have[2] &&
         c.sources.size() == have[3] && c.extras.size() == have[4] && c.digests.size() == have[5] &&
         std::ranges::count(c.digests, 0U) == 0;
}

[[nodiscard]] bool values_fit(const Columns& c) {
  for (std::size_t i = 0; i < c.variable_types.size(); ++i) {
    const std::uint64_t bits = c.variable_values[i];
    switch (c.variable_types[i]) {
      case 0:
        if (bits > 1) return false;
        break;
      case 1:
      case 2: break;
      case 3:
        if (bits >= c.names.size()) return false;
        break;
      default: return false;
    }
  }
  return true;
}

/// Takes out of a sparse column what `is_bad`, and the bit that says that a row has it.
template <class IsBad>
[[nodiscard]] std::size_t remove_bad(Columns& c, Arrivals::More bit, auto& column,
                                     const IsBad& is_bad) {
  if (std::none_of(column.begin(), column.end(), is_bad)) return 0;
  std::size_t kept = 0;
  std::size_t at = 0;
  for (std::uint8_t& more : c.more) {
    if ((more & bit) == 0) continue;
    if (is_bad(column[at])) {
      more = static_cast<std::uint8_t>(more & ~bit);
    } else {
      column[kept++] = column[at];
    }
    ++at;
  }
  column.resize(kept);
  return at - kept;
}

/// Leaves out times that are not finite, and unknown members that are not JSON.
void repair_rows(Columns& c) {
  const auto is_infinite = [](std::uint64_t bits) {
    return !std::isfinite(std::bit_cast<double>(bits));
  };
  c.repairs.times = remove_bad(c, Arrivals::time, c.times, is_infinite);
  enum class Known : std::uint8_t { no, good, bad };
  std::vector<Known> known(c.extras.empty() ? 0 : c.names.size(), Known::no);
  c.repairs.members = remove_bad(c, Arrivals::extra, c.extras, [&](std::uint32_t name) {
    if (known[name] == Known::no) {
      known[name] = are_json_members(c.names[name]) ? Known::good : Known::bad;
    }
    return known[name] == Known::bad;
  });
  if (c.header_extra.empty() || are_json_members(c.header_extra)) return;
  c.header_extra = as_utf8(c.header_extra);
  if (!are_json_members(c.header_extra)) {
    c.header_extra.clear();
    ++c.repairs.members;
  } else {
    ++c.repairs.texts;
  }
}

[[nodiscard]] bool indices_fit(const Columns& c) {
  const std::size_t names = c.names.size();
  const std::size_t sets = c.set_sizes.size();
  return c.event_process.size() == c.event_flags.size() && all_below(c.processes, names) &&
         c.ranks_before.size() == c.processes.size() &&
         all_below(c.event_process, c.processes.size()) &&
         c.new_prefixes.size() == c.new_messages.size() &&
         c.new_numbers.size() == c.new_messages.size() && all_below(c.new_prefixes, names) &&
         c.set_members.size() == sum(c.set_sizes) && all_below(c.set_members, names) &&
         all_below(c.labels, sets) && all_below(c.to, sets) && all_below(c.variable_names, names) &&
         c.variable_types.size() == c.variable_names.size() &&
         c.variable_values.size() == c.variable_names.size() && all_below(c.texts, names) &&
         all_below(c.sources, names) && all_below(c.extras, names);
}

}  // namespace

std::string file_header() {
  std::string out(file_magic);
  put(out, version);
  put(out, std::uint32_t{0});
  return out;
}

std::string seal(const Columns& columns, std::uint32_t sequence) {
  const std::string raw = payload_of(columns);
  std::string out(block_magic);
  put(out, std::uint64_t{0});
  put(out, sequence);
  put(out, static_cast<std::uint32_t>(raw.size()));
  out.resize(block_header_size + ZSTD_compressBound(raw.size()));
  const std::size_t stored =
      ZSTD_compress(out.data() + block_header_size, out.size() - block_header_size, raw.data(),
                    raw.size(), compression_level);
  out.resize(block_header_size + stored);
  std::string rest;
  put(rest, static_cast<std::uint32_t>(stored));
  put(rest, std::uint32_t{0});
  rest.copy(out.data() + 24, rest.size());
  std::string checksum;
  put(checksum, std::uint64_t{XXH3_64bits(out.data() + checked_from, out.size() - checked_from)});
  checksum.copy(out.data() + checksum_at, checksum.size());
  return out;
}

BlockPlace find_block(std::string_view file, std::size_t from) {
  for (;; ++from) {
    from = file.find(block_magic, from);
    if (from == std::string_view::npos || file.size() - from < block_header_size) return {};
    const std::string_view here = file.substr(from);
    const std::size_t stored = get<std::uint32_t>(here, 24);
    if (here.size() - block_header_size < stored) continue;
    const std::string_view checked =
        here.substr(checked_from, block_header_size - checked_from + stored);
    if (XXH3_64bits(checked.data(), checked.size()) != get<std::uint64_t>(here, checksum_at)) {
      continue;
    }
    return {from, from + block_header_size + stored, get<std::uint32_t>(here, 16),
            get<std::uint32_t>(here, 20)};
  }
}

std::size_t most_decoded_bytes(std::size_t file_size) {
  constexpr std::size_t base = std::size_t{64} << 20;
  constexpr std::size_t per_byte = 4096;
  return base + per_byte * file_size;
}

bool unseal(std::string_view file, const BlockPlace& place, std::string& raw, Columns& columns) {
  const std::size_t most = most_decoded_bytes(place.end - place.offset);
  if (place.raw_size > std::min<std::size_t>(largest_block, most)) return false;
  const std::size_t begin = place.offset + block_header_size;
  raw.resize(place.raw_size);
  const std::size_t got =
      ZSTD_decompress(raw.data(), raw.size(), file.data() + begin, place.end - begin);
  SectionReader sections;
  if (ZSTD_isError(got) || got != raw.size() || !sections.open(raw, most)) return false;
  columns.decoded_bytes = sections.decoded_bytes();
  columns.repairs = {};
  if (!read_names(sections, columns)) return false;
  read_columns(sections, columns);
  if (columns.event_flags.size() > most_rows) return false;
  if (!indices_fit(columns) || !flags_fit(columns) || !values_fit(columns)) return false;
  repair_names(columns);
  repair_rows(columns);
  return true;
}

}  // namespace lightcone::lct
