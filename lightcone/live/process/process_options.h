// How to start a live process.
#pragma once

#include <lightcone/error.h>
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
  /// Event labels that the program uses. Only needed if a property file declares a label of the
  /// same name, which then belongs to every alphabet that has no `over`.
  std::vector<std::string> labels = {};
  std::string trace = {};   ///< where to write an lct trace; empty for none
  std::string traces = {};  ///< or the directory to write it to; each incarnation has its own file
  /// How many processes there may be besides the members. If there are more, those that were only
  /// mentioned by others are forgotten. Then tags that mention another one are refused. At most
  /// 65,536.
  std::uint32_t most_peers = 4096;
  Channels channels = Channels::any;
  bool clocks = false;  ///< whether to keep a vector clock
  /// Called at the event itself, in the thread that made it, after the call has done its work.
  std::function<void(const Detection&)> on_detection = {};
  /// Called with each tag that cannot be used and each failure to write the trace.
  std::function<void(const Error&)> on_error = {};
  /// Returns the state of the program as bytes, for snapshots and checkpoints. Called where the
  /// process asks for a message, before it gets one, and at safe points. It must not use the
  /// process, which is locked.
  std::function<std::string()> save = {};
  /// Restores a state that was saved. Called before `start` returns.
  std::function<void(std::string_view)> restore = {};
  /// Called with each part that this process contributes to a snapshot
  /// (SnapshotCollector::add_bytes). Needed if the program begins snapshots.
  std::function<void(std::string_view part)> on_snapshot_part = {};
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
  std::uint64_t forgotten = 0;  ///< processes that were only mentioned by others, if room ran out
};

}  // namespace lightcone
