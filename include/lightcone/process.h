// What a program links: one process of a distributed program, watched as it runs.
#pragma once

#include <lightcone/error.h>
#include <lightcone/property.h>
#include <lightcone/recording.h>

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

/// What an event says of the state it creates: `{.labels = {"enter"}, .variables = {{"x", 3}}}`.
/// Only for the duration of a call, which copies what it needs.
struct LiveState {
  LiveList<std::string_view> labels = {};
  LiveList<std::pair<std::string_view, LiveValue>> variables = {};
  std::string_view text = {};
  std::string_view source = {};  ///< `file:line`, instead of the place of the call
};

/// A property that was decided at an event of this process, at the moment of that event.
struct Detection {
  /// The last observed event of a process: an immediate predecessor of the event.
  struct Predecessor {
    std::string process;
    std::uint64_t observed = 0;  ///< which of its labelled events, counted from 1
  };

  std::string property;
  Verb verb = Verb::watch;
  bool failed = false;  ///< forbidden and found, or required and missing
  std::string process;
  std::uint64_t event = 0;  ///< its rank; 0: the initial state
  std::vector<std::string> labels;
  /// Of a longest flow: the predecessors that its flows come through. Of logic: none.
  std::vector<Predecessor> predecessors;
  std::vector<std::string> variables;  ///< of logic: those that hold in the state
  std::string source;                  ///< `file:line` of the call

  /// One line for people.
  [[nodiscard]] std::string line() const;
};

/// How messages travel, and so what may be left out of their tags.
enum class Channels : std::uint8_t {
  any,   ///< messages may be lost, doubled and overtaken
  fifo,  ///< every message arrives, and those from one process to another in order
};

struct ProcessOptions {
  std::string name;
  /// Which process of this name it is, counted from 1; each is a process of its own. 0: by the
  /// files that are there, where `traces` are written or the program is recorded, else the first.
  std::uint32_t incarnation = 0;
  /// The processes that all know of from the beginning, in the same order everywhere: their tags
  /// are smaller. Others may come and go.
  std::vector<std::string> members = {};
  std::string properties = {};       ///< the text of a property file; may be empty
  std::string properties_file = {};  ///< or its path
  /// Event labels that the program uses. Only needed where a property file declares a label of the
  /// same name, which then belongs to every alphabet that is not spelt out.
  std::vector<std::string> labels = {};
  std::string trace = {};   ///< where to write an lct trace; empty: nowhere
  std::string traces = {};  ///< or in which directory; there, each incarnation has a file
  /// How many processes there is room for beside the members. What speaks of one more is refused,
  /// after those that were only spoken of have been forgotten. At most 65,536.
  std::uint32_t most_peers = 4096;
  Channels channels = Channels::any;
  bool clocks = false;  ///< keep a vector clock, too
  /// Called at the event itself, in the thread that made it, after the call has done its work.
  std::function<void(const Detection&)> on_detection = {};
  /// Called with each tag that cannot be used and each failure to write the trace.
  std::function<void(const Error&)> on_error = {};
  /// The state of the program as bytes, for snapshots and checkpoints. Called where the process
  /// asks for a message, before it gets one, and where it says that it is safe; must not use the
  /// process, which is locked meanwhile.
  std::function<std::string()> save = {};
  /// Takes up a state that was saved, instead of beginning: called before `start` returns.
  std::function<void(std::string_view)> restore = {};
  /// Called with what this process has of a snapshot, for whoever puts it together
  /// (SnapshotCollector::add_bytes). Needed wherever the program begins snapshots.
  std::function<void(std::string_view part)> on_snapshot_part = {};
  /// How to run, instead of what the world says: the environment, or a simulated network.
  std::optional<RunOrders> run = {};
  /// Called with what became of the process in a replay, instead of leaving it in a file.
  std::function<void(const RunReport&)> on_report = {};
};

/// What a process has seen so far.
struct ProcessCounts {
  std::uint64_t events = 0, sent = 0, received = 0;
  std::uint64_t tag_bytes = 0;       ///< of all messages sent
  std::uint64_t tag_entries = 0;     ///< vector entries in them
  std::uint64_t without_tag = 0;     ///< receives of messages that carried none
  std::uint64_t bad_tags = 0;        ///< receives of messages whose tag was not usable
  std::uint64_t redelivered = 0;     ///< receives of messages that had been received before
  std::uint64_t trace_failures = 0;  ///< events that could not be written
  std::uint64_t forgotten = 0;       ///< processes that were only spoken of, for want of room
};

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

  /// Begins a snapshot of the whole program, here and now; returns its number. All that happens to
  /// the process until then is part of it. 0 if their numbers are used up, which is an error.
  std::uint64_t begin_snapshot();
  /// A message that is no message: tells the receiver, if its channel is FIFO, that all before it
  /// belongs to the last snapshot. It hastens a snapshot where messages are rare, and needs no
  /// contents; what receives keeps it from the program (lightcone/network.h, adapters).
  [[nodiscard]] std::string marker(std::string_view to);
  /// For a process that asks for no messages: its state may be saved here.
  void safe_point();
  /// Whether the process goes on from a checkpoint, and has done already what it does first.
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
  friend class Intake;  // what authors of transports use, in lightcone/transport.h
  explicit Process(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace lightcone
