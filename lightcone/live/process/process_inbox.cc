// Opens tags. Makes room for them if needed, without losing what opened messages refer to.
#include <lightcone/live/process/process_inbox.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
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
  open(opened);
  return opened;
}

/// Messages that the program has no more are used again, which spares allocations.
std::shared_ptr<OpenedMessage> ProcessInbox::open_again(std::string_view tag) {
  if (spare_.empty()) spare_.push_back(std::make_shared<OpenedMessage>());
  std::shared_ptr<OpenedMessage> opened = std::move(spare_.back());
  spare_.pop_back();
  opened->arrival.tag = tag;
  opened->digest = 0;
  opened->is_received = false;
  open(*opened);
  return opened;
}

/// Into the envelope that the message has, if it was used before.
void ProcessInbox::open(OpenedMessage& message) {
  if (message.arrival.tag.empty()) {
    ++of_.counts.without_tag;
    return message.envelope.reset();
  }
  if (!message.envelope) message.envelope.emplace();
  auto opened = open_with_room(message.arrival.tag, *message.envelope);
  if (opened) return;
  message.envelope.reset();
  ++of_.counts.bad_tags;
  opened.error().what = fmt::format("{}, event {}: the tag of a message {}", of_.options.name,
                                    of_.counts.events, opened.error().what);
  of_.tell(std::move(opened.error()));
}

/// Forgets what can be forgotten if there is no room otherwise.
Expected<void> ProcessInbox::open_with_room(std::string_view tag, Envelope& envelope) {
  if (of_.watcher.has_many_sets()) of_.watcher.forget_sets(waiting());
  auto opened = of_.watcher.open(tag, of_.bounds(), envelope);
  if (opened || !of_.watcher.lacks_room()) return opened;
  const std::size_t forgotten = of_.watcher.make_room(waiting());
  if (forgotten == 0) return opened;
  of_.counts.forgotten += forgotten;
  of_.warn(fmt::format("{} processes that were only mentioned by others are forgotten: there is no "
                       "room for more",
                       forgotten),
           "name members, or set ProcessOptions::most_peers");
  return of_.watcher.open(tag, of_.bounds(), envelope);
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
/// last time, so that this takes constant time per message.
void ProcessInbox::hold(const std::shared_ptr<OpenedMessage>& message) {
  message->arrival.contents.clear();
  if (held_.size() == most_held_) {
    const auto gone = std::stable_partition(held_.begin(), held_.end(), is_held);
    std::move(gone, held_.end(), std::back_inserter(spare_));
    held_.erase(gone, held_.end());
    most_held_ = std::max<std::size_t>(8, 2 * held_.size());
  }
  held_.push_back(message);
}

std::vector<std::string> ProcessInbox::held_tags() const {
  std::vector<std::string> tags;
  for (const auto& held : held_) {
    if (is_held(held) && !held->is_received) tags.push_back(held->arrival.tag);
  }
  return tags;
}

void ProcessInbox::receive(std::shared_ptr<OpenedMessage>&& message) {
  message->is_received = true;
  if (message->envelope && !message->envelope->marker) {
    receiving_.push_back(std::move(message));
  } else {
    use_again(std::move(message));
  }
}

/// Those that are held are used again when they are let go.
void ProcessInbox::use_again(std::shared_ptr<OpenedMessage>&& message) {
  if (!is_held(message)) spare_.push_back(std::move(message));
}

/// The last message that was taken is mostly the first to be received: it can be used again at
/// once.
void ProcessInbox::finish_receive() {
  if (receiving_.size() == 1 && !held_.empty() && held_.back() == receiving_.front()) {
    held_.pop_back();
  }
  for (auto& message : receiving_) use_again(std::move(message));
  receiving_.clear();
}

const ReceivedBatch& ProcessInbox::received_batch(bool with_names) {
  batch_.names.resize(with_names ? receiving_.size() : 0);
  batch_.envelopes.clear();
  batch_.digests.clear();
  batch_.sender = {};
  batch_.redelivered = 0;
  for (std::size_t i = 0; i < receiving_.size(); ++i) {
    const Envelope& envelope = *receiving_[i]->envelope;
    const std::string& sender = of_.watcher.peer_name(envelope.sender);
    if (i == 0) batch_.sender = incarnation_of(sender).name;
    if (with_names) put_message_name(batch_.names[i], sender, envelope.number);
    batch_.envelopes.push_back(&envelope);
    batch_.digests.push_back(receiving_[i]->digest);
    if (!received_[envelope.sender].add(envelope.number)) ++batch_.redelivered;
  }
  return batch_;
}

void put_message_name(std::string& name, const std::string& sender, std::uint64_t number) {
  std::array<char, 21> digits;
  digits[0] = ':';
  const char* const end =
      std::to_chars(digits.data() + 1, digits.data() + digits.size(), number + 1).ptr;
  name.assign(sender);
  name.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
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
  for (const auto& message : receiving_) {
    if (!is_held(message)) add(*message);  // those that are held were added
  }
  for (OpenedMessage& message : in_transit_) add(message);
  for (auto& [mailbox, early] : early_) {
    for (OpenedMessage& message : early) add(message);
  }
  return envelopes;
}

}  // namespace lightcone
