// How an MPI process ends: by MPI_Finalize, by MPI_Abort, inside of a call that fails, by a signal.
#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "answers/answers.h"
#include "end/last_words.h"
#include "process/mpi_process.h"

namespace lightcone::mpi {

using Why = RunReport::Why;

void MpiProcess::finish(bool by_itself) {
  if (by_itself) {
    answers_->look_after();
    answers_->end();
  }
  std::unique_lock lock(mutex_.others());
  if (trace_) static_cast<void>(trace_->flush(by_itself));
  if (recorder_) {
    static_cast<void>(by_itself ? recorder_->end() : recorder_->flush());
    tell_of_lost_writes();
  }
  if (replayer_) say_end(by_itself ? check_end() : check_abort(), by_itself);
  over_ = true;
  lock.unlock();
  if (!by_itself && alarm_) alarm_->raise();
  if (by_itself && watcher_ != nullptr) watcher_->end();
}

/// Checks whether the process comes to its end after the events that were recorded.
Prompted<void> MpiProcess::check_end() {
  return keeper_.compare_end(replayer_->end(), "MPI_Finalize");
}

/// Checks whether the process ended all others there when it was recorded.
Prompted<void> MpiProcess::check_abort() { return replayer_->break_off("it calls MPI_Abort"); }

void MpiProcess::say_end(const Prompted<void>& done, bool by_itself) {
  if (!done) return say(Why::diverged, done.error().text);
  if (by_itself) return say(Why::ended, {});
  say(Why::breaks_off, "it called MPI_Abort, where the recording ends");
}

void MpiProcess::enter_match(Receive* receive, const MPI_Status& status) {
  const std::lock_guard lock(mutex_);
  if (receive == nullptr || status.MPI_SOURCE < 0 || !recorder_) return;
  if (!receive->choice || std::exchange(receive->entered, true)) return;
  recorder_->matched(*receive->choice, status.MPI_SOURCE, status.MPI_TAG);
  ++entries_;
}

void MpiProcess::say_that_it_ends(const std::string& how, bool fails) {
  flush();
  answers_->ends_before_its_end(how, fails);
}

namespace {

/// `is` or `was` comes before it.
[[nodiscard]] std::string ending(int why, const char* call) {
  if (why == by_exit) return "left without MPI_Finalize";
  if (why == in_call) {
    return fmt::format("ended inside of {}, by an error that is fatal",
                       call == nullptr ? "an MPI call" : call);
  }
  return fmt::format("died of signal {} ({})", why, ::sigdescr_np(why));
}

[[nodiscard]] bool is_wish(int signal) {
  return signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

}  // namespace

/// The process ends before MPI_Finalize. In a replay, those that wait for what happens now are
/// told: it ended by itself, or someone wanted it to end.
void MpiProcess::last_words(int why) {
  if (over_ || standing_) return flush();
  if (why == in_call && if_it_ends_ != nullptr) (*if_it_ends_)();
  flush();
  const std::string how = ending(why, call_at_hand().name);
  if (!is_wish(why)) {
    if (alarm_) alarm_->raise();
    answers_->ends_before_its_end(how, why != by_exit);
  }
  if (!replayer_ || why == by_exit) return;
  const std::lock_guard lock(mutex_.others());
  if (is_wish(why)) {
    return say(Why::stopped, fmt::format("was ended by signal {} ({})", why, ::sigdescr_np(why)));
  }
  const auto done = replayer_->break_off("it " + how);
  say(done ? Why::breaks_off : Why::diverged,
      done ? fmt::format("it {}, where the recording ends", how) : done.error().text);
}

}  // namespace lightcone::mpi
