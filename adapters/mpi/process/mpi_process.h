// This process of an MPI program: how it runs, what is kept of it, and where its answers come from.
#pragma once

#include <lightcone/recording.h>
#include <lightcone/run/answers/polling_clock.h>
#include <lightcone/run/report/run_progress.h>
#include <lightcone/trace/row_words.h>
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "calls/call_at_hand.h"
#include "calls/requests.h"
#include "process/cancelled_receives.h"
#include "process/communicators.h"
#include "process/explored_process.h"
#include "process/mpi_journal.h"
#include "process/mpi_script.h"
#include "process/mpi_trace.h"
#include "process/mpi_watcher.h"
#include "process/throttle.h"

namespace lightcone::mpi {

/// One process, from MPI_Init to MPI_Finalize. Between them all wrapped calls come here, one at a
/// time; a thread of its own writes what was kept, at least every second in which something
/// happens.
class MpiProcess {
 public:
  /// The process, if it is recorded, replayed or explored and this call is the program's own: not
  /// one that the MPI makes inside of another.
  [[nodiscard]] static MpiProcess* of_this_call();
  /// The same for calls that other threads and the MPI make, too, which do not count.
  [[nodiscard]] static MpiProcess* of_first_thread();
  using Inside = mpi::Inside;

  /// After MPI_Init. With `many_threads` the program asked for MPI_THREAD_MULTIPLE.
  static void begin(bool many_threads);
  /// Before MPI_Finalize, or MPI_Abort: then the process does not come to its end.
  static void end(bool by_itself);

  /// Where answers come from, if the process is explored.
  [[nodiscard]] ExploredProcess* explored() { return explored_ ? &*explored_ : nullptr; }
  /// What requests are about is known before the MPI knows: they are waited for one by one.
  [[nodiscard]] bool knows_answers() const { return replays() || explored_; }
  [[nodiscard]] bool replays() const { return orders_.replay() != nullptr; }
  /// Returns whether standard sends wait for their receive.
  [[nodiscard]] bool unbuffered() const { return orders_.unbuffered(); }
  /// Returns whether the program may go on after an error.
  [[nodiscard]] bool errors_return() const { return errors_return_; }
  void let_errors_return() { errors_return_ = true; }
  [[nodiscard]] int number() const { return communicators_.rank(); }  ///< in the world
  [[nodiscard]] Communicators& communicators() { return communicators_; }
  [[nodiscard]] Requests& requests() { return requests_; }
  [[nodiscard]] Throttle& throttle() { return throttle_; }

  /// What a receive or probe that begins is to ask the MPI for.
  struct Aim {
    std::shared_ptr<Receive> receive;
    int source = 0, tag = 0;  ///< as the MPI has them
    MpiScript::Match::What what = MpiScript::Match::What::message;
  };
  [[nodiscard]] Aim aim(int source, int tag);
  /// The receive takes its place among those of its communicator that are not over.
  static void post(Communicator& communicator, const std::shared_ptr<Receive>& receive);
  /// A probe has found a message, and left it there.
  void found(const char* call, Communicator& communicator, Receive& receive,
             const MPI_Status& status);
  /// A receive has got its message: it is settled which, and entered.
  void matched(Communicator& communicator, Receive& receive, const MPI_Status& status);
  /// And this is an event.
  void received(const char* call, Communicator& communicator,
                const std::shared_ptr<Receive>& receive, const MPI_Status& status);
  void cancelled(Communicator& communicator, const Receive& receive);
  /// A receive without wildcards begins; whether it was cancelled when it was recorded.
  [[nodiscard]] bool begin_named(Receive& receive);
  void sent(const char* call, Communicator& communicator, int rank, int tag);
  void add(MpiEvent event);
  /// An event that sends, if the call that follows succeeds,
  void attempt(MpiEvent event);
  /// which it did, or not: then the event has sent nothing. Returns whether the event stands for a
  /// send, as it does when it was written already.
  bool end_attempt(bool sent);

  // Answers of the world are entered; those of a recording are given instead.
  bool enter_poll(bool found);
  [[nodiscard]] bool recorded_poll(const char* call);
  void enter_choice(std::uint64_t which, std::uint64_t of);
  [[nodiscard]] std::uint64_t recorded_choice(std::uint64_t of, const char* call);
  /// The MPI refused a call that would have had an answer.
  void enter_refusal();
  [[nodiscard]] bool recorded_refusal() { return script_->refused(); }
  [[nodiscard]] double clock();  ///< as MPI_Wtime
  /// As a clock of the system, which one is told by its number there.
  [[nodiscard]] std::uint64_t time(int clock, std::uint64_t now);
  /// These bytes came out of a window. Returns those that were recorded instead.
  [[nodiscard]] std::optional<std::string> fetched(std::string_view bytes);
  /// Returns whether answers are kept that earlier versions did not keep: they are, unless a
  /// recording of such a version is replayed. Asked before each of them.
  [[nodiscard]] bool keeps_more();

  /// Where the process is explored: says why that cannot be, and does not return. From any thread,
  /// and before MPI_Init.
  static void refuse_exploration(const std::string& why);
  /// Nothing more can be replayed. Does not return.
  [[noreturn]] void stand_still(const Standstill& why);
  /// In a replay: a receive waits for whose message the recording does not know. Does not return.
  [[noreturn]] void stand_without_message(MpiScript::Match::What what, const std::string& call);
  /// In a replay: a call has returned that others were told of.
  void end_waiting();
  /// In a replay, says what the process waits for while `call` does not return.
  template <class Call>
  int waiting(const char* name, const Communicator& communicator, int source, int tag, Call call) {
    if (!replays()) return call();
    begin_waiting(describe(name, communicator, source, tag));
    Standings* const standings = throttle_.standings();
    if (standings != nullptr) {
      standings->waits_for(source == any ? Standings::something : communicator.world_rank(source));
    }
    const int result = call();
    if (standings != nullptr) standings->waits_for(Standings::nothing);
    end_waiting();
    return result;
  }

  /// Writes what is kept.
  void flush();

 private:
  explicit MpiProcess(RunOrders orders) : orders_(std::move(orders)) {}
  [[nodiscard]] Expected<void> open_files();
  [[nodiscard]] Expected<void> open_recording();
  [[nodiscard]] Expected<void> open_journal();
  [[nodiscard]] Expected<void> open_trace();
  [[nodiscard]] Expected<void> must_be_recorded();
  void watch();
  void look_after();
  [[nodiscard]] std::shared_ptr<Receive> spare_receive();
  void settle(std::unique_lock<std::mutex>& lock, Communicator& communicator, Receive& receive,
              const MPI_Status& status);
  void add(std::unique_lock<std::mutex>& lock, MpiEvent& event);
  void keep(std::unique_lock<std::mutex>& lock, MpiEvent& event, bool is_attempt);
  [[nodiscard]] std::uint64_t told_time(int clock, std::uint64_t now);
  void enter_clock(std::uint64_t told);
  [[nodiscard]] bool peek(Communicator& communicator, Receive& receive);
  void compare(std::unique_lock<std::mutex>& lock, const MpiEvent& event, bool is_attempt);
  [[nodiscard]] Prompted<void> compare_row(const MpiEvent& event, bool is_attempt);
  [[nodiscard]] Prompted<void> compare_digest(const MpiEvent& event, std::uint32_t digest);
  void say(RunReport::Why why, const std::string& text);
  void begin_waiting(std::string what);
  void look_for_waiting();
  [[nodiscard]] Prompted<void> check_end();
  [[nodiscard]] Prompted<void> check_abort();
  void say_end(const Prompted<void>& done, bool by_itself);
  void last_words(int signal);
  void tell(const std::string& text) const;
  void tell_of_lost_writes();
  void tell_of_lost(const std::string& file, std::uint64_t events, const Error& error);
  template <class T>
  T given(Prompted<T> answer) {
    if (!answer) stand_still(answer.error());
    return std::move(*answer);
  }

  RunOrders orders_;
  std::string name_;
  bool one_thread_ = false;  // only the first may call
  bool errors_return_ = false;
  std::optional<bool> keeps_more_;
  Communicators communicators_;
  Requests requests_;
  Throttle throttle_;
  std::unique_ptr<MpiWatcher> watcher_;  // only the thread of the program uses it
  std::optional<ExploredProcess> explored_;
  std::shared_ptr<Receive> spare_;
  CancelledReceives cancelled_;

  std::mutex mutex_;  // around what follows
  std::optional<MpiJournal> journal_;
  std::optional<MpiScript> script_;
  std::optional<MpiTrace> trace_;
  std::optional<RecordedRows> recorded_;
  std::optional<RunProgress> progress_;
  std::uint64_t events_ = 0, flushed_events_ = 0, entries_ = 0, flushed_entries_ = 0;
  std::uint32_t digest_ = 0;
  MpiEvent event_;  // the last one, for its memory
  std::optional<MpiEvent> attempt_;
  std::uint32_t digest_before_attempt_ = 0;
  std::uint64_t clock_readings_ = 0;
  std::map<int, PollingClock> clocks_;
  std::uint64_t deeds_ = 0, empty_polls_ = 0;
  std::string waits_for_;
  std::chrono::steady_clock::time_point waits_since_;
  CallAtHand call_;  // as it was seen last, and since when
  std::chrono::steady_clock::time_point call_since_;
  bool told_ = false, standing_ = false;
  std::set<std::string> lost_writes_;  // files
  std::atomic<bool> over_ = false;
};

}  // namespace lightcone::mpi
