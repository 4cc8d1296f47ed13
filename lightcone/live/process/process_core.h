// The inside of a live process: one lock around its riders, its trace and its door.
#pragma once

#include <lightcone/live/process/live_trace.h>
#include <lightcone/live/process/opened_messages.h>
#include <lightcone/live/process/process_snapshots.h>
#include <lightcone/live/process/run_door.h>
#include <lightcone/live/watch/watcher.h>
#include <lightcone/process.h>
#include <lightcone/recording.h>
#include <lightcone/run/answers/prompter.h>

#include <mutex>
#include <optional>
#include <set>

namespace lightcone {

class Process::Core {
 public:
  Core(ProcessOptions options, CompiledProperties properties, std::uint64_t agreement,
       std::vector<LiveTrace> traces, std::optional<RunDoor> door);
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
                                                   const Intake::Arrive& arrive);
  [[nodiscard]] std::uint64_t time();
  [[nodiscard]] std::uint64_t random();
  [[nodiscard]] std::uint64_t choose(std::uint64_t alternatives);
  [[nodiscard]] std::string read(const std::function<std::string()>& from_outside);

  [[nodiscard]] std::uint64_t begin_snapshot();
  [[nodiscard]] std::string marker(std::string_view to);
  void safe_point() {
    Lock lock(mutex_);
    snapshots_.save_if_due();
    tell(lock);
  }
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
  /// A file of the recording is not the program's: it is told of its errors, and goes on.
  [[nodiscard]] bool is_recorded(const std::string& path) const {
    return door_ && door_->recorder && path.starts_with(door_->orders.directory + '/');
  }
  /// Tells `record` which files could not be written further, once each.
  void tell_of_lost_writes();

  void warn(std::string_view what, std::string hint);
  void resume(Lock& lock);

  template <class Known, class Given, class Entry>
  [[nodiscard]] std::uint64_t answer(const Known& known_by, const Given& given, const Entry& entry);
  [[nodiscard]] MessageIdentity identity_of(const std::optional<Envelope>& envelope) const;
  void enter(OpenedMessage& opened, const std::function<std::string()>& contents);
  [[nodiscard]] bool keeps_digests() const { return door_ && door_->orders.digests; }
  [[nodiscard]] std::optional<ArrivedMessage> wait_for_message(std::string_view mailbox,
                                                               const Intake::Arrive& arrive,
                                                               Lock& lock);
  [[nodiscard]] std::optional<ArrivedMessage> let_in(OpenedMessage opened);
  [[nodiscard]] bool is_watched() const;
  void save_if_explored();
  static void pause(Lock& lock);
  void look_around(Lock& lock);
  void stand_still(const Standstill& why, Lock& lock);
  void say(RunReport::Why why, const std::string& text);
  void report(RunReport::Why why, const std::string& text);

  ProcessOptions options_;  // with the incarnation in the name
  mutable std::mutex mutex_;
  Watcher watcher_;
  std::vector<LiveTrace> traces_;
  std::optional<RunDoor> door_;
  NumbersBySender received_, taken_;
  std::vector<Envelope> receiving_;     // at this event, so far
  std::vector<std::uint64_t> digests_;  // of their contents
  OpenedMessages opened_;
  bool reported_ = false;
  ProcessCounts counts_;
  std::vector<Error> errors_;
  std::set<std::string> noted_;        // errors of files, each once
  std::set<std::string> lost_writes_;  // files
  ProcessSnapshots snapshots_;         // of what stands above
};

}  // namespace lightcone
