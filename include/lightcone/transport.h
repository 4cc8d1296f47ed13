// For authors of transports: how messages reach a process, and what travels with them.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

class Process;

/// A message that has arrived: its tag and what else there is of it.
struct ArrivedMessage {
  std::string tag;
  std::string contents;
};

/// Where a transport hands messages to a process. Which message a process takes is a choice: it is
/// recorded, and in a replay or an exploration it is made by others, who prompt the process.
/// Unless it is prompted, the transport takes what comes and says so. The functions for networks
/// inside a program do all of this (lightcone/network.h).
class Intake {
 public:
  explicit Intake(Process& process) : process_(process) {}

  /// Returns whether others say which message the process takes: then the transport calls `take`.
  [[nodiscard]] bool is_prompted() const;
  /// The process took this message; `contents` are what the transport needs to make it again.
  /// Returns whether it is one for the program: a marker is not, and the transport takes the next
  /// one.
  [[nodiscard]] bool took(std::string_view tag, const std::function<std::string()>& contents);
  /// The process asked for a message and got none: it polled, ran out of time, or nothing is sent.
  void found_nothing();

  /// Returns the next message to arrive, which may be nothing after so long a time.
  using Arrive = std::function<std::optional<ArrivedMessage>(std::chrono::milliseconds)>;
  /// For a process that is prompted: returns the message that it takes from this mailbox. What
  /// arrives before its turn is kept. One that polls may find nothing.
  [[nodiscard]] std::optional<ArrivedMessage> take(std::string_view mailbox, bool polls,
                                                   const Arrive& arrive);

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

}  // namespace lightcone
