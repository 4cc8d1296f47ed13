// This process of an MPI program: how it runs, what is kept of it, and where its answers come from.
#pragma once

#include <lightcone/base/time/coarse_clock.h>
#include <lightcone/recording.h>
#include <lightcone/run/answers/mpi_recorder.h>
#include <lightcone/run/answers/mpi_replayer.h>
#include <lightcone/run/report/run_keeper.h>
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "answers/function_ref.h"
#include "calls/requests.h"
#include "end/alarm.h"
#include "process/call_at_hand.h"
#include "process/call_lock.h"
#include "process/communicators.h"
#include "process/mpi_trace.h"
#include "process/mpi_watcher.h"
#include "process/throttle.h"

namespace lightcone::mpi {

class Answers;
class ContentsKeeper;

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
  /// One that runs alone, where the call is not the program's own, but may be one of a function of
  /// the program that the MPI calls; else null.
  [[nodiscard]] static MpiProcess* alone_in_callback();
  using Inside = mpi::Inside;

  /// After MPI_Init. `threads` is the level that the program asked for, as MPI_THREAD_SINGLE.
  static void begin(int threads);
  /// Before MPI_Finalize, or MPI_Abort: then the process does not come to its end.
  static void end(bool by_itself);
  static void abort(int code);

  /// Who answers its calls.
  [[nodiscard]] Answers& answers() { return *answers_; }
  /// Where answers are entered; null in a replay.
  [[nodiscard]] MpiRecorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  /// Keeps what the process gets from others; null where this is not kept.
  [[nodiscard]] ContentsKeeper* contents() { return contents_.get(); }
  /// Returns whether standard sends wait for their receive.
  [[nodiscard]] bool unbuffered() const { return keeper_.orders.unbuffered(); }
  /// Returns whether the program may go on after an error.
  [[nodiscard]] bool errors_return() const { return errors_return_; }
  void let_errors_return() { errors_return_ = true; }
  [[nodiscard]] int number() const { return communicators_.rank(); }  ///< in the world
  [[nodiscard]] Communicators& communicators() { return communicators_; }
  [[nodiscard]] Requests& requests() { return requests_; }
  [[nodiscard]] Throttle& throttle() { return throttle_; }
  /// In a replay: what the processes of this host say of themselves; null if that is not known.
  [[nodiscard]] Standings* standings() { return throttle_.standings(); }

  /// A receive that begins, with wildcards as `any`. The reference holds until the next begins.
  [[nodiscard]] const std::shared_ptr<Receive>& new_receive(int source, int tag);
  /// The number of a receive without wildcards that begins.
  [[nodiscard]] std::uint64_t next_named() { return ++named_; }
  /// A probe has found a message, and left it there.
  void found(const char* call, Communicator& communicator, Receive& receive,
             const MPI_Status& status);
  /// A receive has got its message: it is settled which, and entered.
  void matched(Communicator& communicator, Receive& receive, const MPI_Status& status);
  /// And this is an event.
  void received(const char* call, Communicator& communicator,
                const std::shared_ptr<Receive>& receive, const MPI_Status& status,
                const Buffer& buffer);
  /// The same for a receive that began while none was posted: it has the next message of its
  /// channel. `source` and `tag` are as asked for.
  void received_next(const char* call, Communicator& communicator, int source, int tag,
                     const MPI_Status& status, const Buffer& buffer);
  /// Returns whether a blocking receive that begins now can be kept so.
  [[nodiscard]] bool receives_next(const Communicator& communicator) const {
    return keeps_messages_alone_ && communicator.posted.empty();
  }
  void cancelled(Communicator& communicator, const Receive& receive);
  /// A receive has got its message, but the process ends inside of the call.
  void enter_match(Receive* receive, const MPI_Status& status);
  void enter_if_it_ends(const FunctionRef<void()>* enter) { if_it_ends_ = enter; }
  void sent(const char* call, Communicator& communicator, int rank, int tag, const Buffer& data);
  /// Returns whether events have digests of contents.
  [[nodiscard]] bool keeps_digests() const { return keeper_.orders.digests(); }
  void add(MpiEvent event);
  /// An event that sends, if the call that follows succeeds,
  void attempt(MpiEvent event);
  /// which it did, or not: then the event has sent nothing. Returns whether the event stands for a
  /// send, as it does when it was written already.
  bool end_attempt(bool sent);

  /// Enters an answer of the world or of a controller.
  void enter(const JournalEntry& entry);
  bool enter_poll(bool found);
  void enter_clock(const ClockValue& value);
  /// Grows whenever something happens, and with each poll that finds nothing.
  [[nodiscard]] std::uint64_t deeds() const { return deeds_; }
  [[nodiscard]] std::uint64_t empty_polls() const { return empty_polls_; }
  /// Returns how many polls were entered.
  [[nodiscard]] std::uint64_t polls() const { return polls_; }
  /// An answer of a journal. If there is none, the process stands still.
  template <class T>
  T given(Prompted<T> answer) {
    if (!answer) stand_still(answer.error());
    return std::move(*answer);
  }

  /// Where the process is explored: says why that cannot be, and does not return. From any thread,
  /// and before MPI_Init.
  static void refuse_exploration(const std::string& why);
  /// Nothing more can be replayed. Does not return.
  [[noreturn]] void stand_still(const Standstill& why);
  /// In a replay: a receive waits for whose message the recording does not know. Does not return.
  [[noreturn]] void stand_without_message(MpiReplayer::Match::What what, const std::string& call);
  /// In a replay: a call has returned that others were told of.
  void end_waiting();
  /// In a replay, says what the process waits for while `call` does not return.
  template <class Call>
  int waiting(const char* name, const Communicator& communicator, int source, int tag, Call call) {
    if (!replays()) return call();
    begin_waiting({name, &communicator, source, tag});
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
  /// Says something on standard error.
  void tell(const std::string& text) const;

 private:
  using Lock = std::unique_lock<CallLock>;
  /// A call that waits in a replay, and for whose message.
  struct WaitingCall {
    const char* name = nullptr;  ///< null: none waits
    const Communicator* communicator = nullptr;
    int source = any, tag = any;
  };

  explicit MpiProcess(RunOrders orders);
  ~MpiProcess();
  [[nodiscard]] bool replays() const { return keeper_.orders.replay() != nullptr; }
  [[nodiscard]] bool is_alone() const {
    return replays() && !keeper_.orders.replay()->only.empty();
  }
  void find_out_who();
  [[nodiscard]] Expected<void> choose_answers();
  [[nodiscard]] Expected<void> open_files();
  [[nodiscard]] Expected<void> open_recording();
  [[nodiscard]] Expected<void> open_journal();
  [[nodiscard]] Expected<void> open_trace();
  [[nodiscard]] Expected<void> must_be_recorded();
  void watch();
  void settle(Lock& lock, Communicator& communicator, Receive& receive, const MPI_Status& status);
  void add(Lock& lock, MpiEvent& event);
  void keep(Lock& lock, MpiEvent& event, bool is_attempt);
  /// The same for an event with one message whose number is known, where `keeps_message` says so.
  void keep(MpiMessage& message);
  [[nodiscard]] MpiEvent& event_of(const MpiMessage& message, const MessageName& name);
  [[nodiscard]] bool keeps_message(std::uint64_t number) const {
    return keeps_messages_alone_ && number != 0 && (!trace_ || trace_->is_empty_handed());
  }
  void note_wildcard(const Receive& receive);
  [[nodiscard]] bool peek(Communicator& communicator, Receive& receive);
  void compare(Lock& lock, const MpiEvent& event, bool is_attempt);
  [[nodiscard]] Prompted<void> compare_digest(const MpiEvent& event, std::uint32_t digest);
  void say(RunReport::Why why, const std::string& text);
  void begin_waiting(const WaitingCall& call);
  void look_for_waiting();
  [[nodiscard]] Prompted<void> check_end();
  [[nodiscard]] Prompted<void> check_abort();
  void say_end(const Prompted<void>& done, bool by_itself);
  void finish(bool by_itself);
  void say_that_it_ends(const std::string& how, bool fails);
  void last_words(int why);
  void tell_of_lost_writes();
  void tell_of_lost(const std::string& file, std::uint64_t events, const Error& error);

  RunKeeper keeper_;
  bool one_thread_ = false;  // only the first may call
  bool errors_return_ = false;
  bool notes_wildcards_ = false;  // their events are noted, to leave out what follows from others
  bool keeps_messages_alone_ = false;  // nobody reads more of an event than its message
  bool peeks_ = true;  // the MPI knows what receives have got that the program has not asked for
  Communicators communicators_;
  Requests requests_;
  Throttle throttle_;
  std::unique_ptr<MpiWatcher> watcher_;  // only the thread of the program uses it
  std::unique_ptr<Answers> answers_;
  std::unique_ptr<ContentsKeeper> contents_;
  std::shared_ptr<Receive> spare_;
  std::uint64_t named_ = 0;  // receives without wildcards that were begun

  CallLock mutex_;  // around what follows; the threads that are not the program's are the others
  std::optional<MpiRecorder> recorder_;
  std::optional<MpiReplayer> replayer_;
  std::optional<MpiTrace> trace_;
  std::uint64_t events_ = 0, flushed_events_ = 0, entries_ = 0, flushed_entries_ = 0;
  MpiEvent event_;                  // the last one, for its memory
  std::string_view digested_call_;  // of the last message
  std::optional<MpiEvent> attempt_;
  std::uint32_t digest_before_attempt_ = 0;
  std::uint64_t deeds_ = 0, empty_polls_ = 0;
  std::uint64_t polls_ = 0;  // that were entered
  WaitingCall waits_in_;
  CoarseClock::time_point waits_since_;
  CallAtHand call_;  // as it was seen last, and since when
  CoarseClock::time_point call_since_;
  bool told_ = false, standing_ = false;
  std::set<std::string> lost_writes_;  // files
  std::atomic<bool> over_ = false;
  std::optional<Alarm> alarm_;
  const FunctionRef<void()>* if_it_ends_ = nullptr;
};

}  // namespace lightcone::mpi
