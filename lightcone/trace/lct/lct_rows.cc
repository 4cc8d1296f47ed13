// Rows into columns, until a block is full.
#include <lightcone/trace/lct/lct_rows.h>

#include <lightcone/base/utf8.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lightcone::lct {

std::uint32_t Rows::name(std::string_view text) {
  if (const auto it = name_index_.find(text); it != name_index_.end()) return it->second;
  if (!is_utf8(text)) return name(as_utf8(text));
  const std::uint32_t index = keep_text(text);
  name_index_.emplace(columns_.names.back(), index);
  return index;
}

std::uint32_t Rows::new_name(std::string_view text) {
  return is_utf8(text) ? keep_text(text) : name(text);
}

std::uint32_t Rows::keep_text(std::string_view text) {
  const auto index = static_cast<std::uint32_t>(columns_.names.size());
  constexpr std::size_t many_bytes = 4096;
  if (texts_.empty() || texts_.back().capacity() - texts_.back().size() < text.size()) {
    texts_.emplace_back().reserve(std::max(many_bytes, text.size()));
  }
  std::string& texts = texts_.back();
  columns_.names.emplace_back(texts.data() + texts.size(), text.size());
  texts += text;
  text_bytes_ += text.size();
  return index;
}

std::uint32_t Rows::name_of_thing(std::string_view text) {
  if (const auto it = name_index_.find(text); it != name_index_.end()) return it->second;
  return name(is_utf8(text) ? text : std::string_view(as_utf8_name(text)));
}

std::uint32_t Rows::process(std::string_view name, std::uint32_t rank_before) {
  const auto next = static_cast<std::uint32_t>(columns_.processes.size());
  const auto [it, added] = process_index_.try_emplace(name_of_thing(name), next);
  if (added) {
    columns_.processes.push_back(it->first);
    columns_.ranks_before.push_back(rank_before);
  }
  return it->second;
}

std::uint32_t Rows::set(std::span<const std::uint32_t> members) {
  std::string key(members.size_bytes(), '\0');
  std::memcpy(key.data(), members.data(), members.size_bytes());
  const auto next = static_cast<std::uint32_t>(columns_.set_sizes.size());
  const auto [it, added] = set_index_.try_emplace(std::move(key), next);
  if (added) static_cast<void>(new_set(members));
  return it->second;
}

std::uint32_t Rows::new_set(std::span<const std::uint32_t> members) {
  columns_.set_sizes.push_back(static_cast<std::uint32_t>(members.size()));
  columns_.set_members.insert(columns_.set_members.end(), members.begin(), members.end());
  return static_cast<std::uint32_t>(columns_.set_sizes.size() - 1);
}

void Rows::mention(const MessageMention& message) {
  if (!message.first) return;
  columns_.new_messages.push_back(message.number);
  columns_.new_prefixes.push_back(message.prefix ? *message.prefix
                                                 : name_of_thing(message.name.prefix));
  columns_.new_numbers.push_back(message.name.number + 1);
}

void Rows::add(const RowContent& row) {
  if (!message_rows_.empty()) place_messages();
  auto flags = static_cast<std::uint8_t>(row.kind);
  columns_.event_process.push_back(row.process);
  if (row.duplicate) flags |= Arrivals::duplicate;
  if (row.sends) {
    if (row.kind != Kind::send) flags |= Arrivals::sends_too;
    mention(*row.sends);
    columns_.sent.push_back(row.sends->number);
  }
  if (row.kind == Kind::receive && row.takes.size() != 1) {
    flags |= Arrivals::batch;
    columns_.take_counts.push_back(static_cast<std::uint32_t>(row.takes.size()));
  }
  for (const MessageMention& message : row.takes) {
    mention(message);
    columns_.taken.push_back(message.number);
  }
  if (row.label_set || !row.labels.empty()) {
    flags |= Arrivals::labelled;
    columns_.labels.push_back(row.label_set ? *row.label_set : set(row.labels));
  }
  if (!row.variables.empty()) {
    flags |= Arrivals::assigns;
    columns_.variable_counts.push_back(static_cast<std::uint32_t>(row.variables.size()));
  }
  for (const RowContent::Variable& variable : row.variables) {
    columns_.variable_names.push_back(variable.name);
    columns_.variable_types.push_back(static_cast<char>(variable.value.index()));
    columns_.variable_values.push_back(std::visit(
        [](auto value) {
          if constexpr (std::is_same_v<decltype(value), double>) {
            return std::bit_cast<std::uint64_t>(value);
          } else {
            return static_cast<std::uint64_t>(value);
          }
        },
        variable.value));
  }
  std::uint8_t more = 0;
  if (row.to_set || !row.to.empty()) {
    more |= Arrivals::to;
    columns_.to.push_back(row.to_set ? *row.to_set : set(row.to));
  }
  if (row.time && std::isfinite(*row.time)) {
    more |= Arrivals::time;
    columns_.times.push_back(std::bit_cast<std::uint64_t>(*row.time));
  }
  const auto put = [&](std::optional<std::uint32_t> text, Arrivals::More bit, auto& column) {
    if (!text) return;
    more |= bit;
    column.push_back(*text);
  };
  put(row.text, Arrivals::text, columns_.texts);
  put(row.source, Arrivals::source, columns_.sources);
  put(row.extra, Arrivals::extra, columns_.extras);
  if (row.digest != 0) {
    more |= Arrivals::digest;
    columns_.digests.push_back(row.digest);
  }
  if (more != 0) {
    flags |= Arrivals::says_more;
    columns_.more.push_back(more);
  }
  columns_.event_flags.push_back(flags);
}

/// Column by column: so there is one loop for each of them, over rows that are in the cache.
void Rows::place_messages() {
  const std::vector<MessageRow>& rows = message_rows_;
  const auto put = [&](auto& column, auto value_of) {
    const std::size_t before = column.size();
    column.resize(before + rows.size());
    std::transform(rows.begin(), rows.end(), column.data() + before, value_of);
  };
  const auto put_some = [&](auto& column, auto is_there, auto value_of) {
    const std::size_t before = column.size();
    column.resize(before + rows.size());
    auto* const begin = column.data();
    auto* end = begin + before;
    for (const MessageRow& row : rows) {
      *end = value_of(row);
      end += is_there(row) ? 1 : 0;
    }
    column.resize(static_cast<std::size_t>(end - begin));
  };
  const auto put_known = [&](auto& column, std::uint32_t MessageRow::*value) {
    put_some(
        column, [&](const auto& row) { return row.*value != MessageRow::none; },
        [&](const auto& row) { return row.*value; });
  };
  Columns& c = columns_;
  const auto message = [](const auto& row) { return row.message; };
  put(c.event_process, [](const auto& row) { return row.process; });
  put(c.event_flags, [](const auto& row) {
    return static_cast<std::uint8_t>(static_cast<std::uint8_t>(row.kind) | Arrivals::labelled |
                                     Arrivals::says_more);
  });
  put_some(
      c.sent, [](const auto& row) { return row.kind == Kind::send; }, message);
  put_some(
      c.taken, [](const auto& row) { return row.kind != Kind::send; }, message);
  put(c.new_messages, message);
  put(c.new_prefixes, [](const auto& row) { return row.prefix; });
  put(c.new_numbers, [](const auto& row) { return row.number + 1; });
  put(c.labels, [](const auto& row) { return row.labels; });
  put(c.times, [](const auto& row) { return std::bit_cast<std::uint64_t>(row.time); });
  put_known(c.to, &MessageRow::to);
  put_known(c.texts, &MessageRow::text);
  put_known(c.sources, &MessageRow::source);
  put_some(
      c.digests, [](const auto& row) { return row.digest != 0; },
      [](const auto& row) { return row.digest; });
  put(c.more, [](const auto& row) {
    const auto bit = [](bool is_there, unsigned more) { return is_there ? more : 0U; };
    return static_cast<std::uint8_t>(bit(true, Arrivals::time) |
                                     bit(row.to != MessageRow::none, Arrivals::to) |
                                     bit(row.text != MessageRow::none, Arrivals::text) |
                                     bit(row.source != MessageRow::none, Arrivals::source) |
                                     bit(row.digest != 0, Arrivals::digest));
  });
  constexpr std::size_t many = 512;
  message_rows_.clear();
  message_rows_.reserve(many);
}

bool Rows::empty() const {
  return columns_.event_flags.empty() && message_rows_.empty() && columns_.processes.empty() &&
         header_extra_.empty();
}

std::string Rows::seal(std::uint32_t sequence) {
  place_messages();
  columns_.header_extra = as_utf8(header_extra_);
  std::string bytes = lct::seal(columns_, sequence);
  clear();
  return bytes;
}

/// The next block will need as much memory.
void Rows::clear() {
  Columns& c = columns_;
  const auto clear_each = [](auto&... columns) { (columns.clear(), ...); };
  clear_each(c.names, c.processes, c.ranks_before, c.header_extra, c.event_process, c.event_flags,
             c.sent, c.take_counts, c.taken, c.new_messages, c.new_prefixes, c.new_numbers,
             c.set_sizes, c.set_members, c.labels, c.to, c.variable_counts, c.variable_names,
             c.variable_types, c.variable_values, c.more, c.times, c.texts, c.sources, c.extras,
             c.digests);
  header_extra_.clear();
  texts_.clear();
  text_bytes_ = 0;
  name_index_.clear();
  process_index_.clear();
  set_index_.clear();
}

}  // namespace lightcone::lct
