// Turns columns of a block back into entries, and checks all of them.
#include <lightcone/run/journal/journal_block.h>
#include <lightcone/run/journal/journal_columns.h>

#include <algorithm>
#include <array>
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

}  // namespace

struct BlockDecoder::Streams : BlockColumns<Stream, std::string_view> {
  /// False when the columns do not fit each other, or the payload.
  [[nodiscard]] bool read(WireReader& wire, std::vector<std::string>& texts) {
    const std::uint64_t entries = wire.number();
    texts.clear();
    if (entries > most_entries) return false;
    if (entries == 0) return !wire.failed();
    kinds = Stream(get_column(wire, entries, kind_count - 1));
    std::array<std::size_t, kind_count> have{};
    for (const std::uint64_t kind : kinds.values()) ++have[kind];
    read_columns(wire, have);
    std::uint64_t of_contents = 0, of_bytes = 0;
    if (!add_lengths(contents_lengths, of_contents)) return false;
    if (!add_lengths(bytes_lengths, of_bytes)) return false;
    if (wire.failed() || of_contents + of_bytes > most_bytes) return false;
    texts.push_back(get_piece(wire, of_contents));
    texts.push_back(get_piece(wire, of_bytes));
    contents = texts[0];
    bytes = texts[1];
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
};

bool BlockDecoder::read(std::string_view payload, const JournalHeader& header) {
  kind_ = header.kind;
  with_contents_ = header.contents;
  entries_.clear();
  const std::uint64_t receives_before = memory_.receives;
  WireReader wire(payload);
  Streams streams;
  if (!read_senders(wire) || !streams.read(wire, texts_)) return false;
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

}  // namespace lightcone::journal
