// Ranges of channel numbers and their gaps, as columns and back.
#include <lightcone/choices/journal_left_out.h>

#include <lightcone/choices/journal_block.h>
#include <lightcone/choices/journal_columns.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <variant>

namespace lightcone::journal {
namespace {

using Values = std::vector<std::uint64_t>;

/// How many numbers of the range lie in no gap.
[[nodiscard]] std::uint64_t received_in(const Extent& extent) {
  std::uint64_t count = extent.range.last - extent.range.first + 1;
  for (const ChannelRange& gap : extent.gaps) count -= gap.last - gap.first + 1;
  return count;
}

[[nodiscard]] bool holds(const Extent& extent, std::uint64_t channel) {
  if (channel < extent.range.first || channel > extent.range.last) return false;
  const auto gap =
      std::partition_point(extent.gaps.begin(), extent.gaps.end(),
                           [&](const ChannelRange& some) { return some.last < channel; });
  return gap == extent.gaps.end() || channel < gap->first;
}

/// What is expected of numbers: that they grow as channel numbers do, as where a sender has no
/// other receiver.
[[nodiscard]] std::uint64_t expected_number(const ChannelMemory& memory, std::uint64_t last) {
  return memory.number + (last - memory.last);
}

/// Before a gap, and between two, lies a number that was received.
void put_gaps(WireWriter& wire, const std::vector<Extent>& extents) {
  Values counts, distances, lengths;
  for (const Extent& extent : extents) {
    counts.push_back(extent.gaps.size());
    std::uint64_t before = extent.range.first;
    for (const ChannelRange& gap : extent.gaps) {
      distances.push_back(gap.first - before - 1);
      lengths.push_back(gap.last - gap.first);
      before = gap.last + 1;
    }
  }
  put_column(wire, counts);
  put_column(wire, distances);
  put_column(wire, lengths);
}

}  // namespace

bool LeftOutEncoder::leave_out(const ReceivedMessage& message, std::uint64_t number_in_channel) {
  Channel& channel = channels_[message.sender];
  if (message.contents || number_in_channel > most_receives) return false;
  if (number_in_channel <= channel.greatest) return false;  // then it would race, or is not known
  Extent& extent = channel.extent;
  if (extent.range.first == 0) {
    extent = {message.sender, {number_in_channel, number_in_channel}, message.number};
    senders_.push_back(message.sender);
  }
  advance(channel, number_in_channel);
  extent.range.last = number_in_channel;
  extent.number = std::max(extent.number, message.number);
  return true;
}

/// What is passed over after the first that is left out may become a gap.
void LeftOutEncoder::advance(Channel& channel, std::uint64_t to) {
  const std::uint64_t next = channel.greatest + 1;
  const std::uint64_t first = channel.extent.range.first;
  if (first != 0 && first < to && next < to) channel.extent.gaps.push_back({next, to - 1});
  channel.greatest = to;
}

void LeftOutEncoder::enter(const ReceivedMessage& message, std::uint64_t number_in_channel,
                           std::size_t position) {
  Channel& channel = channels_[message.sender];
  if (number_in_channel > most_receives) return;
  if (number_in_channel > channel.greatest) return advance(channel, number_in_channel);
  const bool here = channel.extent.range.first != 0;
  if (here && holds(channel.extent, number_in_channel)) repeated_.push_back(position);
}

/// By sender, without the gaps after which nothing more is left out.
std::vector<Extent> LeftOutEncoder::extents() const {
  std::vector<Extent> all;
  for (const std::uint32_t sender : senders_) {
    all.push_back(channels_[sender].extent);
    auto& gaps = all.back().gaps;
    while (!gaps.empty() && gaps.back().first > all.back().range.last) gaps.pop_back();
  }
  std::sort(all.begin(), all.end(),
            [](const Extent& a, const Extent& b) { return a.sender < b.sender; });
  return all;
}

void LeftOutEncoder::put(WireWriter& wire, std::size_t messages, std::uint64_t receives) const {
  const std::vector<Extent> all = extents();
  wire.number(all.size());
  if (all.empty()) return;
  Values senders, skipped, lengths, numbers;
  std::uint64_t next_sender = 0, expected_receives = 0;
  for (const Extent& extent : all) {
    const ChannelMemory& memory = channels_[extent.sender].memory;
    senders.push_back(extent.sender - std::exchange(next_sender, extent.sender + 1));
    skipped.push_back(extent.range.first - 1 - memory.last);
    lengths.push_back(extent.range.last - extent.range.first);
    numbers.push_back(zigzag(extent.number - expected_number(memory, extent.range.last)));
    expected_receives += received_in(extent);
  }
  put_column(wire, senders);
  put_column(wire, skipped);
  put_column(wire, lengths);
  put_column(wire, numbers);
  put_gaps(wire, all);
  wire.number(zigzag(receives - expected_receives));
  if (messages == 0) return;
  Values distances = repeated_;
  std::adjacent_difference(repeated_.begin(), repeated_.end(), distances.begin());
  wire.number(distances.size());
  put_column(wire, distances);
}

void LeftOutEncoder::next_block(bool written) {
  for (const std::uint32_t sender : senders_) {
    Channel& channel = channels_[sender];
    const Extent extent = std::exchange(channel.extent, {});
    if (written) channel.memory = {extent.range.last, extent.number};
  }
  senders_.clear();
  repeated_.clear();
}

void LeftOut::read(WireReader& wire, const std::vector<JournalEntry>& entries) {
  extents_.clear();
  entered_.clear();
  receives_ = 0;
  const std::uint64_t count = wire.number();
  if (count > channels_.size() || count > most_entries) wire.fail();
  if (count == 0 || wire.failed()) return;
  read_extents(wire, count);
  read_gaps(wire);
  for (const Extent& extent : extents_) receives_ += received_in(extent);
  receives_ += unzigzag(wire.number());
  read_entered(wire, entries);
  if (wire.failed()) extents_.clear();
}

void LeftOut::read_extents(WireReader& wire, std::size_t count) {
  const Values senders = get_column(wire, count, most_senders);
  const Values skipped = get_column(wire, count, most_receives);
  const Values lengths = get_column(wire, count, most_receives);
  const Values numbers = get_column(wire, count);
  std::uint64_t next_sender = 0;
  for (std::size_t i = 0; i < count && !wire.failed(); ++i) {
    const std::uint64_t sender = next_sender + senders[i];
    if (sender >= channels_.size()) return wire.fail();
    next_sender = sender + 1;
    ChannelMemory& memory = channels_[sender];
    const std::uint64_t first = memory.last + 1 + skipped[i], last = first + lengths[i];
    if (last > most_receives) return wire.fail();
    memory = {last, expected_number(memory, last) + unzigzag(numbers[i])};
    extents_.push_back({static_cast<std::uint32_t>(sender), {first, last}, memory.number});
  }
}

void LeftOut::read_gaps(WireReader& wire) {
  if (wire.failed()) return;
  const Values counts = get_column(wire, extents_.size(), most_entries);
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (all > most_entries) return wire.fail();  // each lies before a receive of this block
  const Values distances = get_column(wire, all, most_receives);
  const Values lengths = get_column(wire, all, most_receives);
  std::size_t at = 0;
  for (std::size_t i = 0; i < extents_.size() && !wire.failed(); ++i) {
    Extent& extent = extents_[i];
    std::uint64_t before = extent.range.first;
    for (const std::size_t end = at + counts[i]; at < end; ++at) {
      const std::uint64_t first = before + 1 + distances[at], last = first + lengths[at];
      if (last >= extent.range.last) return wire.fail();
      extent.gaps.push_back({first, last});
      before = last + 1;
    }
  }
}

/// Which messages are entered, and had not been left out before.
void LeftOut::read_entered(WireReader& wire, const std::vector<JournalEntry>& entries) {
  for (const JournalEntry& entry : entries) {
    const auto* message = std::get_if<ReceivedMessage>(&entry);
    if (message != nullptr) entered_.emplace_back(message->sender, message->number);
  }
  if (entered_.empty()) return;
  const std::uint64_t count = wire.number();
  if (count > entered_.size()) return wire.fail();
  const Values distances = get_column(wire, count, entered_.size());
  std::vector<bool> repeated(entered_.size());
  std::uint64_t position = 0;
  for (std::size_t i = 0; i < count; ++i) {
    position += distances[i];
    if (position >= repeated.size() || repeated[position]) return wire.fail();
    repeated[position] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entered_.size(); ++i) {
    if (!repeated[i]) entered_[kept++] = entered_[i];
  }
  entered_.resize(kept);
  std::sort(entered_.begin(), entered_.end());
}

bool LeftOut::implies(std::uint32_t sender, std::uint64_t channel, std::uint64_t number) const {
  const auto extent = std::partition_point(
      extents_.begin(), extents_.end(), [&](const Extent& some) { return some.sender < sender; });
  return extent != extents_.end() && extent->sender == sender && holds(*extent, channel) &&
         !std::binary_search(entered_.begin(), entered_.end(), std::pair(sender, number));
}

}  // namespace lightcone::journal
