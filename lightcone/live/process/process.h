// What a program links: one process of a distributed program, watched as it runs.
#pragma once

#include <lightcone/base/error.h>
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

/// One process. Safe to use from several threads; its events happen in the order of the calls.
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
  /// The event of sending a message; returns the tag to attach to it.
  [[nodiscard]] std::string send(
      std::span<const std::string_view> to, const LiveState& state = {},
      const std::source_location& where = std::source_location::current());
  [[nodiscard]] std::string send(
      std::string_view to, const LiveState& state = {},
      const std::source_location& where = std::source_location::current()) {
    return send(std::span(&to, 1), state, where);
  }
  /// For a transport that chooses the receiver, or has many: nothing is left out of the tag.
  [[nodiscard]] std::string send_to_anyone(
      const LiveState& state = {},
      const std::source_location& where = std::source_location::current()) {
    return send(std::span<const std::string_view>(), state, where);
  }
  /// The event of receiving a message with this tag. A tag that cannot be used is an error and is
  /// counted; the event then is an internal one, and the process goes on. An empty tag is that of a
  /// peer without Lightcone. Returns the sender's name, without the number of its incarnation;
  /// empty if there was no usable tag.
  std::string receive(std::string_view tag, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current()) {
    return receive(std::span(&tag, 1), state, where);
  }
  /// The event of receiving several messages at once; returns the first sender's name.
  std::string receive(std::span<const std::string_view> tags, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current());

  /// Answers that could have been different. Whoever asks here instead of asking the world gets
  /// the same answers again in a replay.
  /// The time in nanoseconds since the beginning of 1970, or of a simulation.
  [[nodiscard]] std::uint64_t time();
  [[nodiscard]] std::uint64_t random();
  /// One of so many alternatives, counted from 0; there is at least one.
  [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives);
  /// Whatever else comes from outside: a file, the user, another service. It is read only where
  /// the journal does not know it.
  [[nodiscard]] std::string read(const std::function<std::string()>& from_outside);

  /// For transports: which message the process takes is a choice too (live/network/taking.h does
  /// all of this for the networks there). Unless prompted, the transport takes what comes and says
  /// so.
  [[nodiscard]] bool is_prompted() const;
  /// The process took this message; `contents` are what the transport needs to make it again.
  /// Returns whether it is for the program. A marker is not: the transport then takes the next one.
  [[nodiscard]] bool took(std::string_view tag, const std::function<std::string()>& contents);
  /// The process asked for a message and got none: it polled, ran out of time, or nothing is sent.
  void found_nothing();
  /// The next message to arrive, which may be nothing after so long a time.
  using Arrive = std::function<std::optional<ArrivedMessage>(std::chrono::milliseconds)>;
  /// For a prompted process. Returns the message that it takes. Messages that arrive too early are
  /// kept.
  [[nodiscard]] std::optional<ArrivedMessage> take(std::string_view mailbox, bool polls,
                                                   const Arrive& arrive);

  /// Begins a snapshot of the whole program, here and now; returns its number. All that happens to
  /// the process until then is part of it. 0 if their numbers are used up, which is an error.
  std::uint64_t begin_snapshot();
  /// A message that is no message: tells the receiver, if its channel is FIFO, that all before it
  /// belongs to the last snapshot. It hastens a snapshot where messages are rare, and needs no
  /// contents; what receives in live/network/taking.h and in adapters keeps it from the program.
  [[nodiscard]] std::string marker(std::string_view to);
  /// For a process that asks for no messages: its state may be saved here.
  void safe_point();
  /// Returns whether the process goes on from a checkpoint, and has done already what it does
  /// first.
  [[nodiscard]] bool restored() const;

  /// Writes what the trace and the journal hold back.
  [[nodiscard]] Expected<void> flush();
  [[nodiscard]] ProcessCounts counts() const;
  /// Its name, and the same with the number of its incarnation, as tags and traces have it.
  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::string_view identity() const;
  /// The vector clock by process name, where it is kept.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> clock() const;

  class Core;

 private:
  explicit Process(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone
