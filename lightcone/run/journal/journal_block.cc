// Entries to columns, and columns to the payload of a block.
#include <lightcone/run/journal/journal_block.h>

#include <lightcone/error.h>
#include <lightcone/run/journal/journal_columns.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace lightcone::journal {
namespace {

/// Returns how many receives lie between two that stand one after the other: 1 nearly always, 0
/// inside of a batch; these two change places, so that what is expected is 0.
[[nodiscard]] std::uint64_t gap_code(std::uint64_t gap) { return gap <= 1 ? 1 - gap : gap; }

}  // namespace

std::uint32_t BlockEncoder::add_sender(std::string_view name) {
  new_senders_.emplace_back(name);
  memory_.numbers.push_back(0);
  return static_cast<std::uint32_t>(memory_.numbers.size() - 1);
}

void BlockEncoder::add(const JournalEntry& entry) {
  const auto* polls = std::get_if<EmptyPolls>(&entry);
  if (polls != nullptr && goes_on(*polls)) {
    columns_.poll_counts.back() += polls->count;
    return;
  }
  const auto* result = std::get_if<PollResult>(&entry);
  if (result != nullptr && goes_on(*result)) {
    columns_.polls.back() += result->count;
    return;
  }
  std::visit([&](const auto& some) { put(some); }, entry);
  columns_.kinds.push_back(entry.index());
}

/// Returns whether these polls come right after others of this block.
bool BlockEncoder::goes_on(const EmptyPolls& polls) const {
  constexpr std::size_t polls_index = JournalEntry(EmptyPolls{}).index();
  return !columns_.kinds.empty() && columns_.kinds.back() == polls_index &&
         polls.receive == memory_.receives + 1 && polls.count <= most_polls &&
         columns_.poll_counts.back() + polls.count < most_polls;
}

/// The same for polls of an MPI process.
bool BlockEncoder::goes_on(const PollResult& result) const {
  constexpr std::size_t result_index = JournalEntry(PollResult{}).index();
  return !result.found && !columns_.kinds.empty() && columns_.kinds.back() == result_index &&
         columns_.found.back() == 0 && result.count <= most_polls &&
         columns_.polls.back() + result.count < most_polls;
}

void BlockEncoder::put(const ReceivedMessage& message) {
  LIGHTCONE_ASSERT(message.sender < memory_.numbers.size() && message.number >= 1);
  LIGHTCONE_ASSERT(message.receive >= std::max<std::uint64_t>(memory_.receives, 1));
  const std::uint64_t gap = message.receive - memory_.receives;
  LIGHTCONE_ASSERT(gap <= 1 || (kind_ == JournalKind::races && message.receive <= most_receives));
  std::uint64_t& greatest = memory_.numbers[message.sender];
  messages_.push_back({gap_code(gap), zigzag(message.number - (greatest + 1)), message.sender,
                       message.contents.has_value()});
  memory_.receives = message.receive;
  greatest = std::max(greatest, message.number);
  if (!message.contents) return;
  LIGHTCONE_ASSERT(with_contents_);
  columns_.contents_lengths.push_back(message.contents->size());
  columns_.contents += *message.contents;
}

void BlockEncoder::put(const EmptyPolls& polls) {
  LIGHTCONE_ASSERT(polls.count >= 1 && polls.count <= most_polls);
  LIGHTCONE_ASSERT(polls.receive > memory_.receives && polls.receive <= most_receives);
  const std::uint64_t gap = polls.receive - 1 - memory_.receives;
  LIGHTCONE_ASSERT(gap == 0 || kind_ == JournalKind::races);
  columns_.poll_receives.push_back(gap);
  columns_.poll_counts.push_back(polls.count - 1);
  ++repeated_;
  memory_.receives = polls.receive - 1;
}

void BlockEncoder::put(const ClockReading& clock) {
  columns_.clocks.push_back(zigzag(clock.value - std::exchange(memory_.clock, clock.value)));
  if (columns_.clocks.back() == 0) ++repeated_;
}

void BlockEncoder::put(const RandomDraw& draw) { columns_.draws.push_back(draw.value); }

void BlockEncoder::put(const BytesRead& read) {
  columns_.bytes_lengths.push_back(read.bytes.size());
  columns_.bytes += read.bytes;
}

void BlockEncoder::put(const BranchTaken& branch) {
  LIGHTCONE_ASSERT(branch.which < branch.of);
  columns_.branches_of.push_back(branch.of - 1);
  columns_.branches.push_back(branch.which);
}

std::uint64_t BlockEncoder::channel_of(std::int32_t source, std::int32_t tag) {
  const std::uint64_t key =
      std::uint64_t{static_cast<std::uint32_t>(source)} << 32 | static_cast<std::uint32_t>(tag);
  if (key == last_channel_ && !channels_.empty()) return last_channel_index_;
  const auto [place, is_new] = channels_.try_emplace(key, channels_.size());
  if (is_new) new_channels_.push_back({source, tag});
  last_channel_ = key;
  return last_channel_index_ = place->second;
}

void BlockEncoder::put(const WildcardMatch& match) {
  columns_.channels.push_back(channel_of(match.source, match.tag));
  columns_.older.push_back(match.older);
  ++memory_.receives;
}

void BlockEncoder::put(const WildcardCancelled& cancelled) {
  columns_.cancelled_older.push_back(cancelled.older);
  ++memory_.receives;
}

void BlockEncoder::put(const NamedCancelled& cancelled) {
  columns_.named.push_back(
      zigzag(cancelled.number - std::exchange(memory_.named, cancelled.number)));
}

void BlockEncoder::put(const PollResult& result) {
  LIGHTCONE_ASSERT(result.count >= 1 && result.count <= most_polls);
  LIGHTCONE_ASSERT(!result.found || result.count == 1);
  columns_.found.push_back(result.found ? 1 : 0);
  if (result.found) return;
  columns_.polls.push_back(result.count - 1);
  ++repeated_;
}

void BlockEncoder::put(const RequestChoice& choice) {
  LIGHTCONE_ASSERT(choice.which <= choice.of);
  columns_.choices_of.push_back(choice.of);
  columns_.choices.push_back(choice.which);
}

void BlockEncoder::put(const RequestCount& count) {
  LIGHTCONE_ASSERT(count.count <= count.of + 1);
  columns_.counts_of.push_back(count.of);
  columns_.counts.push_back(count.count);
}

void BlockEncoder::put(const ClockValue& value) {
  std::uint64_t& last = memory_.clocks[value.clock];
  columns_.clock_names.push_back(zigzag(static_cast<std::uint64_t>(std::int64_t{value.clock})));
  columns_.clock_values.push_back(zigzag(value.value - std::exchange(last, value.value)));
  if (columns_.clock_values.back() == 0) ++repeated_;
}

void BlockEncoder::put(const KeptContents& kept) {
  columns_.kept_kinds.push_back(static_cast<std::uint64_t>(kept.what));
  columns_.kept_details.push_back(kept.detail);
  columns_.kept_lengths.push_back(kept.bytes.size());
  columns_.kept += kept.bytes;
}

std::string BlockEncoder::take(const JournalFacts& facts, const LeftOutEncoder* left_out) {
  WireWriter wire;
  wire.number(new_senders_.size());
  for (const std::string& name : new_senders_) wire.text(name);
  new_senders_.clear();
  wire.number(new_channels_.size());
  for (const MessageChannel& channel : new_channels_) {
    wire.number(zigzag(static_cast<std::uint64_t>(std::int64_t{channel.source})));
    wire.number(zigzag(static_cast<std::uint64_t>(std::int64_t{channel.tag})));
  }
  new_channels_.clear();
  wire.number(entries());
  fill_message_columns();
  if (entries() != 0) put_columns(wire, columns_);
  if (left_out != nullptr) {
    left_out->put(wire, messages(), facts.receives - receives_before_);
  } else {
    wire.number(0);
  }
  receives_before_ = facts.receives;
  wire.number(facts.events - std::exchange(memory_.events, facts.events));
  wire.fixed(facts.digest, 4);
  clear();
  return std::move(wire.bytes());
}

void BlockEncoder::fill_message_columns() {
  for (auto* column :
       {&columns_.senders, &columns_.receives, &columns_.numbers, &columns_.with_contents}) {
    column->reserve(messages_.size());
  }
  for (const MessageRow& message : messages_) {
    columns_.senders.push_back(message.sender);
    columns_.receives.push_back(message.receive);
    columns_.numbers.push_back(message.number);
    columns_.with_contents.push_back(message.with_contents);
  }
}

/// The next block will need as much memory, but for contents.
void BlockEncoder::clear() {
  Columns& c = columns_;
  for (auto* column : {&c.kinds,           &c.senders,       &c.receives,
                       &c.numbers,         &c.with_contents, &c.contents_lengths,
                       &c.poll_receives,   &c.poll_counts,   &c.clocks,
                       &c.draws,           &c.bytes_lengths, &c.branches_of,
                       &c.branches,        &c.channels,      &c.older,
                       &c.cancelled_older, &c.named,         &c.found,
                       &c.polls,           &c.choices_of,    &c.choices,
                       &c.counts_of,       &c.counts,        &c.clock_names,
                       &c.clock_values,    &c.kept_kinds,    &c.kept_details,
                       &c.kept_lengths}) {
    column->clear();
  }
  messages_.clear();
  c.contents = {};
  c.bytes = {};
  c.kept = {};
  repeated_ = 0;
}

/// Kinds count only if the block has them: a block of two kinds takes a bit per entry.
void BlockEncoder::put_columns(WireWriter& wire, const Columns& columns) {
  const KindNumbers numbers(columns.kinds);
  wire.number(numbers.mask());
  put_column(wire, numbers.narrowed(columns.kinds));
  put_column(wire, columns.senders);
  put_sparse(wire, columns.receives);
  put_sparse(wire, columns.numbers);
  put_column(wire, columns.with_contents);
  put_column(wire, columns.contents_lengths);
  put_sparse(wire, columns.poll_receives);
  put_column(wire, columns.poll_counts);
  put_column(wire, columns.clocks);
  put_column(wire, columns.draws);
  put_column(wire, columns.bytes_lengths);
  put_column(wire, columns.branches_of);
  put_column(wire, columns.branches);
  put_mpi_columns(wire, columns);
  if (!columns.contents_lengths.empty()) put_piece(wire, columns.contents);
  if (!columns.bytes_lengths.empty()) put_piece(wire, columns.bytes);
  if (!columns.kept_lengths.empty()) put_piece(wire, columns.kept);
}

void BlockEncoder::put_mpi_columns(WireWriter& wire, const Columns& columns) {
  put_column(wire, columns.channels);
  put_sparse(wire, columns.older);
  put_column(wire, columns.cancelled_older);
  put_column(wire, columns.named);
  put_column(wire, columns.found);
  put_column(wire, columns.polls);
  put_column(wire, columns.choices_of);
  put_column(wire, columns.choices);
  put_column(wire, columns.counts_of);
  put_column(wire, columns.counts);
  put_column(wire, columns.clock_names);
  put_column(wire, columns.clock_values);
  put_column(wire, columns.kept_kinds);
  put_column(wire, columns.kept_details);
  put_column(wire, columns.kept_lengths);
}

void BlockEncoder::follow(const BlockEncoder& other) { memory_ = other.memory_; }

}  // namespace lightcone::journal
