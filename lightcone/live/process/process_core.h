// The inside of a live process: one lock around its riders, its trace and its door.
#pragma once

#include <lightcone/live/process/checkpoint_file.h>
#include <lightcone/live/process/live_trace.h>
#include <lightcone/live/process/process.h>
#include <lightcone/live/snapshot/snapshot_maker.h>
#include <lightcone/live/watch/received_numbers.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/run/answers/prompter.h>
#include <lightcone/run/answers/recorder.h>
#include <lightcone/run/recording/run_orders.h>
#include <lightcone/run/report/run_progress.h>
#include <lightcone/run/report/run_report.h>
#include <lightcone/trace/row_words.h>

#include <tsl/robin_map.h>

#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace lightcone {

class Process::Core {
 public:
  /// What a run that is recorded, replayed or explored needs.
  struct Door {
    RunOrders orders = {};
    std::optional<Recorder> recorder = {};
    std::unique_ptr<Prompter> prompter = {};
    std::optional<RecordedRows> recorded = {};       ///< what the events are compared with
    std::optional<RunProgress> progress = {};        ///< for the replay
    std::optional<CheckpointFile> checkpoints = {};  ///< where a recording keeps them
    std::optional<Beginning> from = {};              ///< the checkpoint that a replay begins at
  };

  Core(ProcessOptions options, CompiledProperties properties, std::uint64_t agreement,
       std::vector<LiveTrace> traces, std::optional<Door> door);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  void start(const LiveState& initial);
  void event(const LiveState& state, const std::source_location& where);
  [[nodiscard]] std::string send(std::span<const std::string_view> to, const LiveState& state,
                                 const std::source_location& where);
  std::string receive(std::span<const std::string_view> tags, const LiveState& state,
                      const std::source_location& where);

  [[nodiscard]] bool is_prompted() const { return door_ && door_->prompter != nullptr; }
  [[nodiscard]] bool took(std::string_view tag, const std::function<std::string()>& contents);
  void found_nothing();
  [[nodiscard]] std::optional<ArrivedMessage> take(std::string_view mailbox, bool polls,
                                                   const Arrive& arrive);
  [[nodiscard]] std::uint64_t time();
  [[nodiscard]] std::uint64_t random();
  [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives);
  [[nodiscard]] std::string read(const std::function<std::string()>& from_outside);

  [[nodiscard]] std::uint64_t begin_snapshot();
  [[nodiscard]] std::string marker(std::string_view to);
  void safe_point();
  [[nodiscard]] bool restored() const { return door_ && door_->from; }

  /// What needs more than one process's past is not decided here, and that is said once.
  void tell_of_unwatched();
  [[nodiscard]] Expected<void> flush();
  [[nodiscard]] ProcessCounts counts() const;
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> clock() const;
  [[nodiscard]] std::string_view name() const { return incarnation_of(options_.name).name; }
  [[nodiscard]] std::string_view identity() const { return options_.name; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  /// A message that was opened, and not received yet.
  struct Opened {
    ArrivedMessage arrival;
    std::optional<Envelope> envelope;
  };
  /// Says what a process waits for, if it never comes.
  class Waiting;

  [[nodiscard]] static std::string message_name(const std::string& sender, std::uint64_t number) {
    return sender + ':' + std::to_string(number + 1);
  }
  [[nodiscard]] std::vector<Envelope> open(std::span<const std::string_view> tags);
  [[nodiscard]] std::optional<Envelope> open(std::string_view tag);
  [[nodiscard]] Expected<Envelope> open_with_room(std::string_view tag);
  [[nodiscard]] Watcher::Bounds bounds() const;
  /// The envelopes that were opened, and are not received yet.
  [[nodiscard]] std::vector<Envelope*> waiting_envelopes();
  void record(const LiveTrace::Row& row);
  void finish(const std::source_location* where, const LiveState& state);
  /// Calls back without the lock, so that the callback may use the process.
  void tell(Lock& lock);
  void note(Expected<void> done);
  [[nodiscard]] bool is_recorded(const std::string& path) const;
  /// Tells `record` which files could not be written further, once each.
  void tell_of_lost_writes();

  // Snapshots: process_snapshots.cc.
  [[nodiscard]] SnapshotMaker make_snapshots();
  void begin_checkpoints();
  void warn(std::string_view what, std::string hint);
  [[nodiscard]] Colours colours() const;
  void count_sent();
  void checkpoint_if_due();
  /// A message is about to be taken. Returns whether it is taken for the first time, if that is
  /// asked.
  [[nodiscard]] bool pass(const Opened& opened, const std::function<std::string()>& contents);
  [[nodiscard]] Checkpoint checkpoint();
  void resume(Lock& lock);
  void end_snapshots();

  template <class Known, class Given, class Entry>
  [[nodiscard]] std::uint64_t answer(const Known& known_by, const Given& given, const Entry& entry);
  [[nodiscard]] MessageIdentity identity_of(const std::optional<Envelope>& envelope) const;
  void enter(const Opened& opened, const std::function<std::string()>& contents);
  void keep(Opened&& opened);
  [[nodiscard]] std::optional<ArrivedMessage> wait_for_message(std::string_view mailbox,
                                                               const Arrive& arrive, Lock& lock);
  [[nodiscard]] std::optional<Opened> early_message(std::string_view mailbox);
  [[nodiscard]] std::optional<ArrivedMessage> let_in(Opened opened);
  [[nodiscard]] bool is_watched() const;
  void save_if_explored();
  static void pause(Lock& lock);
  void check(const LiveTrace::Row& row);
  [[nodiscard]] Prompted<void> check_end();
  void add_to_digest(const LiveTrace::Row& row);
  void look_around(Lock& lock);
  void stand_still(const Standstill& why, Lock& lock);
  void say(RunReport::Why why, const std::string& text);
  void report(RunReport::Why why, const std::string& text);

  ProcessOptions options_;  // with the incarnation in the name
  mutable std::mutex mutex_;
  Watcher watcher_;
  std::vector<LiveTrace> traces_;
  std::optional<Door> door_;
  tsl::robin_map<std::uint32_t, ReceivedNumbers> received_, taken_;  // by sender
  std::vector<Envelope> receiving_;                                  // at this event, so far
  std::vector<Opened> opened_;                                       // taken, and not received yet
  std::map<std::string, std::vector<Opened>, std::less<>> early_;    // by mailbox
  std::vector<Opened> in_transit_;  // at the checkpoint that the process began from
  SnapshotMaker snapshots_;         // of the program
  std::optional<SnapshotMaker> checkpoints_;
  std::uint64_t began_ = 0;           // when, for checkpoints
  std::vector<std::string> parts_;    // to be handed out
  const Envelope* passes_ = nullptr;  // is opened while the state before it is saved
  std::uint32_t digest_ = 0;
  std::optional<Standstill> standstill_;
  bool reported_ = false;
  ProcessCounts counts_;
  std::vector<Error> errors_;
  std::set<std::string> noted_;        // errors of files, each once
  std::set<std::string> lost_writes_;  // files
};

}  // namespace lightcone
