// Messages that a process has opened and not received yet.
#pragma once

#include <lightcone/riders/tags/envelope.h>
#include <lightcone/transport.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// A message, and what its tag says if that can be used.
struct OpenedMessage {
  ArrivedMessage arrival;
  std::optional<Envelope> envelope;
  std::uint64_t digest = 0;  ///< of its contents; 0: not known
};

/// Those that the program has taken, and those whose turn has not come: they came too early for a
/// process that is prompted, or were in transit at the checkpoint that it began from.
class OpenedMessages {
 public:
  /// The program takes the message, and will tell that it receives it. Programs that never do must
  /// not make this grow: of a great many, the oldest is forgotten.
  void add_taken(OpenedMessage&& message);
  /// Returns the message with this tag that was taken, which is received now.
  [[nodiscard]] std::optional<OpenedMessage> receive(std::string_view tag);
  /// Those that were taken, in their order.
  [[nodiscard]] const std::vector<OpenedMessage>& taken() const { return taken_; }

  void add_early(std::string_view mailbox, OpenedMessage&& message);
  void add_in_transit(OpenedMessage&& message) { in_transit_.push_back(std::move(message)); }
  /// Returns the first one whose turn it is, as `admits` says.
  [[nodiscard]] std::optional<OpenedMessage> next(
      std::string_view mailbox, const std::function<bool(const OpenedMessage&)>& admits);

  /// The envelopes of all of them.
  [[nodiscard]] std::vector<Envelope*> envelopes();

 private:
  std::vector<OpenedMessage> taken_, in_transit_;
  std::map<std::string, std::vector<OpenedMessage>, std::less<>> early_;  // by mailbox
};

}  // namespace lightcone
