// Ranges of channel numbers and their gaps, as columns and back.
#include <lightcone/run/journal/journal_left_out.h>

#include <lightcone/run/journal/journal_block.h>
#include <lightcone/run/journal/journal_columns.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <variant>

namespace lightcone::journal {
namespace {

using Values = std::vector<std::uint64_t>;

/// What is not as expected, and is said for that reason.
constexpr std::uint64_t has_gaps = 1, has_numbers = 2, flag_count = 4;

/// Returns how many numbers of the range lie in no gap.
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

/// Returns how many numbers each one passes over that is received, but for the first of each range.
[[nodiscard]] Values jumps_of(const std::vector<Extent>& extents) {
  Values jumps;
  for (const Extent& extent : extents) {
    std::uint64_t at = extent.range.first;
    for (const ChannelRange& gap : extent.gaps) {
      jumps.insert(jumps.end(), gap.first - at - 1, 0);
      jumps.push_back(gap.last - gap.first + 1);
      at = gap.last + 1;
    }
    jumps.insert(jumps.end(), extent.range.last - at, 0);
  }
  return jumps;
}

[[nodiscard]] bool is_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; });
}

/// From the first number and the jumps to the next ones; false when these go too far.
[[nodiscard]] bool set_range(Extent& extent, std::uint64_t first,
                             std::span<const std::uint64_t> jumps) {
  std::uint64_t at = first;
  for (const std::uint64_t jump : jumps) {
    if (at > most_receives || jump > most_receives) return false;
    if (jump != 0) extent.gaps.push_back({at + 1, at + jump});
    at += jump + 1;
  }
  extent.range = {first, at};
  return at <= most_receives;
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
  if (all.empty()) return wire.number(0);
  Values senders, more, skipped, numbers;
  std::uint64_t next_sender = 0, expected_receives = 0;
  for (const Extent& extent : all) {
    const ChannelMemory& memory = channels_[extent.sender].memory;
    senders.push_back(extent.sender - std::exchange(next_sender, extent.sender + 1));
    more.push_back(received_in(extent) - 1);
    skipped.push_back(extent.range.first - 1 - memory.last);
    numbers.push_back(zigzag(extent.number - expected_number(memory, extent.range.last)));
    expected_receives += received_in(extent);
  }
  const Values jumps = jumps_of(all);
  const bool gaps = !is_zero(skipped) || !is_zero(jumps), other_numbers = !is_zero(numbers);
  wire.number(all.size() * flag_count + (gaps ? has_gaps : 0) + (other_numbers ? has_numbers : 0));
  put_column(wire, senders);
  put_column(wire, more);
  if (gaps) put_column(wire, skipped);
  if (gaps) put_sparse(wire, jumps);
  if (other_numbers) put_column(wire, numbers);
  wire.number(zigzag(receives - expected_receives));
  if (messages > 0) put_repeated(wire);
}

void LeftOutEncoder::put_repeated(WireWriter& wire) const {
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
  const std::uint64_t count_and_flags = wire.number();
  const std::uint64_t count = count_and_flags / flag_count, flags = count_and_flags % flag_count;
  if (count > channels_.size() || count > most_entries || (count == 0 && flags != 0)) wire.fail();
  if (count == 0 || wire.failed()) return;
  read_extents(wire, count, flags);
  receives_ += unzigzag(wire.number());
  read_entered(wire, entries);
  if (wire.failed()) extents_.clear();
}

void LeftOut::read_extents(WireReader& wire, std::size_t count, std::uint64_t flags) {
  const Values senders = get_column(wire, count, most_senders);
  const Values more = get_column(wire, count, most_entries);
  receives_ = std::accumulate(more.begin(), more.end(), std::uint64_t{count});
  if (receives_ > most_entries) return wire.fail();  // a block of all receives would be too large
  const bool gaps = (flags & has_gaps) != 0, other_numbers = (flags & has_numbers) != 0;
  const Values skipped = gaps ? get_column(wire, count, most_receives) : Values(count);
  const Values jumps = gaps ? get_sparse(wire, receives_ - count) : Values(receives_ - count);
  const Values numbers = other_numbers ? get_column(wire, count) : Values(count);
  std::span<const std::uint64_t> left = jumps;
  std::uint64_t next_sender = 0;
  for (std::size_t i = 0; i < count && !wire.failed(); ++i) {
    const std::uint64_t sender = next_sender + senders[i];
    if (sender >= channels_.size()) return wire.fail();
    next_sender = sender + 1;
    ChannelMemory& memory = channels_[sender];
    Extent extent{static_cast<std::uint32_t>(sender), {}, 0};
    if (!set_range(extent, memory.last + 1 + skipped[i], left.first(more[i]))) return wire.fail();
    left = left.subspan(more[i]);
    extent.number = expected_number(memory, extent.range.last) + unzigzag(numbers[i]);
    memory = {extent.range.last, extent.number};
    extents_.push_back(std::move(extent));
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
