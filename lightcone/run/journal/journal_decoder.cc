// Turns columns of a block back into entries, and checks all of them.
#include <lightcone/run/journal/journal_block.h>
#include <lightcone/run/journal/journal_columns.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <variant>

namespace lightcone::journal {
namespace {

/// A column from which one number after the other is taken; there are as many as will be.
class Stream {
 public:
  Stream() = default;
  explicit Stream(std::vector<std::uint64_t> values) : values_(std::move(values)) {}
  [[nodiscard]] const std::vector<std::uint64_t>& values() const { return values_; }
  [[nodiscard]] std::uint64_t next() { return values_[at_++]; }

 private:
  std::vector<std::uint64_t> values_;
  std::size_t at_ = 0;
};

[[nodiscard]] std::string_view take(std::string_view& bytes, std::uint64_t count) {
  const std::string_view taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return taken;
}

/// Adds up lengths, unless one is too great.
[[nodiscard]] bool add_lengths(const Stream& lengths, std::uint64_t& sum) {
  for (const std::uint64_t length : lengths.values()) {
    if (length > longest_bytes) return false;
    sum += length;
  }
  return true;
}

template <std::size_t... Index>
[[nodiscard]] JournalEntry entry_of(std::uint64_t kind, std::index_sequence<Index...>) {
  JournalEntry entry;
  static_cast<void>(((kind == Index ? (entry.emplace<Index>(), true) : false) || ...));
  return entry;
}

constexpr std::size_t kind_count = std::variant_size_v<JournalEntry>;
/// Of versions 1 and 2.
constexpr std::size_t old_kind_count = 6;

[[nodiscard]] std::vector<std::uint64_t> get_kinds(WireReader& wire, std::size_t entries,
                                                   std::uint32_t version) {
  if (version < 3) return get_column(wire, entries, old_kind_count - 1);
  const std::uint64_t mask = wire.number();
  if (mask == 0 || mask >> kind_count != 0) wire.fail();
  const int count = std::popcount(mask);
  const auto numbers =
      get_column(wire, entries, static_cast<std::uint64_t>(std::max(count, 1)) - 1);
  return wire.failed() ? std::vector<std::uint64_t>(entries, 0)
                       : KindNumbers(mask).widened(numbers);
}

[[nodiscard]] bool is_narrow(std::uint64_t number) {
  const auto value = static_cast<std::int64_t>(number);
  return value >= INT32_MIN && value <= INT32_MAX;
}

}  // namespace

struct BlockDecoder::Streams : BlockColumns<Stream, std::string_view> {
  /// False when the columns do not fit each other, or the payload.
  [[nodiscard]] bool read(WireReader& wire, std::vector<std::string>& texts,
                          std::uint32_t version) {
    const std::uint64_t entries = wire.number();
    texts.clear();
    if (entries > most_entries) return false;
    if (entries == 0) return !wire.failed();
    kinds = Stream(get_kinds(wire, entries, version));
    std::array<std::size_t, kind_count> have{};
    for (const std::uint64_t kind : kinds.values()) ++have[kind];
    read_columns(wire, have);
    read_mpi_columns(wire, have);
    std::uint64_t of_contents = 0, of_bytes = 0, of_kept = 0;
    if (!add_lengths(contents_lengths, of_contents)) return false;
    if (!add_lengths(bytes_lengths, of_bytes) || !add_lengths(kept_lengths, of_kept)) return false;
    if (wire.failed() || of_contents + of_bytes + of_kept > most_bytes) return false;
    const auto piece = [&](const Stream& lengths, std::uint64_t size) {
      const bool is_there = version < 3 || !lengths.values().empty();
      texts.push_back(is_there ? get_piece(wire, size) : std::string());
    };
    piece(contents_lengths, of_contents);
    piece(bytes_lengths, of_bytes);
    if (version >= 3) piece(kept_lengths, of_kept);
    contents = texts[0];
    bytes = texts[1];
    if (version >= 3) kept = texts[2];
    return !wire.failed();
  }

 private:
  void read_columns(WireReader& wire, const std::array<std::size_t, kind_count>& have) {
    senders = Stream(get_column(wire, have[0]));
    receives = Stream(get_sparse(wire, have[0]));
    numbers = Stream(get_sparse(wire, have[0]));
    with_contents = Stream(get_column(wire, have[0], 1));
    const auto& flags = with_contents.values();
    const auto carry = std::count(flags.begin(), flags.end(), 1U);
    contents_lengths = Stream(get_column(wire, static_cast<std::size_t>(carry)));
    poll_receives = Stream(get_sparse(wire, have[1]));
    poll_counts = Stream(get_column(wire, have[1]));
    clocks = Stream(get_column(wire, have[2]));
    draws = Stream(get_column(wire, have[3]));
    bytes_lengths = Stream(get_column(wire, have[4]));
    branches_of = Stream(get_column(wire, have[5]));
    branches = Stream(get_column(wire, have[5]));
  }
  /// An older block has no entries of these kinds, and so nothing is read.
  void read_mpi_columns(WireReader& wire, const std::array<std::size_t, kind_count>& have) {
    channels = Stream(get_column(wire, have[6]));
    older = Stream(get_sparse(wire, have[6]));
    cancelled_older = Stream(get_column(wire, have[7]));
    named = Stream(get_column(wire, have[8]));
    found = Stream(get_column(wire, have[9], 1));
    const auto& flags = found.values();
    const auto empty = std::count(flags.begin(), flags.end(), 0U);
    polls = Stream(get_column(wire, static_cast<std::size_t>(empty)));
    choices_of = Stream(get_column(wire, have[10]));
    choices = Stream(get_column(wire, have[10]));
    counts_of = Stream(get_column(wire, have[11]));
    counts = Stream(get_column(wire, have[11]));
    clock_names = Stream(get_column(wire, have[13]));
    clock_values = Stream(get_column(wire, have[13]));
    kept_kinds = Stream(get_column(wire, have[14], KeptContents::kinds - 1));
    kept_details = Stream(get_column(wire, have[14]));
    kept_lengths = Stream(get_column(wire, have[14]));
  }
};

bool BlockDecoder::read(std::string_view payload, const JournalHeader& header) {
  kind_ = header.kind;
  with_contents_ = header.contents;
  entries_.clear();
  const std::uint64_t receives_before = memory_.receives;
  WireReader wire(payload);
  Streams streams;
  if (!read_senders(wire) || (header.version >= 3 && !read_channels(wire))) return false;
  if (!streams.read(wire, texts_, header.version)) return false;
  if (read_entries(streams) && read_facts(wire, receives_before) && wire.left() == 0) return true;
  entries_.clear();  // half a block that was forged is no better than a whole one
  left_out_ = {};
  return false;
}

bool BlockDecoder::read_entries(Streams& from) {
  for (std::size_t left = from.kinds.values().size(); left > 0; --left) {
    JournalEntry entry = entry_of(from.kinds.next(), std::make_index_sequence<kind_count>());
    if (!std::visit([&](auto& some) { return get(some, from); }, entry)) return false;
    entries_.push_back(entry);
  }
  return true;
}

/// After a block that leaves receives out, the memory is the same as if it had all of them: so a
/// block is as small as in a full journal, whatever the blocks before it left out.
bool BlockDecoder::read_facts(WireReader& wire, std::uint64_t receives_before) {
  left_out_.read(wire, entries_);
  const std::uint64_t events = wire.number();
  const auto digest = static_cast<std::uint32_t>(wire.fixed(4));
  if (wire.failed() || events > most_receives - memory_.events) return false;
  if (entries_.empty() && left_out_.empty() && events == 0) return false;
  if (!left_out_.empty()) {
    if (kind_ == JournalKind::full) return false;
    const std::uint64_t made = left_out_.receives(), receives = receives_before + made;
    if (made < left_out_.extents().size() || made > most_receives) return false;
    if (receives < memory_.receives || receives > most_receives) return false;
    memory_.receives = receives;
  }
  for (const Extent& extent : left_out_.extents()) {
    std::uint64_t& greatest = memory_.numbers[extent.sender];
    greatest = std::max(greatest, extent.number);
  }
  facts_ = {memory_.receives, memory_.events += events, digest};
  return true;
}

std::optional<std::uint32_t> BlockDecoder::find_sender(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

bool BlockDecoder::read_senders(WireReader& wire) {
  const std::uint64_t count = wire.number();
  if (count > most_senders - senders_.size()) return false;
  for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
    const auto index = static_cast<std::uint32_t>(senders_.size());
    senders_.emplace_back(wire.text(longest_name));
    by_name_.emplace(senders_.back(), index);
    memory_.numbers.push_back(0);
    left_out_.add_sender();
  }
  return !wire.failed();
}

bool BlockDecoder::read_channels(WireReader& wire) {
  const std::uint64_t count = wire.number();
  if (count > most_channels - channels_.size() || count > wire.left()) return false;
  for (std::uint64_t i = 0; i < count && !wire.failed(); ++i) {
    const std::uint64_t source = unzigzag(wire.number()), tag = unzigzag(wire.number());
    if (!is_narrow(source) || !is_narrow(tag)) return false;
    channels_.push_back({static_cast<std::int32_t>(source), static_cast<std::int32_t>(tag)});
  }
  return !wire.failed();
}

bool BlockDecoder::get(ReceivedMessage& message, Streams& from) {
  const std::uint64_t sender = from.senders.next();
  const std::uint64_t code = from.receives.next();
  const std::uint64_t gap = code <= 1 ? 1 - code : code;
  if (sender >= senders_.size() || gap > most_receives - memory_.receives) return false;
  if (kind_ == JournalKind::full && gap > 1) return false;
  std::uint64_t& greatest = memory_.numbers[sender];
  message.sender = static_cast<std::uint32_t>(sender);
  message.receive = memory_.receives += gap;
  message.number = greatest + 1 + unzigzag(from.numbers.next());
  greatest = std::max(greatest, message.number);
  if (from.with_contents.next() != 0) {
    if (!with_contents_) return false;
    message.contents = take(from.contents, from.contents_lengths.next());
  }
  return message.receive >= 1 && message.number >= 1;
}

bool BlockDecoder::get(EmptyPolls& polls, Streams& from) {
  const std::uint64_t gap = from.poll_receives.next();
  if (gap >= most_receives - memory_.receives) return false;
  if (kind_ == JournalKind::full && gap > 0) return false;
  memory_.receives += gap;
  polls.receive = memory_.receives + 1;
  const std::uint64_t more = from.poll_counts.next();
  polls.count = more + 1;
  return more < most_polls;
}

bool BlockDecoder::get(ClockReading& clock, Streams& from) {
  clock.value = memory_.clock += unzigzag(from.clocks.next());
  return true;
}

bool BlockDecoder::get(RandomDraw& draw, Streams& from) {
  draw.value = from.draws.next();
  return true;
}

bool BlockDecoder::get(BytesRead& read, Streams& from) {
  read.bytes = take(from.bytes, from.bytes_lengths.next());
  return true;
}

bool BlockDecoder::get(BranchTaken& branch, Streams& from) {
  const std::uint64_t others = from.branches_of.next();
  branch.which = from.branches.next();
  branch.of = others + 1;
  return branch.which <= others && branch.of != 0;
}

/// Of a receive that is an entry.
bool BlockDecoder::count_receive() {
  if (memory_.receives >= most_receives) return false;
  ++memory_.receives;
  return true;
}

bool BlockDecoder::get(WildcardMatch& match, Streams& from) {
  const std::uint64_t channel = from.channels.next();
  match.older = from.older.next();
  if (channel >= channels_.size() || match.older > most_polls) return false;
  match.source = channels_[channel].source;
  match.tag = channels_[channel].tag;
  return count_receive();
}

bool BlockDecoder::get(WildcardCancelled& cancelled, Streams& from) {
  cancelled.older = from.cancelled_older.next();
  return cancelled.older <= most_polls && count_receive();
}

bool BlockDecoder::get(NamedCancelled& cancelled, Streams& from) {
  cancelled.number = memory_.named += unzigzag(from.named.next());
  return cancelled.number >= 1;
}

bool BlockDecoder::get(PollResult& result, Streams& from) {
  result.found = from.found.next() != 0;
  if (result.found) return true;
  const std::uint64_t more = from.polls.next();
  result.count = more + 1;
  return more < most_polls;
}

bool BlockDecoder::get(RequestChoice& choice, Streams& from) {
  choice.of = from.choices_of.next();
  choice.which = from.choices.next();
  return choice.which <= choice.of;
}

bool BlockDecoder::get(RequestCount& count, Streams& from) {
  count.of = from.counts_of.next();
  count.count = from.counts.next();
  return count.count == 0 || count.count - 1 <= count.of;
}

bool BlockDecoder::get(ClockValue& value, Streams& from) {
  const std::uint64_t clock = unzigzag(from.clock_names.next());
  if (!is_narrow(clock)) return false;
  value.clock = static_cast<std::int32_t>(clock);
  value.value = memory_.clocks[value.clock] += unzigzag(from.clock_values.next());
  return true;
}

bool BlockDecoder::get(KeptContents& kept, Streams& from) {
  kept.what = static_cast<KeptContents::What>(from.kept_kinds.next());
  kept.detail = from.kept_details.next();
  kept.bytes = take(from.kept, from.kept_lengths.next());
  return true;
}

}  // namespace lightcone::journal
