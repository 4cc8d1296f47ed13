// For authors of transports: how messages reach a process, and what travels with them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

class Process;
struct OpenedMessage;

/// A message that has arrived: its tag and what else there is of it.
struct ArrivedMessage {
  std::string tag;
  std::string contents;
};

/// A message that a process has taken. `Process::receive` consumes it and makes the event. One that
/// is dropped was taken and is no event. It belongs to the process that took it, and can be moved
/// but not copied.
class TakenMessage {
 public:
  /// No message.
  TakenMessage() = default;
  TakenMessage(TakenMessage&& other) noexcept
      : taken_by_(std::exchange(other.taken_by_, nullptr)),
        tag_(std::move(other.tag_)),
        contents_(std::move(other.contents_)),
        opened_(std::move(other.opened_)) {}
  TakenMessage& operator=(TakenMessage&& other) noexcept {
    taken_by_ = std::exchange(other.taken_by_, nullptr);
    tag_ = std::move(other.tag_);
    contents_ = std::move(other.contents_);
    opened_ = std::move(other.opened_);
    return *this;
  }
  ~TakenMessage() = default;

  /// Returns whether there is a message. There is none after it was moved or received.
  [[nodiscard]] explicit operator bool() const { return taken_by_ != nullptr; }
  /// What `Intake::take` was given of the message besides its tag.
  [[nodiscard]] const std::string& contents() const { return contents_; }
  /// Returns the same, which the message then has no more.
  [[nodiscard]] std::string release_contents() { return std::move(contents_); }

 private:
  friend class Process;
  const void* taken_by_ = nullptr;
  std::string tag_;  // as long as it was not opened
  std::string contents_;
  std::shared_ptr<OpenedMessage> opened_;
};

/// Where a transport hands messages to a process. Which message a process takes is a choice: it is
/// recorded. In a replay or an exploration others make it. They prompt the process.
class Intake {
 public:
  explicit Intake(Process& process) : process_(process) {}

  /// How long to wait. Nothing: without a limit.
  using Patience = std::optional<std::chrono::milliseconds>;
  /// Returns the next message to arrive if it comes in time. Without a limit, it returns nothing
  /// only if none will come any more. If others prompt the process, there is always a limit.
  using Arrive = std::function<std::optional<ArrivedMessage>(Patience)>;
  /// Takes a message from a mailbox, by calling `arrive` as often as needed. If others prompt the
  /// process, messages that arrive before their turn are kept. Returns no message if none comes in
  /// time.
  [[nodiscard]] TakenMessage take(std::string_view mailbox, Patience patience,
                                  const Arrive& arrive);

  /// For transports whose messages are costly to make into bytes: returns whether others prompt the
  /// process. If so, the transport calls `take`. Otherwise it takes what comes and says so below.
  [[nodiscard]] bool is_prompted() const;
  /// The process takes the message with this tag. `contents` returns the bytes from which the
  /// transport can make the message again. Returns no message if it is a marker: then the transport
  /// takes the next one.
  [[nodiscard]] TakenMessage took(std::string tag, const std::function<std::string()>& contents);
  /// The process asked for a message and got none: it polled, ran out of time, or nothing is sent.
  void found_nothing();

 private:
  Process& process_;
};

/// While it exists, its process waits for a message without a limit of time. A transport that does
/// not call `Intake::take` makes one before it waits, and keeps it until `took` returns. So a
/// monitor can take a snapshot of a process that nobody sends to. Costs nothing if the process
/// reports to no monitor.
class MessageWait {
 public:
  explicit MessageWait(Process& process);
  MessageWait(const MessageWait&) = delete;
  MessageWait& operator=(const MessageWait&) = delete;
  ~MessageWait();

 private:
  Process& process_;
};

/// Returns whether bytes begin as a tag does, for transports that must tell tags from other data.
/// No UTF-8 text does.
[[nodiscard]] bool is_tag(std::string_view bytes);
/// A tag that receivers refuse and count, for a message that must have one and has none.
[[nodiscard]] std::string_view unusable_tag();

/// Several texts as one, for the contents of messages that have several frames.
[[nodiscard]] std::string packed(std::span<const std::string_view> texts);
/// Returns the texts, as far as the bytes are well-formed. They point into the bytes.
[[nodiscard]] std::vector<std::string_view> unpacked(std::string_view bytes);

// Tags in HTTP requests: the member `lightcone` of the W3C `baggage` header.

/// Returns the value of a `baggage` header with this tag as its member `lightcone`, in base64url
/// without padding. `baggage` is the value without it; its other members stay. A header may have
/// about 8 KiB.
[[nodiscard]] std::string baggage_with_tag(std::string_view tag, std::string_view baggage = {});

/// Returns the tag in the value of a `baggage` header; empty if there is none. Of several headers,
/// join the values with commas. A member that is no base64url is returned as it stands, so that
/// `Process::receive` refuses and counts it.
[[nodiscard]] std::string tag_in_baggage(std::string_view baggage);

/// A connection to a monitor. It carries lines both ways. One thread uses it.
class MonitorConnection {
 public:
  MonitorConnection() = default;
  MonitorConnection(const MonitorConnection&) = delete;
  MonitorConnection& operator=(const MonitorConnection&) = delete;
  virtual ~MonitorConnection() = default;

  /// False: nothing more can be sent or received.
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Why it is not open, for people; empty: the monitor is not there.
  [[nodiscard]] virtual std::string trouble() const { return {}; }
  /// Sends whole lines. If they cannot be sent before long, the connection is closed.
  virtual void send(std::string_view lines) = 0;
  /// Returns the lines that have come, without their ends. Waits so long for the first of them.
  [[nodiscard]] virtual std::vector<std::string> receive(std::chrono::milliseconds patience) = 0;
};

/// Makes a connection to the monitor at an address, with the token that it asks for. Called in
/// the thread that reports, again and again while there is no connection. It must return before
/// long, also if the monitor is not there.
using ConnectToMonitor = std::function<std::unique_ptr<MonitorConnection>(
    const std::string& address, const std::string& token)>;

}  // namespace lightcone
