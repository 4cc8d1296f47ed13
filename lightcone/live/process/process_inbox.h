// Messages on their way into a live process: their tags are opened here, and those that are opened
// and not received yet are known here.
#pragma once

#include <lightcone/error.h>
#include <lightcone/live/watch/received_numbers.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/process.h>
#include <lightcone/riders/tags/envelope.h>
#include <lightcone/run/answers/prompter.h>
#include <lightcone/transport.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// The numbers of messages that came, by sender. Senders are peers with names, whose numbers stay.
class NumbersBySender {
 public:
  [[nodiscard]] ReceivedNumbers& operator[](std::uint32_t sender) {
    if (sender >= numbers_.size()) numbers_.resize(sender + 1);
    return numbers_[sender];
  }
  /// Returns null where nothing came.
  [[nodiscard]] const ReceivedNumbers* find(std::uint32_t sender) const {
    return sender < numbers_.size() && numbers_[sender].end() != 0 ? &numbers_[sender] : nullptr;
  }

 private:
  std::vector<ReceivedNumbers> numbers_;
};

/// A message, and what its tag says if that can be used.
struct OpenedMessage {
  ArrivedMessage arrival;
  std::optional<Envelope> envelope;
  std::uint64_t digest = 0;  ///< of its contents; 0: not known
  bool is_received = false;  ///< by the event that is made now
};

/// The messages that one event receives: those whose tags could be used.
struct ReceivedBatch {
  std::vector<std::string> names = {};
  std::vector<const Envelope*> envelopes = {};
  std::vector<std::uint64_t> digests = {};  ///< of their contents
  std::string_view sender = {};             ///< of the first, without its incarnation
  std::uint64_t redelivered = 0;            ///< how many were received before
};

/// Puts the name of a message into memory that was used before. Numbers count from 0.
void put_message_name(std::string& name, const std::string& sender, std::uint64_t number);

/// An opened message is with the program, which has taken it, or it waits for its turn: it came too
/// early for a process that is prompted, or was in transit at the checkpoint that it began from.
/// The process is locked in all calls.
class ProcessInbox {
 public:
  /// Whose messages they are, and who is told.
  struct Subject {
    const ProcessOptions& options;
    Watcher& watcher;
    ProcessCounts& counts;
    std::function<Watcher::Bounds()> bounds;                            ///< of what tags may say
    std::function<void(Error)> tell;                                    ///< of a bad tag
    std::function<void(std::string_view what, std::string hint)> warn;  ///< what is forgotten
  };
  explicit ProcessInbox(Subject subject) : of_(std::move(subject)) {}
  ProcessInbox(const ProcessInbox&) = delete;
  ProcessInbox& operator=(const ProcessInbox&) = delete;

  /// Opens the tag of a message. Counts tags that are missing, and those that cannot be used.
  [[nodiscard]] OpenedMessage open(ArrivedMessage&& arrival);
  /// The same in memory that was used before.
  [[nodiscard]] std::shared_ptr<OpenedMessage> open_again(std::string&& tag);
  /// Returns who sent the message, and which of the sender's messages it is.
  [[nodiscard]] MessageIdentity identity_of(const OpenedMessage& message) const;

  /// The program takes the message. It is known here until it is received or dropped.
  void hold(const std::shared_ptr<OpenedMessage>& message);
  /// The tags of the messages that the program holds, in the order in which it took them.
  [[nodiscard]] std::vector<std::string> held_tags() const;

  /// A message of the event that is made now, which was held before.
  void receive(std::shared_ptr<OpenedMessage>&& message);
  /// Returns all messages of the event, and counts them as received. They hold until it is made.
  [[nodiscard]] const ReceivedBatch& received_batch();
  void finish_receive();

  void add_early(std::string_view mailbox, OpenedMessage&& message);
  void add_in_transit(OpenedMessage&& message) { in_transit_.push_back(std::move(message)); }
  /// Returns the first one whose turn it is, as `admits` says.
  [[nodiscard]] std::optional<OpenedMessage> next(
      std::string_view mailbox, const std::function<bool(const OpenedMessage&)>& admits);

  /// Numbers of messages that were received, and of those that were at least taken.
  [[nodiscard]] NumbersBySender& received() { return received_; }
  [[nodiscard]] NumbersBySender& taken() { return taken_; }

 private:
  /// The envelopes that must stay usable.
  [[nodiscard]] std::vector<Envelope*> waiting();
  void open(OpenedMessage& message);
  [[nodiscard]] Expected<void> open_with_room(std::string_view tag, Envelope& envelope);

  Subject of_;
  NumbersBySender received_, taken_;
  std::vector<std::shared_ptr<OpenedMessage>> receiving_;  // at this event, so far
  ReceivedBatch batch_;                                    // the last one, for its memory
  std::vector<std::shared_ptr<OpenedMessage>> held_;       // and some that the program has no more
  std::vector<std::shared_ptr<OpenedMessage>> spare_;      // to be used again
  std::size_t most_held_ = 8;  // then those that the program has no more are looked for
  std::vector<OpenedMessage> in_transit_;
  std::map<std::string, std::vector<OpenedMessage>, std::less<>> early_;  // by mailbox
};

}  // namespace lightcone
