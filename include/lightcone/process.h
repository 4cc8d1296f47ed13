// What a program links: one process of a distributed program, watched as it runs.
#pragma once

#include <lightcone/error.h>
#include <lightcone/property.h>
#include <lightcone/recording.h>
#include <lightcone/transport.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lightcone {

struct Awaited;  // in lightcone/snapshot.h

/// The value of a variable of the program.
using LiveValue = std::variant<bool, std::int64_t, double, std::string_view>;

/// A list that can be written out in a call, `{"enter", "exit"}`, or taken from an array.
template <class T>
class LiveList {
 public:
  LiveList() = default;
  LiveList(std::initializer_list<T> items) : items_(items.begin(), items.size()) {}
  LiveList(std::span<const T> items) : items_(items) {}  // NOLINT: meant to convert
  [[nodiscard]] auto begin() const { return items_.begin(); }
  [[nodiscard]] auto end() const { return items_.end(); }
  [[nodiscard]] std::size_t size() const { return items_.size(); }

 private:
  std::span<const T> items_;
};

/// What an event says about the state it creates: `{.labels = {"enter"}, .variables = {{"x", 3}}}`.
/// It must be valid only during a call, which copies what it needs.
struct LiveState {
  LiveList<std::string_view> labels = {};
  LiveList<std::pair<std::string_view, LiveValue>> variables = {};
  std::string_view text = {};
  std::string_view source = {};  ///< `file:line`, instead of the place of the call
  /// When the event happened, in seconds. Without it, the time of the call.
  std::optional<double> time = {};
  /// What a message that is sent holds, where known. Recordings with digests keep one of it.
  std::optional<std::string_view> contents = {};
};

/// A property that was decided at an event of this process, at the moment of that event.
struct Detection {
  /// The last observed event of a process: an immediate predecessor of the event.
  struct Predecessor {
    std::string process;
    std::uint64_t observed = 0;  ///< which of its labelled events, counted from 1
  };

  std::string property;
  /// For a property with `for each`: the variable, and the value. Otherwise `each` is empty.
  std::string each = {};
  std::variant<std::int64_t, double, std::string> value = {};
  Verb verb = Verb::watch;
  bool failed = false;  ///< forbidden and found, or required and missing
  std::string process;
  std::uint64_t event = 0;  ///< its rank; 0: the initial state
  std::vector<std::string> labels;
  /// For a longest flow: the predecessors that its flows come through. For logic: none.
  std::vector<Predecessor> predecessors;
  std::vector<std::string> variables;  ///< for logic: the variables that are true in the state
  std::string source;                  ///< `file:line` of the call

  /// One line for people.
  [[nodiscard]] std::string line() const;
};

/// What the network promises. This decides what may be left out of tags.
enum class Channels : std::uint8_t {
  any,   ///< messages may be lost, may arrive twice, and may overtake each other
  fifo,  ///< every message arrives; messages from one process to another arrive in order
};

struct ProcessOptions {
  std::string name;
  /// Its number among the processes of this name, counted from 1; each is a separate process. With
  /// 0 files decide, if `traces` are written or the program is recorded; otherwise it is the first.
  std::uint32_t incarnation = 0;
  /// The processes that are known from the beginning, in the same order in all processes. Their
  /// tags are smaller. Other processes may come and go.
  std::vector<std::string> members = {};
  std::string properties = {};       ///< the text of a property file; may be empty
  std::string properties_file = {};  ///< or its path
  /// Event labels that the program uses. Needed if a property file declares a label of the same
  /// name, which then belongs to every alphabet that has no `over`.
  std::vector<std::string> labels = {};
  std::string trace = {};   ///< where to write an lct trace; empty for none
  std::string traces = {};  ///< or the directory to write it to; each incarnation has its own file
  /// How many processes there may be besides the members, at most 65,536. If there are more, those
  /// that were only mentioned by others are forgotten. Tags that mention yet another are refused.
  std::uint32_t most_peers = 4096;
  /// How many bytes may be kept about them, a quarter of it about those that one peer mentions.
  /// Tags mention as many as fit in a 128th. 0: 8 KiB for each of `most_peers`, at least 32 MiB.
  std::size_t most_peer_bytes = 0;
  /// How many values of a variable are followed at a time for a property with `for each`. If there
  /// are more, those that were silent longest are forgotten. Tags grow with the number of values.
  std::uint32_t most_values = 256;
  Channels channels = Channels::any;
  bool clocks = false;  ///< whether to keep a vector clock
  /// Called at the event itself, in the thread that made it, after the call has done its work.
  std::function<void(const Detection&)> on_detection = {};
  /// Called with each tag that cannot be used and each failure to write the trace.
  std::function<void(const Error&)> on_error = {};
  /// Returns the state of the program as bytes, for snapshots and checkpoints. Called where the
  /// process asks for a message, before it gets one, and at safe points; in another thread, if a
  /// monitor asks while the process waits for a message. It must not use the process, which is
  /// locked.
  std::function<std::string()> save = {};
  std::function<void(std::string_view)> restore = {};  ///< a saved state, before `start` returns
  /// Called with each part of this process in a snapshot, for SnapshotCollector::add_bytes. Needed
  /// if the program begins snapshots.
  std::function<void(std::string_view part)> on_snapshot_part = {};
  /// Returns what the process waits for, for a monitor's snapshots. Called like `save`, while the
  /// process waits for a message without a limit (MessageWait). At other times it counts as active.
  std::function<Awaited()> waits_for = {};
  /// HOST:PORT of a monitor (`lightcone monitor --listen`), or tls://HOST:PORT; empty: none.
  /// It hears of each event. The process never waits for it. While it is gone, events are kept, in
  /// memory and then in a file beside the trace. `on_error` hears of it, in another thread.
  std::string report_to = {};
  std::string report_execution = {};     ///< which execution it is part of; empty: the monitor says
  std::string report_token = {};         ///< the token that the monitor asks for
  std::string report_certificates = {};  ///< PEM: who signs the monitor's; empty: the system's
  ConnectToMonitor report_over = {};     ///< another way to it (lightcone/grpc/reporting.h)
  /// How to run. Without it, the environment or a simulated network decides.
  std::optional<RunOrders> run = {};
  /// Called with the report of the process in a replay. Without it, the report goes to a file.
  std::function<void(const RunReport&)> on_report = {};
};

/// What a process has seen so far.
struct ProcessCounts {
  std::uint64_t events = 0, sent = 0, received = 0;
  std::uint64_t tag_bytes = 0;       ///< of all messages sent
  std::uint64_t tag_entries = 0;     ///< vector entries in them
  std::uint64_t without_tag = 0;     ///< receives of messages without a tag
  std::uint64_t bad_tags = 0;        ///< receives of messages whose tag was not usable
  std::uint64_t redelivered = 0;     ///< receives of messages that had been received before
  std::uint64_t trace_failures = 0;  ///< events that could not be written
  std::uint64_t unreported = 0;      ///< events that the monitor will not hear of
  std::uint64_t forgotten = 0;  ///< processes that were only mentioned by others, if room ran out
};

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
  /// The event of receiving a message that was taken (lightcone/network.h, adapters). Returns the
  /// name of the sender, without the number of its incarnation. The name is empty if there was no
  /// usable tag. A tag that cannot be used is reported and counted; the event is then an internal
  /// one, and the process continues.
  std::string receive(TakenMessage&& message, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current());
  /// The event of receiving several messages at once. Returns the name of the first sender.
  std::string receive(std::span<TakenMessage> messages, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current());
  /// The same for messages that were not taken, by their tags. The process can be watched and
  /// traced, but not replayed. A message of a peer without Lightcone has an empty tag.
  std::string receive(std::string_view tag, const LiveState& state = {},
                      const std::source_location& where = std::source_location::current()) {
    return receive(std::span(&tag, 1), state, where);
  }
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

  /// Begins a snapshot of the whole program now. Returns its number, or 0 if the numbers are used
  /// up, which is an error. All that has happened to the process so far is part of the snapshot.
  std::uint64_t begin_snapshot();
  /// Returns a marker, which is not a message. If the channel is FIFO, it tells the receiver that
  /// all messages before it belong to the last snapshot. It makes a snapshot faster if messages are
  /// rare, and has no contents. Receiving functions hide it from the program (lightcone/network.h,
  /// adapters).
  [[nodiscard]] std::string marker(std::string_view to);
  /// For a process that asks for no messages. Its state may be saved here.
  void safe_point();
  /// Returns whether it continues from a checkpoint, and must not repeat what it did at first.
  [[nodiscard]] bool restored() const;
  /// If so, returns the messages that it had taken and not received, in the order of taking.
  [[nodiscard]] std::vector<TakenMessage> restored_messages();

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
  friend class Intake;
  friend class MessageWait;
  explicit Process(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone
