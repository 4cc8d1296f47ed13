// Snapshots are complete when the counts of messages say so, channel by channel.
#include <lightcone/snapshot.h>

#include <fmt/format.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::uint64_t most_messages = std::uint64_t{1} << 62;  // so that no sum overflows
constexpr std::uint64_t entry_bytes = 128;                       // of a map, about

[[nodiscard]] std::uint64_t count(const MessageCounts& counts, std::string_view peer) {
  const auto found = counts.find(peer);
  return found == counts.end() ? 0 : found->second;
}

[[nodiscard]] bool in_bounds(const MessageCounts& counts) {
  return std::ranges::all_of(
      counts, [](const auto& entry) { return entry.second > 0 && entry.second < most_messages; });
}

/// What must have been sent at least; all of it, when the snapshot is complete.
[[nodiscard]] std::uint64_t accounted_for(const GlobalSnapshot::Channel& channel) {
  return channel.received + channel.in_transit.size();
}

}  // namespace

GlobalSnapshot::GlobalSnapshot(std::uint64_t number, std::span<const std::string> processes)
    : number_(number) {
  for (const std::string& process : processes) mention(process);
}

/// The place for the state of a process, which belongs to the snapshot from now on.
std::shared_ptr<const LocalPart>& GlobalSnapshot::mention(const std::string& process) {
  const auto [place, is_new] = states_.try_emplace(process, nullptr);
  if (is_new) {
    ++missing_states_;
    bytes_ += process.size() + entry_bytes;
  }
  return place->second;
}

template <class Change>
void GlobalSnapshot::change(const std::string& sender, const std::string& receiver,
                            const Change& how) {
  mention(sender);
  mention(receiver);
  const auto [place, is_new] = channels_.try_emplace({sender, receiver});
  if (is_new) bytes_ += sender.size() + receiver.size() + entry_bytes;
  Channel& channel = place->second;
  const auto is_open = [&] { return channel.sent != accounted_for(channel) ? 1 : 0; };
  open_channels_ -= is_open();
  how(channel);
  open_channels_ += is_open();
}

tl::unexpected<Error> GlobalSnapshot::contradiction(std::string_view process,
                                                    std::string_view why) const {
  return failure(
      fmt::format("snapshot {}: the part of {} contradicts others: {}", number_, process, why));
}

/// In each channel whose sender's state is known, no more was received and is in transit than was
/// sent. That is checked whenever one of the three grows or becomes known, so that at the end, when
/// all states are known, every channel is as it should be or lacks messages.
Expected<void> GlobalSnapshot::check(const LocalPart& part) const {
  if (!in_bounds(part.sent) || !in_bounds(part.received)) {
    return contradiction(part.process, "no process has counted so many messages");
  }
  const std::uint64_t to_itself = count(part.received, part.process);
  if (count(part.sent, part.process) < to_itself) {
    return contradiction(part.process, "it received more from itself than it sent");
  }
  for (auto at = channels_.lower_bound({part.process, ""});
       at != channels_.end() && at->first.first == part.process; ++at) {
    const std::string& receiver = at->first.second;
    const std::uint64_t known = receiver == part.process ? to_itself : 0;
    if (count(part.sent, receiver) < accounted_for(at->second) + known) {
      return contradiction(part.process, fmt::format("{} knows of more messages", receiver));
    }
  }
  for (const auto& [sender, received] : part.received) {
    const auto known = states_.find(sender);
    if (sender == part.process || known == states_.end() || !known->second) continue;
    if (count(known->second->sent, part.process) <
        received + in_transit(sender, part.process).size()) {
      return contradiction(part.process, fmt::format("{} sent it fewer messages", sender));
    }
  }
  return {};
}

Expected<void> GlobalSnapshot::add(const std::shared_ptr<const LocalPart>& part) {
  const auto known = states_.find(part->process);
  if (known != states_.end() && known->second) {
    const LocalPart& before = *known->second;
    if (before.state == part->state && before.sent == part->sent &&
        before.received == part->received) {
      return {};
    }
    return contradiction(part->process, "it has given another state before");
  }
  if (auto checked = check(*part); !checked) return checked;
  mention(part->process) = part;
  --missing_states_;
  bytes_ += part->bytes();
  for (const auto& [receiver, sent] : part->sent) {
    change(part->process, receiver, [&](Channel& channel) { channel.sent = sent; });
  }
  for (const auto& [sender, received] : part->received) {
    change(sender, part->process, [&](Channel& channel) { channel.received = received; });
  }
  return {};
}

Expected<void> GlobalSnapshot::add(const std::shared_ptr<const InTransitPart>& part) {
  const Messages& messages = in_transit(part->sender, part->receiver);
  if (const auto known = messages.find(part->number); known != messages.end()) {
    if (known->second->contents == part->contents) return {};
    return contradiction(part->receiver, "a message has had other contents before");
  }
  const auto sender = states_.find(part->sender);
  if (sender != states_.end() && sender->second) {
    const auto channel = channels_.find({part->sender, part->receiver});
    if (channel == channels_.end() || channel->second.sent <= accounted_for(channel->second)) {
      return contradiction(part->receiver, fmt::format("{} sent it fewer messages", part->sender));
    }
  }
  change(part->sender, part->receiver,
         [&](Channel& channel) { channel.in_transit.emplace(part->number, part); });
  bytes_ += part->bytes() + entry_bytes;
  return {};
}

const GlobalSnapshot::Messages& GlobalSnapshot::in_transit(std::string_view sender,
                                                           std::string_view receiver) const {
  static const Messages none;
  const auto found = channels_.find({std::string(sender), std::string(receiver)});
  return found == channels_.end() ? none : found->second.in_transit;
}

bool GlobalSnapshot::is_empty(std::string_view sender, std::string_view receiver) const {
  const auto found = channels_.find({std::string(sender), std::string(receiver)});
  return found == channels_.end() || found->second.is_empty();
}

}  // namespace lightcone
