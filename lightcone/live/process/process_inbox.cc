// Opens tags. Makes room for them if needed, without losing what opened messages refer to.
#include <lightcone/live/process/process_inbox.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lightcone {
namespace {

/// Removes and returns the first message for which this is true.
template <class Holds>
[[nodiscard]] std::optional<OpenedMessage> extract(std::vector<OpenedMessage>& messages,
                                                   const Holds& holds) {
  const auto found = std::find_if(messages.begin(), messages.end(), holds);
  if (found == messages.end()) return std::nullopt;
  OpenedMessage message = std::move(*found);
  messages.erase(found);
  return message;
}

/// Returns whether the program still has this message. It may drop it at any time.
[[nodiscard]] bool is_held(const std::shared_ptr<OpenedMessage>& message) {
  return message.use_count() > 1;
}

}  // namespace

OpenedMessage ProcessInbox::open(ArrivedMessage&& arrival) {
  OpenedMessage opened{std::move(arrival), std::nullopt};
  if (opened.arrival.tag.empty()) {
    ++of_.counts.without_tag;
    return opened;
  }
  auto envelope = open_with_room(opened.arrival.tag);
  if (envelope) {
    opened.envelope = std::move(*envelope);
    return opened;
  }
  ++of_.counts.bad_tags;
  envelope.error().what = fmt::format("{}, event {}: the tag of a message {}", of_.options.name,
                                      of_.counts.events, envelope.error().what);
  of_.tell(std::move(envelope.error()));
  return opened;
}

/// Forgets what can be forgotten if there is no room otherwise.
Expected<Envelope> ProcessInbox::open_with_room(std::string_view tag) {
  if (of_.watcher.has_many_sets()) of_.watcher.forget_sets(waiting());
  auto envelope = of_.watcher.open(tag, of_.bounds());
  if (envelope || !of_.watcher.lacks_room()) return envelope;
  const std::size_t forgotten = of_.watcher.make_room(waiting());
  if (forgotten == 0) return envelope;
  of_.counts.forgotten += forgotten;
  of_.warn(fmt::format("{} processes that were only mentioned by others are forgotten: there is no "
                       "room for more",
                       forgotten),
           "name members, or set ProcessOptions::most_peers");
  return of_.watcher.open(tag, of_.bounds());
}

MessageIdentity ProcessInbox::identity_of(const OpenedMessage& message) const {
  if (!message.envelope) return {};
  const Envelope& envelope = *message.envelope;
  return {.sender = of_.watcher.peer_name(envelope.sender),
          .number = envelope.number + 1,
          .channel = envelope.in_channel ? *envelope.in_channel + 1 : 0,
          .receives_known = of_.watcher.receives_known(envelope)};
}

/// Looks for messages that the program has no more when there are twice as many as were left the
/// last time, so that this takes constant time per message. They are used again, which spares an
/// allocation.
std::shared_ptr<OpenedMessage> ProcessInbox::hold(OpenedMessage&& message) {
  message.arrival.contents.clear();
  if (held_.size() == most_held_) {
    const auto gone = std::stable_partition(held_.begin(), held_.end(), is_held);
    std::move(gone, held_.end(), std::back_inserter(spare_));
    held_.erase(gone, held_.end());
    most_held_ = std::max<std::size_t>(8, 2 * held_.size());
  }
  if (spare_.empty())
    return held_.emplace_back(std::make_shared<OpenedMessage>(std::move(message)));
  held_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  *held_.back() = std::move(message);
  return held_.back();
}

std::vector<std::string> ProcessInbox::held_tags() const {
  std::vector<std::string> tags;
  for (const auto& held : held_) {
    if (is_held(held)) tags.push_back(held->arrival.tag);
  }
  return tags;
}

void ProcessInbox::receive(OpenedMessage& message) {
  if (message.envelope && !message.envelope->marker) {
    receiving_.envelopes.push_back(std::move(*message.envelope));
    receiving_.digests.push_back(message.digest);
  }
}

void ProcessInbox::add_early(std::string_view mailbox, OpenedMessage&& message) {
  early_[std::string(mailbox)].push_back(std::move(message));
}

std::optional<OpenedMessage> ProcessInbox::next(
    std::string_view mailbox, const std::function<bool(const OpenedMessage&)>& admits) {
  if (auto sent_before = extract(in_transit_, admits)) return sent_before;
  const auto box = early_.find(mailbox);
  return box == early_.end() ? std::nullopt : extract(box->second, admits);
}

std::vector<Envelope*> ProcessInbox::waiting() {
  std::vector<Envelope*> envelopes;
  const auto add = [&](OpenedMessage& message) {
    if (message.envelope) envelopes.push_back(&*message.envelope);
  };
  for (const auto& held : held_) {
    if (is_held(held)) add(*held);
  }
  for (OpenedMessage& message : in_transit_) add(message);
  for (auto& [mailbox, early] : early_) {
    for (OpenedMessage& message : early) add(message);
  }
  for (Envelope& envelope : receiving_.envelopes) envelopes.push_back(&envelope);
  return envelopes;
}

}  // namespace lightcone
