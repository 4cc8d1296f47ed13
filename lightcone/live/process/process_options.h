// How to start a live process.
#pragma once

#include <lightcone/base/error.h>
#include <lightcone/live/watch/detection.h>
#include <lightcone/run/recording/run_orders.h>
#include <lightcone/run/report/run_report.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

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
  /// How many bytes may be kept of them, of what one of them speaks of a quarter. Tags speak of so
  /// many of them as fit in a 128th. 0: 8 KiB for each of `most_peers`, and 32 MiB at least.
  std::size_t most_peer_bytes = 0;
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

}  // namespace lightcone
