// What is kept of an MPI process, and what a replay tells it.
#include "process/mpi_process.h"

#include "process/call_site.h"

#include <lightcone/live/process/debugger.h>
#include <lightcone/recording.h>
#include <lightcone/run/recording/lost_writes.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "answers/alone_answers.h"
#include "answers/contents_keeper.h"
#include "answers/controlled_answers.h"
#include "answers/world_answers.h"
#include "calls/mpi_functions.h"
#include "end/last_words.h"

namespace lightcone::mpi {
namespace {

using Why = RunReport::Why;
using std::chrono::milliseconds;

MpiProcess* current = nullptr;
MpiProcess* alone = nullptr;  // if it is; also after its end, when the MPI frees attributes
bool is_inside = false;
// Read by the thread that watches.
std::atomic<const char*> call_name = nullptr;
std::atomic<std::uint64_t> call_number = 0;
std::atomic<bool> others_were_told = false;  // that the call at hand waits
pthread_t inside_of, first_thread;

[[nodiscard]] double seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

[[nodiscard]] EventDigest digest_of(std::uint32_t before, Kind kind, const char* call, int tag) {
  EventDigest digest{before};
  digest.add(static_cast<std::uint32_t>(kind));
  if (call != nullptr) digest.add(std::string_view(call));
  digest.add(static_cast<std::uint32_t>(tag));
  return digest;
}

/// Over what is known of an event at once: numbers of messages may come later.
[[nodiscard]] std::uint32_t digest_of(std::uint32_t before, const MpiEvent& event) {
  EventDigest digest = digest_of(before, event.kind, event.labels.call, event.labels.tag);
  if (event.sends) digest.add(*event.sends->prefix);
  for (const MessageName& message : event.takes) digest.add(*message.prefix);
  for (const std::string& label : event.own.labels) digest.add(label);
  return digest.value;
}

/// The controller ends the program soon. If it does not, it is no longer there.
[[noreturn]] void wait_to_be_ended() {
  std::this_thread::sleep_for(std::chrono::seconds(30));
  std::_Exit(EXIT_FAILURE);
}

[[nodiscard]] MpiEvent without_send(MpiEvent event) {
  event.send_nothing();
  return event;
}

/// The MPI that a plugin of the program has loaded for itself, as interpreters do.
[[nodiscard]] void* loaded_mpi() {
  std::string path;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        const std::string_view file = info->dlpi_name;
        if (!file.substr(file.rfind('/') + 1).starts_with("libmpi")) return 0;
        *static_cast<std::string*>(data) = file;
        return 1;
      },
      &path);
  return path.empty() ? RTLD_NEXT : ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

[[noreturn]] void refuse_threads() {
  MpiProcess::refuse_exploration("MPI is called from several threads, whose order is not explored");
  say_why_it_ends(
      "MPI is called from several threads, whose order cannot be recorded: run the program with "
      "one thread that calls MPI");
  MpiProcess::end(false);
  std::_Exit(EXIT_FAILURE);  // another thread may be inside of the MPI, which may not be called now
}

}  // namespace

bool is_inside_of_call() {
  return current != nullptr && is_inside && ::pthread_equal(inside_of, ::pthread_self()) != 0;
}

void* find_real(const char* name) {
  void* found = ::dlsym(RTLD_NEXT, name);
  if (found == nullptr) found = ::dlsym(loaded_mpi(), name);
  if (found != nullptr) return found;
  std::fprintf(stderr, "lightcone: the MPI library has no %s\n", name);
  std::abort();
}

MpiProcess* MpiProcess::of_this_call() {
  if (current == nullptr) return nullptr;
  if (is_inside) {
    if (::pthread_equal(inside_of, ::pthread_self()) != 0) return nullptr;
    refuse_threads();
  }
  if (current->one_thread_ && ::pthread_equal(first_thread, ::pthread_self()) == 0) {
    refuse_threads();
  }
  return current;
}

MpiProcess* MpiProcess::alone_in_callback() {
  const bool is_elsewhere = is_inside && ::pthread_equal(inside_of, ::pthread_self()) == 0;
  return is_elsewhere ? nullptr : alone;
}

LIGHTCONE_CALLED_EARLY MpiProcess* MpiProcess::of_first_thread() {
  const bool counts =
      current != nullptr && !is_inside && ::pthread_equal(first_thread, ::pthread_self()) != 0;
  return counts ? current : nullptr;
}

Inside::Inside(const char* call) {
  inside_of = ::pthread_self();
  is_inside = true;
  if (call == nullptr) return;
  call_number.store(call_number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  call_name.store(call, std::memory_order_release);
}

Inside::~Inside() {
  call_name.store(nullptr, std::memory_order_relaxed);
  if (others_were_told.load(std::memory_order_relaxed) && current != nullptr) {
    current->end_waiting();
  }
  is_inside = false;
}

GoesOn::GoesOn() : call_(call_name.exchange(nullptr)) {}

GoesOn::~GoesOn() { call_name.store(call_); }

CallAtHand call_at_hand() {
  const char* const name = call_name.load(std::memory_order_acquire);
  return {name, call_number.load(std::memory_order_relaxed)};
}

void MpiProcess::begin(int threads) {
  auto orders = RunOrders::from_environment();
  if (!orders) {
    std::fprintf(stderr, "lightcone: %s\n", orders.error().text().c_str());
    return;
  }
  if (!*orders || current != nullptr) return;
  static MpiProcess* rank = nullptr;  // lives until the process ends: others may still ask it
  rank = new MpiProcess(std::move(**orders));
  const Inside inside;
  rank->one_thread_ = threads == MPI_THREAD_MULTIPLE;
  if (threads == MPI_THREAD_SERIALIZED) rank->mutex_.let_several_call();
  first_thread = ::pthread_self();
  rank->find_out_who();
  if (rank->replays() && !rank->is_alone()) {
    rank->throttle_.begin(rank->keeper_.orders.replay()->reports, rank->number(),
                          rank->communicators_.size());
  }
  auto opened = rank->open_files();
  if (opened) opened = rank->choose_answers();
  if (!opened) {
    rank->tell(opened.error().text());
    LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 2);
  }
  current = rank;
  if (rank->is_alone()) alone = rank;
  if (rank->replays()) rank->say(Why::runs, {});
  if (rank->trace_) rank->trace_->add({.kind = Kind::initial, .time = seconds_now()});
  std::thread([] { rank->watch(); }).detach();
  // A controller may let others move first.
  const bool is_explored = rank->keeper_.orders.explore() != nullptr;
  keep_last_words([](int why) { rank->last_words(why); },
                  std::chrono::seconds(is_explored ? 30 : 1));
}

MpiProcess::MpiProcess(RunOrders orders) : keeper_{.orders = std::move(orders)} {}

MpiProcess::~MpiProcess() = default;

/// A process that runs alone is told which one it is.
void MpiProcess::find_out_who() {
  if (is_alone()) {
    keeper_.process = keeper_.orders.replay()->only.front();
  } else {
    communicators_.begin();
    keeper_.process = process_name(communicators_.rank());
  }
}

Expected<void> MpiProcess::choose_answers() {
  const RunOrders& orders = keeper_.orders;
  if (is_alone()) {
    peeks_ = false;
    answers_ = std::make_unique<AloneAnswers>(*this, *replayer_);
  } else if (replays()) {
    answers_ = std::make_unique<JournalAnswers>(*this, *replayer_, standings());
  } else if (const ExploreOrders* const explore = orders.explore()) {
    auto explored = ExploredProcess::begin(*this, *explore, communicators_.size());
    if (!explored) return failure(explored.error());
    peeks_ = false;
    answers_ = std::make_unique<ControlledAnswers>(*this, std::move(*explored));
  } else {
    answers_ = std::make_unique<WorldAnswers>(*this);
    alarm_.emplace(orders.directory + "/recording.json");  // which all have
    const RecordOrders& record = *orders.record();
    if (!record.contents.empty() && record.keeps_contents({}, keeper_.process)) {
      contents_ = std::make_unique<ContentsKeeper>(*this);
      contents_->began(communicators_.size(), LIGHTCONE_MPI_NAME);
      flush();  // who is cut off early can be replayed alone, too
    }
    notes_wildcards_ = record.journal == JournalKind::races && contents_ == nullptr;
    keeps_messages_alone_ = recorder_ && watcher_ == nullptr && !notes_wildcards_;
  }
  return {};
}

/// A process without a journal goes no further.
Expected<void> MpiProcess::must_be_recorded() {
  const auto why = RunKeeper::unrecorded(keeper_.orders, keeper_.process);
  if (!why) return failure(why.error());
  if (*why) stand_still(**why);
  return {};
}

Expected<void> MpiProcess::open_recording() {
  if (auto opened = keeper_.open_progress(); !opened) return opened;
  if (auto recorded = must_be_recorded(); !recorded) return recorded;
  const std::string path = Recording::journal_path(keeper_.orders.directory, keeper_.process);
  auto replayer = MpiReplayer::open(path, is_alone());
  if (!replayer) return failure(replayer.error());
  replayer_.emplace(std::move(*replayer));
  keeper_.open_rows(1);  // after the initial state
  if (!is_alone()) return {};
  const auto beginning = AloneAnswers::read_beginning(*replayer_);
  if (!beginning) return failure("has no contents to replay it alone", path);
  int number = 0;
  const std::string_view digits = std::string_view(keeper_.process).substr(4);  // after `rank`
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  communicators_.begin_alone(number, beginning->size);
  return {};
}

Expected<void> MpiProcess::open_files() {
  if (replays()) {
    if (auto opened = open_recording(); !opened) return opened;
  } else {
    if (auto opened = open_journal(); !opened) return opened;
  }
  const RecordOrders* const record = keeper_.orders.record();
  if (record != nullptr && !record->watch.empty()) {
    auto watcher = MpiWatcher::make(record->watch, communicators_.rank(), communicators_.size());
    if (!watcher) return failure(watcher.error());
    watcher_ = std::move(*watcher);
  }
  return open_trace();
}

/// A program that is recorded goes on without a file that cannot be made, as on a full disk.
Expected<void> MpiProcess::open_journal() {
  const RunOrders& orders = keeper_.orders;
  const std::string path = Recording::journal_path(orders.directory, keeper_.process);
  const JournalHeader header{keeper_.process, JournalKind::full, false};
  auto recorder = MpiRecorder::create(path, header);
  if (recorder) {
    recorder_.emplace(std::move(*recorder));
  } else if (orders.record() != nullptr) {
    recorder_.emplace(MpiRecorder::missing(path, header, recorder.error()));
    tell_of_lost_writes();
  } else {
    return failure(recorder.error());
  }
  return {};
}

Expected<void> MpiProcess::open_trace() {
  const RunOrders& orders = keeper_.orders;
  const RecordOrders* const record = orders.record();
  const std::string& folder = replays() ? orders.replay()->traces : orders.directory;
  if (folder.empty() || (record != nullptr && record->journal_only)) return {};
  const std::string path = Recording::trace_path(folder, keeper_.process);
  auto trace = MpiTrace::create(path, keeper_.process);
  if (trace) {
    trace_.emplace(std::move(*trace));
    if (record != nullptr && record->backtrace) trace_->list_sites(path + ".sites");
  } else if (orders.record() != nullptr) {
    tell_of_lost(path, 0, trace.error());
  } else {
    return failure(trace.error());
  }
  return {};
}

void MpiProcess::end(bool by_itself) {
  MpiProcess* const rank = std::exchange(current, nullptr);
  if (rank != nullptr) rank->finish(by_itself);
}

void MpiProcess::abort(int code) {
  const Inside inside;
  if (current != nullptr) {
    current->say_that_it_ends(fmt::format("called MPI_Abort with code {}", code), code != 0);
  }
  end(false);
}

void MpiProcess::refuse_exploration(const std::string& why) {
  const auto orders = RunOrders::from_environment();
  if (!orders || !*orders || (*orders)->explore() == nullptr) return;
  auto channel = ControlChannel::connect((*orders)->explore()->controller);
  if (!channel) return;
  const std::string who = current == nullptr ? "a process" : current->keeper_.process;
  channel->say(control::Refuses{fmt::format("{}: {}", who, why)});
  wait_to_be_ended();
}

void MpiProcess::tell(const std::string& text) const {
  std::fputs(fmt::format("lightcone: {}: {}\n", keeper_.process, text).c_str(), stderr);
}

/// Writes what has happened, and says that the process waits, while it does not return from a call.
void MpiProcess::watch() {
  constexpr milliseconds step{250};
  for (int steps = 0;; ++steps) {
    const bool is_raised = alarm_ && alarm_->wait(step);
    if (!alarm_) std::this_thread::sleep_for(step);
    if (over_) return;
    if (is_raised || steps % 4 == 3) flush();
    if (replays()) look_for_waiting();
  }
}

/// Says once that the process waits in a call: for what, if that is known.
void MpiProcess::look_for_waiting() {
  const auto now = CoarseClock::now();
  const std::lock_guard lock(mutex_.others());
  const CallAtHand call = call_at_hand();
  if (call != call_) {
    call_ = call;
    call_since_ = now;
  }
  if (told_ || standing_ || call.name == nullptr) return;
  const bool is_known = waits_in_.name != nullptr;
  if (now - (is_known ? waits_since_ : call_since_) < keeper_.orders.replay()->patience) return;
  told_ = true;
  others_were_told = true;
  const WaitingCall& in = waits_in_;
  say(Why::waits, "waits in " + (is_known ? describe(in.name, *in.communicator, in.source, in.tag)
                                          : call.name));
}

void MpiProcess::flush() {
  const std::lock_guard lock(mutex_.others());
  if (over_ || (events_ == flushed_events_ && entries_ == flushed_entries_)) return;
  flushed_events_ = events_;
  flushed_entries_ = entries_;
  if (trace_) static_cast<void>(trace_->flush());
  if (recorder_) static_cast<void>(recorder_->flush());
  tell_of_lost_writes();
}

/// Each file once, as soon as it is known.
void MpiProcess::tell_of_lost_writes() {
  if (!recorder_) return;
  const JournalWriter& journal = recorder_->writer();
  if (journal.error()) tell_of_lost(journal.path(), journal.kept_events(), *journal.error());
  if (!trace_) return;
  const LctAppender& trace = trace_->appender();
  if (trace.error()) tell_of_lost(trace.path(), trace.kept_events(), *trace.error());
}

void MpiProcess::tell_of_lost(const std::string& file, std::uint64_t events, const Error& error) {
  if (!lost_writes_.insert(file).second) return;
  const LostWrite lost{keeper_.process, file, events, error.what};
  tell(lost.text());
  if (const RecordOrders* const record = keeper_.orders.record()) lost.tell(record->lost_writes);
}

void MpiProcess::say(RunReport::Why why, const std::string& text) {
  static_cast<void>(keeper_.say(why, events_, text));
}

void MpiProcess::begin_waiting(const WaitingCall& call) {
  const std::lock_guard lock(mutex_);
  waits_in_ = call;
  waits_since_ = CoarseClock::now();
}

void MpiProcess::end_waiting() {
  const std::lock_guard lock(mutex_);
  waits_in_ = {};
  others_were_told = false;
  if (std::exchange(told_, false)) say(Why::runs, {});
}

void MpiProcess::stand_still(const Standstill& why) {
  {
    const std::lock_guard lock(mutex_);
    standing_ = true;
    if (trace_) static_cast<void>(trace_->flush());
    say(RunKeeper::why_of(why), why.text);
  }
  if (why.why == Standstill::Why::diverged) tell(fmt::format("event {}: {}", events_, why.text));
  if (keeper_.orders.explore() != nullptr) wait_to_be_ended();
  for (;;) ::pause();  // the replay ends it
}

void MpiProcess::stand_without_message(MpiReplayer::Match::What what, const std::string& call) {
  using What = MpiReplayer::Match::What;
  if (what == What::never && !replayer_->has_end()) {
    stand_still({Standstill::Why::recording_ended, "the recording ends while it waits in " + call});
  }
  stand_still(
      {Standstill::Why::diverged,
       fmt::format("recorded: {}; came: it waits in {}",
                   what == What::never ? "no message for it, up to its end" : "it is cancelled",
                   call)});
}

/// Most receives are over before the next one begins.
const std::shared_ptr<Receive>& MpiProcess::new_receive(int source, int tag) {
  if (spare_ == nullptr || spare_.use_count() != 1) {
    spare_ = std::make_shared<Receive>();
  } else {
    *spare_ = {};
  }
  spare_->begun = events_;
  if (source != MPI_ANY_SOURCE) spare_->source = source;
  if (tag != MPI_ANY_TAG) spare_->tag = tag;
  return spare_;
}

void MpiProcess::enter(const JournalEntry& entry) {
  const std::lock_guard lock(mutex_);
  recorder_->add(entry);
  ++entries_;
  ++deeds_;
}

bool MpiProcess::enter_poll(bool found) {
  const std::lock_guard lock(mutex_);
  recorder_->add(PollResult{found, 1});
  ++polls_;
  ++entries_;
  ++(found ? deeds_ : empty_polls_);
  return found;
}

void MpiProcess::enter_clock(const ClockValue& value) {
  const std::lock_guard lock(mutex_);
  recorder_->add(value);
  ++entries_;
}

void MpiProcess::add(MpiEvent event) {
  std::unique_lock lock(mutex_);
  add(lock, event);
}

void MpiProcess::add(Lock& lock, MpiEvent& event) { keep(lock, event, false); }

void MpiProcess::attempt(MpiEvent event) {
  std::unique_lock lock(mutex_);
  digest_before_attempt_ = keeper_.digest;
  attempt_ = event;
  keep(lock, event, true);
}

bool MpiProcess::end_attempt(bool sent) {
  std::unique_lock lock(mutex_);
  if (!attempt_) return sent;
  MpiEvent event = *std::exchange(attempt_, std::nullopt);
  const bool in_time = !trace_ || trace_->end_attempt(sent);
  if (!sent && in_time) {
    event.send_nothing();
    keeper_.digest = digest_of(digest_before_attempt_, event);
    if (recorder_) recorder_->made(events_, keeper_.digest);
    if (watcher_ != nullptr) watcher_->withdraw();
  }
  const Prompted<void> same = replayer_ ? compare_digest(event, keeper_.digest) : Prompted<void>();
  if (same) return sent || !in_time;
  lock.unlock();
  stand_still(same.error());
}

void MpiProcess::keep(MpiMessage& message) {
  ++events_;
  ++deeds_;
  LIGHTCONE_ASSERT(message.labels.call != nullptr);
  if (message.labels.call != digested_call_.data()) digested_call_ = message.labels.call;
  EventDigest digest{keeper_.digest};
  digest.add(static_cast<std::uint32_t>(message.kind), digested_call_,
             static_cast<std::uint32_t>(message.labels.tag), message.prefix);
  keeper_.digest = digest.value;
  recorder_->made(events_, keeper_.digest);
  if (!trace_) return;
  message.time = seconds_now();
  const RecordOrders* const record = keeper_.orders.record();
  message.site = record != nullptr && record->backtrace ? call_site() : nullptr;
  trace_->add(message);
}

void MpiProcess::keep(Lock& lock, MpiEvent& event, bool is_attempt) {
  if (watcher_ != nullptr) {  // which may have to wait for a tag
    lock.unlock();
    watcher_->event(event);
    lock.lock();
  }
  ++events_;
  keeper_.made(events_);
  ++deeds_;
  keeper_.digest = digest_of(keeper_.digest, event);
  if (recorder_) recorder_->made(events_, keeper_.digest);
  if (trace_) {
    event.time = seconds_now();
    const RecordOrders* const record = keeper_.orders.record();
    event.site = record != nullptr && record->backtrace ? call_site() : nullptr;
    if (is_attempt) {
      trace_->attempt(event);
    } else {
      trace_->add(event);
    }
  }
  if (replayer_) compare(lock, event, is_attempt);  // the trace has the event that differs, too
  if (!keeper_.stops_after(events_)) return;
  if (trace_) static_cast<void>(trace_->flush());
  standing_ = true;
  say(Why::until, {});
  lock.unlock();
  stand_for_debugger();
}

/// Compares the events up to here with the journal.
Prompted<void> MpiProcess::compare_digest(const MpiEvent& event, std::uint32_t digest) {
  return replayer_->made(events_, digest, [&] { return event.words().line(); });
}

/// Compares an event with the recorded one. One that sends if its call succeeds may have sent
/// nothing: whether it has is compared at its end.
void MpiProcess::compare(Lock& lock, const MpiEvent& event, bool is_attempt) {
  const auto words = [&] { return event.words(); };
  const auto unsent = [&] { return without_send(event).words(); };
  Prompted<void> same =
      is_attempt ? keeper_.compare_row(words, unsent) : keeper_.compare_row(words);
  if (same) {
    same = compare_digest(event, keeper_.digest);
    if (!same && is_attempt) {
      const auto without = digest_of(digest_before_attempt_, without_send(event));
      if (compare_digest(event, without)) return;
    }
  }
  if (same) return;
  lock.unlock();
  stand_still(same.error());
}

}  // namespace lightcone::mpi
