// Reads the rows of a file as they were written, without making a computation of them.
#include <lightcone/trace/row_words.h>

#include <lightcone/base/file.h>
#include <lightcone/base/utf8.h>
#include <lightcone/causal/arrivals.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <type_traits>

namespace lightcone {
namespace {

/// As they stand in a file.
[[nodiscard]] std::vector<std::string> as_names(std::vector<std::string> words) {
  for (std::string& word : words) word = as_utf8_name(word);
  return words;
}
[[nodiscard]] std::vector<std::string> as_texts(std::vector<std::string> words) {
  for (std::string& word : words) word = as_utf8(word);
  return words;
}

[[nodiscard]] std::string joined(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string RowWords::spelled(const SpelledValue& value) {
  return std::visit(
      [](const auto& known) {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::string_view>) {
          return fmt::format("\"{}\"", known);
        } else {
          return fmt::format("{}", known);
        }
      },
      value);
}

std::string RowWords::line() const {
  std::string out;
  switch (kind) {
    case Kind::initial: out = "the initial state"; break;
    case Kind::internal: out = "an internal event"; break;
    case Kind::send: out = "the send of " + as_utf8_name(sends); break;
    case Kind::receive:
      out = fmt::format("the receive of {}", fmt::join(as_names(takes), " and "));
      break;
  }
  if (kind == Kind::receive && !sends.empty()) out += ", which sends " + as_utf8_name(sends);
  if (!to.empty()) out += " to " + joined(as_names(to));
  if (!labels.empty()) out += " (" + joined(as_texts(labels)) + ")";
  auto sorted = variables;
  for (auto& [name, value] : sorted) {
    name = as_utf8_name(name);
    value = as_utf8(value);
  }
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [name, value] : sorted) out += fmt::format(", {} = {}", name, value);
  if (!text.empty()) out += fmt::format(", \"{}\"", as_utf8(text));
  if (digest != 0) out += fmt::format(", contents {:016x}", digest);
  return out;
}

bool RowWords::is_like(const RowWords& other) const {
  if (*this == other) return true;  // nearly always, and lines take time to make
  RowWords one = *this, two = other;
  if ((one.digest == 0) != (two.digest == 0)) {  // of contents that one does not know
    one.digest = two.digest = 0;
    one.text = two.text = {};
  }
  return one.line() == two.line();
}

Expected<RecordedRows> RecordedRows::open(const std::string& path) {
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  auto bytes = file->read_all();
  if (!bytes) return failure(bytes.error());
  if (bytes->size() < lct::file_header_size || !bytes->starts_with(lct::file_magic)) {
    return failure("is not an lct file", path);
  }
  return RecordedRows(std::move(*bytes));
}

bool RecordedRows::next_block() {
  const lct::BlockPlace place = lct::find_block(bytes_, offset_);
  if (place.end == 0) return false;
  offset_ = place.end;
  if (!lct::unseal(bytes_, place, raw_, columns_)) return false;
  at_ = {};
  set_begins_.assign(1, 0);
  for (const std::uint32_t size : columns_.set_sizes) {
    set_begins_.push_back(set_begins_.back() + size);
  }
  for (std::size_t i = 0; i < columns_.new_messages.size(); ++i) {
    std::string name(columns_.names[columns_.new_prefixes[i]]);
    if (columns_.new_numbers[i] != 0) name += std::to_string(columns_.new_numbers[i] - 1);
    messages_[columns_.new_messages[i]] = std::move(name);
  }
  return true;
}

std::vector<std::string> RecordedRows::members(std::uint32_t set) const {
  std::vector<std::string> names;
  for (std::size_t i = set_begins_[set]; i < set_begins_[set + 1]; ++i) {
    names.emplace_back(columns_.names[columns_.set_members[i]]);
  }
  return names;
}

void RecordedRows::read_variables(RowWords& words) {
  const std::uint32_t count = columns_.variable_counts[at_.variable_count++];
  for (std::uint32_t i = 0; i < count; ++i, ++at_.variable) {
    const std::uint64_t bits = columns_.variable_values[at_.variable];
    SpelledValue value;
    switch (columns_.variable_types[at_.variable]) {
      case 0: value = bits != 0; break;
      case 1: value = static_cast<std::int64_t>(bits); break;
      case 2: value = std::bit_cast<double>(bits); break;
      default: value = columns_.names[bits]; break;
    }
    words.variables.emplace_back(columns_.names[columns_.variable_names[at_.variable]],
                                 RowWords::spelled(value));
  }
}

std::optional<RowWords> RecordedRows::next() {
  while (at_.row == columns_.event_flags.size()) {
    if (!next_block()) return std::nullopt;
  }
  const std::uint8_t flags = columns_.event_flags[at_.row++];
  RowWords words;
  words.kind = Arrivals::kind(flags);
  if (Arrivals::sends(flags)) words.sends = messages_[columns_.sent[at_.sent++]];
  if (words.kind == Kind::receive) {
    const bool batch = (flags & Arrivals::batch) != 0;
    const std::uint32_t count = batch ? columns_.take_counts[at_.batch++] : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
      words.takes.push_back(messages_[columns_.taken[at_.taken++]]);
    }
  }
  if ((flags & Arrivals::labelled) != 0) words.labels = members(columns_.labels[at_.labels++]);
  if ((flags & Arrivals::assigns) != 0) read_variables(words);
  if ((flags & Arrivals::says_more) != 0) {
    const std::uint8_t more = columns_.more[at_.more++];
    if ((more & Arrivals::to) != 0) words.to = members(columns_.to[at_.to++]);
    if ((more & Arrivals::text) != 0) words.text = columns_.names[columns_.texts[at_.text++]];
    if ((more & Arrivals::digest) != 0) words.digest = columns_.digests[at_.digest++];
  }
  return words;
}

}  // namespace lightcone
