// The inside of a live process: one lock around its riders, its trace and its door.
#pragma once

#include <lightcone/live/process/live_trace.h>
#include <lightcone/live/process/process_inbox.h>
#include <lightcone/live/process/process_snapshots.h>
#include <lightcone/live/process/recording_notices.h>
#include <lightcone/live/process/run_door.h>
#include <lightcone/live/report/monitored_process.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/process.h>
#include <lightcone/recording.h>
#include <lightcone/run/answers/prompter.h>

#include <mutex>
#include <optional>

namespace lightcone {

class Process::Core {
 public:
  Core(ProcessOptions options, CompiledProperties properties, std::uint64_t agreement,
       std::vector<LiveTrace> traces, std::optional<RunDoor> door);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// Before the start: who sends the events to a monitor.
  void report_by(std::unique_ptr<Reporter> reporter);
  void start(const LiveState& initial);
  void event(const LiveState& state, const std::source_location& where);
  [[nodiscard]] std::string send(std::span<const std::string_view> to, const LiveState& state,
                                 const std::source_location& where);
  std::string receive(std::span<TakenMessage> messages, const LiveState& state,
                      const std::source_location& where);
  std::string receive(std::span<const std::string_view> tags, const LiveState& state,
                      const std::source_location& where);

  [[nodiscard]] bool is_prompted() const { return door_ && door_->prompter != nullptr; }
  [[nodiscard]] TakenMessage took(std::string&& tag, const std::function<std::string()>& contents);
  void found_nothing();
  [[nodiscard]] TakenMessage take(std::string_view mailbox, Intake::Patience patience,
                                  const Intake::Arrive& arrive);
  [[nodiscard]] std::uint64_t time();
  [[nodiscard]] std::uint64_t random();
  [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives);
  [[nodiscard]] std::string read(const std::function<std::string()>& from_outside);

  void begin_wait() {
    if (!monitored_.is_monitored()) return;
    Lock lock(mutex_);
    monitored_.begin_wait();
    tell(lock);
  }
  void end_wait() {
    if (!monitored_.is_monitored()) return;
    const Lock lock(mutex_);
    monitored_.end_wait();
  }
  [[nodiscard]] std::uint64_t begin_snapshot();
  [[nodiscard]] std::string marker(std::string_view to);
  void safe_point() {
    Lock lock(mutex_);
    save_if_due();
    tell(lock);
  }
  [[nodiscard]] bool restored() const { return door_ && door_->from; }
  [[nodiscard]] std::vector<TakenMessage> restored_messages();

  /// What needs more than one process's past is not decided here, and that is said once.
  void tell_of_unwatched();
  [[nodiscard]] Expected<void> flush();
  [[nodiscard]] ProcessCounts counts() const;
  [[nodiscard]] std::vector<std::pair<std::string, std::uint32_t>> clock() const;
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::string_view identity() const { return options_.name; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  /// Says what a process waits for, if it never comes.
  class Waiting;

  [[nodiscard]] Watcher::Bounds bounds() const;
  /// The message becomes this one, which the program holds from now on.
  void take_over(TakenMessage& message, std::shared_ptr<OpenedMessage>&& opened);
  void receive_untaken(std::string_view tag);
  std::string make_receive(const LiveState& state, const std::source_location& where, Lock& lock);
  void refuse_untaken(Lock& lock);
  void record(const LiveTrace::Row& row);
  void finish(const std::source_location* where, const LiveState& state) {
    if (!watcher_.errors().empty() || !watcher_.detections().empty()) complete(where, state);
  }
  void complete(const std::source_location* where, const LiveState& state);
  /// Calls back without the lock, so that the callback may use the process.
  void tell(Lock& lock) {
    if (!watcher_.detections().empty() || !errors_.empty() || !snapshots_.parts().empty()) {
      call_back(lock);
    }
    if (is_prompted()) look_around(lock);
  }
  void call_back(Lock& lock);
  void note(const Expected<void>& done) {
    if (!done) note_failure(done.error());
  }
  void note_failure(const Error& error);

  void warn(std::string_view what, std::string hint);
  void resume(Lock& lock);

  template <class Known, class Given, class Entry>
  [[nodiscard]] std::uint64_t answer(const Known& known_by, const Given& given, const Entry& entry);
  void enter(OpenedMessage& opened, const std::function<std::string()>& contents,
             bool are_known = true);
  [[nodiscard]] TakenMessage take_prompted(std::string_view mailbox, bool polls,
                                           const Intake::Arrive& arrive);
  [[nodiscard]] TakenMessage wait_for_message(std::string_view mailbox,
                                              const Intake::Arrive& arrive, Lock& lock);
  [[nodiscard]] TakenMessage let_in(OpenedMessage opened);
  [[nodiscard]] bool keeps_digests() const { return door_ && door_->orders.digests(); }
  /// Returns whether someone reads the names of messages that are sent.
  [[nodiscard]] bool names_sends() const {
    return !traces_.empty() || monitored_.is_monitored() || is_prompted();
  }
  [[nodiscard]] bool is_watched() const;
  /// Whether messages are opened when they are received, since nobody asks before.
  [[nodiscard]] bool opens_later() const {
    return !door_ && !monitored_.is_monitored() && !options_.on_snapshot_part;
  }
  void save_if_due() {
    if (snapshots_.makes_checkpoints()) snapshots_.save_if_due();
    if (monitored_.is_monitored()) monitored_.reach_wanted();
  }
  void end_monitoring() {
    const Lock lock(mutex_);
    monitored_.end();
  }
  void save_if_explored();
  static void pause(Lock& lock);
  void look_around(Lock& lock);
  void stand_still(const Standstill& why, Lock& lock);
  void say(RunReport::Why why, const std::string& text);
  void report(RunReport::Why why, const std::string& text);

  ProcessOptions options_;  // with the incarnation in the name
  std::string_view name_;   // without it
  mutable std::mutex mutex_;
  Watcher watcher_;
  std::vector<LiveTrace> traces_;
  std::optional<RunDoor> door_;
  ProcessCounts counts_;
  std::vector<Error> errors_;
  ProcessInbox inbox_;
  std::string sent_name_;               // of the last message, for its memory
  std::vector<TakenMessage> restored_;  // taken before the checkpoint
  bool reported_ = false;
  RecordingNotices notices_;
  ProcessSnapshots snapshots_;  // of what stands above
  MonitoredProcess monitored_;
};

}  // namespace lightcone
