// Finds messages by their tags, or by who waits for them.
#include <lightcone/live/process/opened_messages.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t most_taken = 1024;

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

}  // namespace

void OpenedMessages::add_taken(OpenedMessage&& message) {
  message.arrival.contents.clear();
  if (taken_.size() == most_taken) taken_.erase(taken_.begin());
  taken_.push_back(std::move(message));
}

std::optional<OpenedMessage> OpenedMessages::receive(std::string_view tag) {
  return extract(taken_, [&](const OpenedMessage& message) { return message.arrival.tag == tag; });
}

void OpenedMessages::add_early(std::string_view mailbox, OpenedMessage&& message) {
  early_[std::string(mailbox)].push_back(std::move(message));
}

std::optional<OpenedMessage> OpenedMessages::next(
    std::string_view mailbox, const std::function<bool(const OpenedMessage&)>& admits) {
  if (auto sent_before = extract(in_transit_, admits)) return sent_before;
  const auto box = early_.find(mailbox);
  return box == early_.end() ? std::nullopt : extract(box->second, admits);
}

std::vector<Envelope*> OpenedMessages::envelopes() {
  std::vector<Envelope*> envelopes;
  const auto add = [&](std::vector<OpenedMessage>& messages) {
    for (OpenedMessage& message : messages) {
      if (message.envelope) envelopes.push_back(&*message.envelope);
    }
  };
  add(taken_);
  add(in_transit_);
  for (auto& [mailbox, early] : early_) add(early);
  return envelopes;
}

}  // namespace lightcone
