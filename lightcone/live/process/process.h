// What a program links: one process of a distributed program, watched as it runs.
#pragma once

#include <lightcone/error.h>
#include <lightcone/live/process/live_state.h>
#include <lightcone/live/process/process_options.h>
#include <lightcone/run/answers/prompter.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// One process. It may be used from several threads. Its events happen in the order of the calls.
class Process {
 public:
  /// Starts with the process's initial state.
  [[nodiscard]] static Expected<std::unique_ptr<Process>> start(ProcessOptions options,
                                                                const LiveState& initial = {});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Ends the trace.
  ~Process();

  /// An internal event.
  void event(const LiveState& state = {},
             const std::source_location& where = std::source_location::current());
  /// The event of sending a message. Returns the tag to attach to it.
  [[nodiscard]] std::string send(
      std::span<const std::string_view> to, const LiveState& state = {},
      const std::source_location& where = std::source_location::current());
  [[nodiscard]] std::string send(
      std::string_view to, const LiveState& state = {},
      const std::source_location& where = std::source_location::current()) {
    return send(std::span(&to, 1), state, where);
  }
  /// For a transport that chooses the receiver, or has many. Nothing is left out of the tag.
  [[nodiscard]] std::string send_to_anyone(
      const LiveState& state = {},
      const std::source_location& where = std::source_location::current()) {
    return send(std::span<const std::string_view>(), state, where);
  }
  /// The event of receiving a message with this tag. A tag that cannot be used is reported and
  /// counted; the event is then an internal one, and the process continues. A message of a peer
  /// without Lightcone has an empty tag. Returns the name of the sender, without the number of its
  /// incarnation. The name is empty if there was no usable tag.
  std::string receive(std::string_view tag, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current()) {
    return receive(std::span(&tag, 1), state, where);
  }
  /// The event of receiving several messages at once. Returns the name of the first sender.
  std::string receive(std::span<const std::string_view> tags, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current());

  /// Answers that could have been different. A program that gets them here gets the same answers
  /// in a replay.
  /// Returns the time in nanoseconds since the beginning of 1970, or of a simulation.
  [[nodiscard]] std::uint64_t time();
  [[nodiscard]] std::uint64_t random();
  /// Returns one of this many alternatives, counted from 0. There must be at least one.
  [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives);
  /// Any other input from outside: a file, the user, another service. In a replay it comes from
  /// the journal, and the function is not called.
  [[nodiscard]] std::string read(const std::function<std::string()>& from_outside);

  /// For transports. Which message the process takes is a choice, too (live/network/taking.h does
  /// all of this for the networks there). A transport that is not prompted takes any message, and
  /// reports it.
  [[nodiscard]] bool is_prompted() const;
  /// The process took this message. `contents` is what the transport needs to make it again.
  /// Returns whether it is for the program. A marker is not: the transport then takes the next one.
  [[nodiscard]] bool took(std::string_view tag, const std::function<std::string()>& contents);
  /// The process asked for a message and got none: it polled, ran out of time, or nothing is sent.
  void found_nothing();
  /// Returns the next message that arrives, or nothing after this time.
  using Arrive = std::function<std::optional<ArrivedMessage>(std::chrono::milliseconds)>;
  /// For a prompted process. Returns the message that it takes. Messages that arrive too early are
  /// kept.
  [[nodiscard]] std::optional<ArrivedMessage> take(std::string_view mailbox, bool polls,
                                                   const Arrive& arrive);

  /// Begins a snapshot of the whole program now. Returns its number, or 0 if the numbers are used
  /// up, which is an error. All that has happened to the process so far is part of the snapshot.
  std::uint64_t begin_snapshot();
  /// Returns a marker, which is not a message. If the channel is FIFO, it tells the receiver that
  /// all messages before it belong to the last snapshot. It makes a snapshot faster if messages are
  /// rare, and has no contents. The functions in live/network/taking.h and in adapters that receive
  /// hide it from the program.
  [[nodiscard]] std::string marker(std::string_view to);
  /// For a process that asks for no messages. Its state may be saved here.
  void safe_point();
  /// Returns whether the process continues from a checkpoint, so that it must not repeat what a
  /// process does at its beginning.
  [[nodiscard]] bool restored() const;

  /// Writes everything that the trace and the journal have not written yet.
  [[nodiscard]] Expected<void> flush();
  [[nodiscard]] ProcessCounts counts() const;
  /// Its name; and its name with the number of its incarnation, as in tags and traces.
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::string_view identity() const;
  /// Returns the vector clock by process name, if it is kept.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> clock() const;

  class Core;

 private:
  explicit Process(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone
