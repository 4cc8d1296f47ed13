// Reading lct: all whole blocks, decoded in parallel, then joined into one computation.
#include <fmt/format.h>
#include <lightcone/base/memory/fresh_memory.h>
#include <lightcone/base/parallel.h>
#include <lightcone/causal/builder.h>
#include <lightcone/trace/lct/lct.h>
#include <lightcone/trace/lct/lct_block.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <atomic>
#include <bit>

namespace lightcone {
namespace {

struct Block {
  lct::BlockPlace place;
  lct::Columns columns = {};
  bool sound = false;
  bool counts_up = true;          // its new messages have consecutive numbers
  std::uint64_t new_end = 0;      // above the numbers of its new messages
  std::uint64_t numbers_end = 0;  // above all numbers of messages

  /// Looks at the numbers of messages.
  void survey_numbers() {
    const std::vector<std::uint32_t>& fresh = columns.new_messages;
    for (std::size_t i = 1; i < fresh.size(); ++i) counts_up &= fresh[i] == fresh[i - 1] + 1;
    new_end = end_of(fresh);
    numbers_end = std::max({new_end, end_of(columns.sent), end_of(columns.taken)});
  }

 private:
  [[nodiscard]] static std::uint64_t end_of(const std::vector<std::uint32_t>& numbers) {
    std::uint32_t largest = 0;
    for (const std::uint32_t number : numbers) largest = std::max(largest, number);
    return numbers.empty() ? 0 : std::uint64_t{largest} + 1;
  }
};

/// All whole blocks of the file, not yet decoded, and how many bytes lie in none of them.
struct Blocks {
  std::vector<Block> blocks;
  std::size_t lost_bytes = 0;
  bool lost_inside = false;    // bytes or blocks are missing before the end
  bool lost_at_start = false;  // the first block is
};

[[nodiscard]] Blocks find_blocks(std::string_view file) {
  Blocks found;
  std::size_t at = lct::file_header_size;
  std::uint64_t next = 0;  // in the sequence of blocks
  while (at < file.size()) {
    const lct::BlockPlace place = lct::find_block(file, at);
    if (place.end == 0) break;
    const bool lost = place.offset != at || place.sequence > next;
    found.lost_inside = found.lost_inside || lost;
    found.lost_at_start = found.lost_at_start || (lost && found.blocks.empty());
    found.lost_bytes += place.offset - at;
    found.blocks.push_back({place});
    at = place.end;
    next = std::uint64_t{place.sequence} + 1;
  }
  found.lost_bytes += file.size() - std::min(at, file.size());
  return found;
}

/// Decodes all blocks, on all cores. An error where together they would take too much memory.
[[nodiscard]] Expected<void> decode(std::string_view file, const std::string& name,
                                    std::vector<Block>& blocks) {
  const std::size_t most = lct::most_decoded_bytes(file.size());
  std::atomic<std::size_t> taken = 0, next = 0;
  for_each_part(std::min(blocks.size(), core_count()), [&](std::size_t) {
    std::string raw;  // is used again: fresh memory is dear
    for (std::size_t i = next++; i < blocks.size() && taken <= most; i = next++) {
      blocks[i].sound = lct::unseal(file, blocks[i].place, raw, blocks[i].columns);
      blocks[i].survey_numbers();
      taken += blocks[i].columns.decoded_bytes;
    }
  });
  if (taken <= most) return {};
  return failure(fmt::format("{} bytes claim to hold more than {} MB", file.size(), most >> 20),
                 name, 0, "Lightcone never writes such a file: it would fill the memory");
}

[[nodiscard]] std::string count_of(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Says what was repaired in all blocks.
void note_repairs(const std::vector<Block>& blocks, std::vector<std::string>& notes) {
  lct::Repairs all;
  for (const Block& block : blocks) {
    all.texts += block.columns.repairs.texts;
    all.times += block.columns.repairs.times;
    all.members += block.columns.repairs.members;
  }
  if (all.texts > 0) {
    notes.push_back(count_of(all.texts, "text") +
                    " not in UTF-8: invalid bytes are replaced by U+FFFD");
  }
  if (all.times > 0) {
    notes.push_back(count_of(all.times, "time") + " left out: not a finite number");
  }
  if (all.members > 0) {
    notes.push_back(count_of(all.members, "unknown member") + " left out: not JSON");
  }
}

/// From the message numbers of a file to messages of the builder.
class MessageNumbers {
 public:
  MessageNumbers(const std::vector<Block>& blocks, const std::string& file, FileScope scope,
                 Builder& builder)
      : lost_prefix_(scope == FileScope::alone ? "lost message "
                                               : "lost message of " + file + " ") {
    std::size_t mentioned = 0;
    std::uint64_t new_end = 0, numbers_end = 0;
    for (const Block& block : blocks) {
      mentioned += block.columns.new_messages.size();
      new_end = std::max(new_end, block.new_end);
      numbers_end = std::max(numbers_end, block.numbers_end);
    }
    const bool distinct = scope == FileScope::alone && names_are_distinct(blocks);
    // In a file that is whole, numbers are 0, 1, 2, ... in the order of mention.
    as_they_are_ =
        distinct && builder.message_count() == 0 && count_up(blocks) && numbers_end <= mentioned;
    // A forged file must not make us allocate by its numbers.
    if (!as_they_are_ && new_end <= 2 * mentioned + 1024) dense_.assign(new_end, none);
    if (distinct) {
      builder.reserve_messages(mentioned);
      for (const Block& block : blocks) add_fresh(block.columns, builder);
      return;
    }
    for (const Block& block : blocks) {
      const lct::Columns& c = block.columns;
      for (std::size_t i = 0; i < c.new_messages.size(); ++i) {
        const SplitName name{c.names[c.new_prefixes[i]], c.new_numbers[i] - 1};
        set(c.new_messages[i], builder.message(std::string_view(join_name(name))));
      }
    }
  }

  /// Returns whether every number stands for itself, so that `get` changes nothing.
  [[nodiscard]] bool are_known() const { return as_they_are_; }

  /// The message of this number; one whose first mention is lost gets a name of its own.
  [[nodiscard]] MessageIndex get(std::uint32_t number, Builder& builder) {
    if (as_they_are_) return number;
    if (number < dense_.size() && dense_[number] != none) return dense_[number];
    if (const auto it = sparse_.find(number); it != sparse_.end()) return it->second;
    const MessageIndex m = builder.message(SplitName{lost_prefix_, number});
    sparse_.emplace(number, m);
    return m;
  }

 private:
  [[nodiscard]] static bool count_up(const std::vector<Block>& blocks) {
    std::size_t next = 0;
    for (const Block& block : blocks) {
      const std::vector<std::uint32_t>& fresh = block.columns.new_messages;
      if (!fresh.empty() && (!block.counts_up || fresh.front() != next)) return false;
      next += fresh.size();
    }
    return true;
  }

  void set(std::uint32_t number, MessageIndex m) {
    if (number < dense_.size()) {
      if (dense_[number] == none) dense_[number] = m;
    } else {
      sparse_.emplace(number, m);
    }
  }

  /// Adds the messages that a block mentions first, none of which has a name of another.
  void add_fresh(const lct::Columns& c, Builder& builder) {
    std::vector<NameIndex> prefixes(c.names.size(), NameIndex::none);
    for (std::size_t i = 0; i < c.new_messages.size(); ++i) {
      NameIndex& prefix = prefixes[c.new_prefixes[i]];
      if (prefix == NameIndex::none) prefix = builder.name(c.names[c.new_prefixes[i]]);
      const MessageIndex m = builder.fresh_message(prefix, c.new_numbers[i] - 1);
      if (!as_they_are_) set(c.new_messages[i], m);
    }
  }

  /// Returns whether no two messages share a name, as seen without a hash table: the numbers of
  /// each prefix climb, and no prefix could take a digit from its number.
  [[nodiscard]] static bool names_are_distinct(const std::vector<Block>& blocks) {
    constexpr std::uint64_t most = 1'000'000'000'000'000'000;
    constexpr std::size_t most_prefixes = 4096;
    tsl::robin_map<std::string_view, std::size_t> known;
    std::vector<std::uint64_t> highest;  // of each known prefix
    std::vector<std::size_t> of_name;    // of a block: which known prefix, plus one
    for (const Block& block : blocks) {
      const lct::Columns& c = block.columns;
      of_name.assign(c.names.size(), 0);
      for (std::size_t i = 0; i < c.new_messages.size(); ++i) {
        std::size_t& prefix = of_name[c.new_prefixes[i]];
        if (prefix == 0) {
          const std::string_view text = c.names[c.new_prefixes[i]];
          if (!text.empty() && text.back() >= '0' && text.back() <= '9') return false;
          prefix = known.try_emplace(text, known.size()).first->second + 1;
          highest.resize(known.size(), 0);
          if (known.size() > most_prefixes) return false;
        }
        std::uint64_t& last = highest[prefix - 1];
        if (c.new_numbers[i] <= last || c.new_numbers[i] > most) return false;
        last = c.new_numbers[i];
      }
    }
    return true;
  }

  std::string lost_prefix_;   // two files may lose different messages of one number
  bool as_they_are_ = false;  // a message's number is its index, for every message
  std::vector<MessageIndex> dense_;
  tsl::robin_map<std::uint32_t, MessageIndex> sparse_;
};

/// Turns the rows of a block into arrivals. The columns are already those of Arrivals; their local
/// indices become the builder's.
class BlockReader {
 public:
  BlockReader(lct::Columns& columns, Builder& builder, MessageNumbers& messages)
      : c_(columns), builder_(builder), messages_(messages) {
    for (const std::string_view name : c_.names) names_.push_back(builder.name(name));
    for (const std::uint32_t process : c_.processes) {
      processes_.push_back(builder.process(c_.names[process]));
    }
    std::vector<NameIndex> members;
    std::size_t at = 0;
    for (const std::uint32_t size : c_.set_sizes) {
      members.clear();
      for (std::uint32_t i = 0; i < size; ++i) members.push_back(names_[c_.set_members[at++]]);
      sets_.push_back(builder.name_set(members));
    }
  }

  /// The rows, with the builder's indices; the block is empty afterwards.
  [[nodiscard]] Arrivals arrivals() {
    Arrivals to;
    to.process = renamed(c_.event_process, processes_);
    to.flags = std::move(c_.event_flags);
    to.sent = messages(c_.sent);
    to.take_counts = std::move(c_.take_counts);
    to.taken = messages(c_.taken);
    to.label_sets = renamed(c_.labels, sets_);
    to.assignment_counts = std::move(c_.variable_counts);
    to.assignments = assignments();
    to.more = std::move(c_.more);
    to.receivers = renamed(c_.to, sets_);
    for (const std::uint64_t bits : c_.times) to.times.push_back(std::bit_cast<double>(bits));
    to.texts = named(c_.texts);
    to.sources = named(c_.sources);
    to.extras = named(c_.extras);
    to.digests = std::move(c_.digests);
    return to;
  }

 private:
  [[nodiscard]] static std::vector<std::uint32_t> renamed(std::vector<std::uint32_t>& column,
                                                          std::vector<std::uint32_t>& names) {
    for (std::uint32_t& entry : column) entry = names[entry];
    return std::move(column);
  }

  [[nodiscard]] std::vector<NameIndex> named(const std::vector<std::uint32_t>& column) const {
    std::vector<NameIndex> names;
    names.reserve(column.size());
    for (const std::uint32_t name : column) names.push_back(names_[name]);
    return names;
  }

  [[nodiscard]] std::vector<MessageIndex> messages(std::vector<std::uint32_t>& column) {
    for (std::uint32_t& number : column) number = messages_.get(number, builder_);
    return std::move(column);
  }

  [[nodiscard]] std::vector<Assignment> assignments() const {
    std::vector<Assignment> result;
    make_room(result, c_.variable_names.size());
    for (std::size_t i = 0; i < c_.variable_names.size(); ++i) {
      result.push_back(
          {names_[c_.variable_names[i]], value(c_.variable_types[i], c_.variable_values[i])});
    }
    return result;
  }

  [[nodiscard]] Value value(char type, std::uint64_t bits) const {
    switch (type) {
      case 0: return bits != 0;
      case 1: return static_cast<std::int64_t>(bits);
      case 2: return std::bit_cast<double>(bits);
      default: return names_[bits];
    }
  }

  lct::Columns& c_;
  Builder& builder_;
  MessageNumbers& messages_;
  std::vector<NameIndex> names_;
  std::vector<ProcessIndex> processes_;
  std::vector<NameSetIndex> sets_;
};

/// Notes the events that a process had before a block and that are in no block that was read.
class LossWatch {
 public:
  void before(const lct::Columns& c, Builder& builder) {
    for (std::size_t i = 0; i < c.processes.size(); ++i) {
      const std::string_view name = c.names[c.processes[i]];
      Seen& seen = seen_[name];
      if (c.ranks_before[i] <= seen.told) continue;
      notes.push_back(
          fmt::format("{} events of {} are lost, from its event {} on; the ranks "
                      "of later ones are too small by that many",
                      c.ranks_before[i] - seen.told, name, seen.told + 1));
      gaps.push_back({builder.process(name), seen.read + 1});
      seen.told = c.ranks_before[i];
    }
    for (std::size_t row = 0; row < c.event_flags.size(); ++row) {
      if ((c.event_flags[row] & 3) == static_cast<int>(Kind::initial)) continue;
      Seen& seen = seen_[c.names[c.processes[c.event_process[row]]]];
      ++seen.told;
      ++seen.read;
    }
  }

  std::vector<std::string> notes;
  std::vector<EventPlace> gaps;  // the first events after what is lost

 private:
  struct Seen {
    std::uint64_t told = 0;  // events that are known to have happened
    Rank read = 0;
  };
  tsl::robin_map<std::string_view, Seen> seen_;
};

/// Says what is lost of a file.
void note_losses(const Blocks& found, LossWatch& losses, ReaderResult& fed) {
  fed.damaged = found.lost_inside;
  fed.lost_start = found.lost_at_start;
  fed.cut_off = found.lost_bytes > 0 && !found.lost_inside;
  if (found.lost_bytes > 0) {
    fed.notes.push_back(fmt::format("the file is {}: {} bytes are lost",
                                    fed.cut_off ? "torn at its end" : "damaged", found.lost_bytes));
  } else if (found.lost_inside) {
    fed.notes.emplace_back("the file is damaged: blocks are missing");
  }
  std::ranges::move(losses.notes, std::back_inserter(fed.notes));
  fed.gaps = std::move(losses.gaps);
}

[[nodiscard]] Expected<void> check_header(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with(lct::file_magic)) {
    return failure("is not an lct file", name, 0, "name its format with --from FORMAT");
  }
  const std::string_view header = bytes.substr(0, lct::file_header_size);
  if (header != lct::file_header()) {
    return failure("is an lct file of a version that this Lightcone does not read", name, 0,
                   "convert it with the Lightcone that wrote it, or use a newer one");
  }
  return {};
}

}  // namespace

Expected<ReaderResult> feed_lct(std::string_view bytes, const std::string& name, FileScope scope,
                                Builder& builder) {
  if (lct::file_header().starts_with(bytes) && bytes.size() < lct::file_header_size) {
    return ReaderResult{.notes = {"the file is torn before its first event"},
                        .cut_off = true,
                        .lost_processes = true};
  }
  if (auto ok = check_header(bytes, name); !ok) return failure(std::move(ok.error()));
  Blocks found = find_blocks(bytes);
  if (auto ok = decode(bytes, name, found.blocks); !ok) return failure(std::move(ok.error()));
  for (const Block& block : found.blocks) {
    if (!block.sound) return failure("holds a block that is not well-formed", name);
  }
  ReaderResult fed;
  note_repairs(found.blocks, fed.notes);
  MessageNumbers messages(found.blocks, name, scope, builder);
  LossWatch losses;
  std::vector<BlockReader> readers;
  for (Block& block : found.blocks) {
    if (found.lost_inside) losses.before(block.columns, builder);
    if (!block.columns.header_extra.empty()) fed.header_extra = block.columns.header_extra;
    readers.emplace_back(block.columns, builder, messages);
  }
  std::vector<Arrivals> chunks(readers.size());
  const auto convert = [&](std::size_t i) { chunks[i] = readers[i].arrivals(); };
  if (messages.are_known()) {
    for_each_part(chunks.size(), convert);
  } else {
    for (std::size_t i = 0; i < chunks.size(); ++i) convert(i);
  }
  for (Arrivals& chunk : chunks) builder.add(std::move(chunk));
  note_losses(found, losses, fed);
  fed.lost_processes = found.blocks.empty();
  return fed;
}

Expected<Reading> read_lct(std::string_view bytes, const std::string& name,
                           const ReadOptions& options) {
  Builder builder(name);
  auto fed = feed_lct(bytes, name, FileScope::alone, builder);
  if (!fed) return failure(std::move(fed.error()));
  if (options.progress) options.progress("reading", bytes.size(), bytes.size());
  return finish_reading(builder, std::move(*fed), options);
}

}  // namespace lightcone
