// What is kept of an MPI process, and what a replay tells it.
#include "process/mpi_process.h"

#include <lightcone/live/process/debugger.h>
#include <lightcone/recording.h>
#include <lightcone/run/recording/lost_writes.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "calls/mpi_functions.h"
#include "process/last_words.h"

namespace lightcone::mpi {
namespace {

using Why = RunReport::Why;
using std::chrono::milliseconds;

MpiProcess* current = nullptr;
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

[[nodiscard]] std::uint32_t mixed(std::uint32_t digest, std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(text.data(), text.size(), digest));
}

/// Over what is known of an event at once: numbers of messages may come later.
[[nodiscard]] std::uint32_t digest_of(std::uint32_t before, const MpiEvent& event) {
  std::uint32_t digest = before * 31 + static_cast<std::uint32_t>(event.kind);
  if (event.labels.call != nullptr) digest = mixed(digest, event.labels.call);
  digest = digest * 31 + static_cast<std::uint32_t>(event.labels.tag);
  if (event.sends) digest = mixed(digest, *event.sends->prefix);
  for (const MessageName& message : event.takes) digest = mixed(digest, *message.prefix);
  for (const std::string& label : event.own.labels) digest = mixed(digest, label);
  return digest;
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

[[noreturn]] void refuse_threads() {
  std::fputs(
      "lightcone: MPI is called from several threads, whose order cannot be recorded: run the "
      "program with one thread that calls MPI\n",
      stderr);
  MpiProcess::refuse_exploration("MPI is called from several threads, whose order is not explored");
  std::this_thread::sleep_for(milliseconds(200));  // some launchers drop what came just before
  MpiProcess::end(false);
  LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace

void* find_real(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
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

void MpiProcess::begin(bool many_threads) {
  auto orders = RunOrders::from_environment();
  if (!orders) {
    std::fprintf(stderr, "lightcone: %s\n", orders.error().text().c_str());
    return;
  }
  if (!*orders || current != nullptr) return;
  static MpiProcess* rank = nullptr;  // lives until the process ends: others may still ask it
  rank = new MpiProcess(std::move(**orders));
  const Inside inside;
  rank->one_thread_ = many_threads;
  first_thread = ::pthread_self();
  rank->communicators_.begin();
  rank->name_ = process_name(rank->communicators_.rank());
  if (auto opened = rank->open_files(); !opened) {
    rank->tell(opened.error().text());
    LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 2);
  }
  if (const ExploreOrders* const explore = rank->orders_.explore()) {
    const ExploredProcess::Ways ways{explore->acknowledges, explore->unbuffered};
    auto explored =
        ExploredProcess::begin(*rank, explore->controller, rank->communicators_.size(), ways);
    if (!explored) {
      rank->tell(explored.error().text());
      LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 2);
    }
    rank->explored_.emplace(std::move(*explored));
  }
  current = rank;
  if (rank->replays()) {
    rank->throttle_.begin(rank->orders_.replay()->reports, rank->number(),
                          rank->communicators_.size());
    rank->say(Why::runs, {});
  }
  if (rank->trace_) rank->trace_->add({.kind = Kind::initial, .time = seconds_now()});
  std::thread([] { rank->watch(); }).detach();
  keep_last_words([](int signal) { rank->last_words(signal); });
}

/// A process without a journal is one that was not there, unless the program was killed before it
/// could begin: then it is not to begin now.
Expected<void> MpiProcess::must_be_recorded() {
  std::error_code unknown;
  const std::string path = Recording::journal_path(orders_.directory, name_);
  if (std::filesystem::file_size(path, unknown) != 0 && !unknown) return {};
  const auto complete = Recording::is_complete(orders_.directory);
  if (!complete) return failure(complete.error());
  if (!*complete) stand_still({Standstill::Why::recording_ended, "it had not started yet"});
  stand_still({Standstill::Why::diverged, "recorded: no such process; came: it starts"});
}

Expected<void> MpiProcess::open_recording() {
  if (const std::string& reports = orders_.replay()->reports; !reports.empty()) {
    auto progress = RunProgress::create(reports, name_);
    if (!progress) return failure(progress.error());
    progress_.emplace(std::move(*progress));
  }
  if (auto recorded = must_be_recorded(); !recorded) return recorded;
  auto script = MpiScript::open(Recording::journal_path(orders_.directory, name_));
  if (!script) return failure(script.error());
  script_.emplace(std::move(*script));
  auto rows = RecordedRows::open(Recording::trace_path(orders_.directory, name_));
  if (rows) {
    recorded_.emplace(std::move(*rows));
    static_cast<void>(recorded_->next());  // the initial state
  }
  return {};
}

Expected<void> MpiProcess::open_files() {
  cancelled_.open(orders_.directory, name_, replays());
  if (replays()) {
    if (auto opened = open_recording(); !opened) return opened;
  } else {
    if (auto opened = open_journal(); !opened) return opened;
  }
  const RecordOrders* const record = orders_.record();
  if (record != nullptr && !record->watch.empty()) {
    auto watcher = MpiWatcher::make(record->watch, communicators_.rank(), communicators_.size());
    if (!watcher) return failure(watcher.error());
    watcher_ = std::move(*watcher);
  }
  return open_trace();
}

/// A program that is recorded goes on without a file that cannot be made, as on a full disk.
Expected<void> MpiProcess::open_journal() {
  const std::string path = Recording::journal_path(orders_.directory, name_);
  auto journal = MpiJournal::create(path, name_);
  if (journal) {
    journal_.emplace(std::move(*journal));
  } else if (orders_.record() != nullptr) {
    journal_.emplace(MpiJournal::missing(path, name_, journal.error()));
    tell_of_lost_writes();
  } else {
    return failure(journal.error());
  }
  return {};
}

Expected<void> MpiProcess::open_trace() {
  const RecordOrders* const record = orders_.record();
  const std::string& folder = replays() ? orders_.replay()->traces : orders_.directory;
  if (folder.empty() || (record != nullptr && record->journal_only)) return {};
  const std::string path = Recording::trace_path(folder, name_);
  auto trace = MpiTrace::create(path, name_);
  if (trace) {
    trace_.emplace(std::move(*trace));
  } else if (orders_.record() != nullptr) {
    tell_of_lost(path, 0, trace.error());
  } else {
    return failure(trace.error());
  }
  return {};
}

void MpiProcess::end(bool by_itself) {
  MpiProcess* const rank = std::exchange(current, nullptr);
  if (rank == nullptr) return;
  if (by_itself) rank->look_after();
  if (rank->explored_ && by_itself) rank->explored_->end();
  std::unique_lock lock(rank->mutex_);
  if (rank->trace_) static_cast<void>(rank->trace_->flush(by_itself));
  if (rank->journal_) {
    static_cast<void>(by_itself ? rank->journal_->end() : rank->journal_->flush());
    rank->tell_of_lost_writes();
  }
  if (rank->script_) rank->say_end(by_itself ? rank->check_end() : rank->check_abort(), by_itself);
  rank->over_ = true;
  lock.unlock();
  if (by_itself && rank->watcher_ != nullptr) rank->watcher_->end();
}

/// Checks whether the process comes to its end after the events that were recorded.
Prompted<void> MpiProcess::check_end() {
  auto done = script_->end();
  const auto row = recorded_ ? recorded_->next() : std::nullopt;
  if (!row) return done;
  return standstill(Standstill::Why::diverged,
                    fmt::format("recorded: {}; came: MPI_Finalize", row->line()));
}

/// Checks whether the process ended all others there when it was recorded.
Prompted<void> MpiProcess::check_abort() { return script_->break_off("it calls MPI_Abort"); }

void MpiProcess::say_end(const Prompted<void>& done, bool by_itself) {
  if (!done) return say(Why::diverged, done.error().text);
  if (by_itself) return say(Why::ended, {});
  say(Why::breaks_off, "it called MPI_Abort, where the recording ends");
}

/// A signal comes that ends the process, or it leaves (0). In a replay, those that wait for what
/// happens now are told: it died by itself, or someone wanted it to end.
void MpiProcess::last_words(int signal) {
  flush();
  if (!script_ || over_ || signal == 0) return;
  const std::lock_guard lock(mutex_);
  if (standing_) return;
  const std::string died = fmt::format("signal {} ({})", signal, ::sigdescr_np(signal));
  if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
    return say(Why::stopped, "was ended by " + died);
  }
  const auto done = script_->break_off("it died of " + died);
  say(done ? Why::breaks_off : Why::diverged,
      done ? fmt::format("it died of {}, where the recording ends", died) : done.error().text);
}

/// What receives that the program gave up have taken in the end.
void MpiProcess::look_after() {
  for (auto& [handle, request] : requests_.freed) {
    int is_over = 0;
    MPI_Status status;
    LIGHTCONE_REAL(Test)(&handle, &is_over, &status);
    if (is_over != 0) matched(*request.communicator, *request.receive, status);
  }
}

void MpiProcess::refuse_exploration(const std::string& why) {
  const auto orders = RunOrders::from_environment();
  if (!orders || !*orders || (*orders)->explore() == nullptr) return;
  auto channel = ControlChannel::connect((*orders)->explore()->controller);
  if (!channel) return;
  const std::string who = current == nullptr ? "a process" : current->name_;
  channel->say(control::Refuses{fmt::format("{}: {}", who, why)});
  wait_to_be_ended();
}

void MpiProcess::tell(const std::string& text) const {
  std::fputs(fmt::format("lightcone: {}: {}\n", name_, text).c_str(), stderr);
}

/// Writes what has happened, and says that the process waits, while it does not return from a call.
void MpiProcess::watch() {
  constexpr milliseconds step{250};
  for (int steps = 0;; ++steps) {
    std::this_thread::sleep_for(step);
    if (over_) return;
    if (steps % 4 == 3) flush();
    if (replays()) look_for_waiting();
  }
}

/// Says once that the process waits in a call: for what, if that is known.
void MpiProcess::look_for_waiting() {
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard lock(mutex_);
  const CallAtHand call = call_at_hand();
  if (call != call_) {
    call_ = call;
    call_since_ = now;
  }
  if (told_ || standing_ || call.name == nullptr) return;
  const bool is_known = !waits_for_.empty();
  if (now - (is_known ? waits_since_ : call_since_) < orders_.replay()->patience) return;
  told_ = true;
  others_were_told = true;
  say(Why::waits, is_known ? waits_for_ : fmt::format("waits in {}", call.name));
}

void MpiProcess::flush() {
  const std::lock_guard lock(mutex_);
  if (over_ || (events_ == flushed_events_ && entries_ == flushed_entries_)) return;
  flushed_events_ = events_;
  flushed_entries_ = entries_;
  if (trace_) static_cast<void>(trace_->flush());
  if (journal_) static_cast<void>(journal_->flush());
  tell_of_lost_writes();
}

/// Each file once, as soon as it is known.
void MpiProcess::tell_of_lost_writes() {
  if (!journal_) return;
  const JournalWriter& journal = journal_->writer();
  if (journal.error()) tell_of_lost(journal.path(), journal.kept_events(), *journal.error());
  if (cancelled_.error()) tell_of_lost(cancelled_.path(), 0, *cancelled_.error());
  if (!trace_) return;
  const LctAppender& trace = trace_->appender();
  if (trace.error()) tell_of_lost(trace.path(), trace.kept_events(), *trace.error());
}

void MpiProcess::tell_of_lost(const std::string& file, std::uint64_t events, const Error& error) {
  if (!lost_writes_.insert(file).second) return;
  const LostWrite lost{name_, file, events, error.what};
  tell(lost.text());
  if (orders_.record() != nullptr) lost.tell(orders_.record()->lost_writes);
}

void MpiProcess::say(RunReport::Why why, const std::string& text) {
  if (orders_.reports().empty()) return;
  const RunReport report{name_, why, events_, text, ::getpid()};
  static_cast<void>(report.write(std::string(orders_.reports())));
}

void MpiProcess::begin_waiting(std::string what) {
  const std::lock_guard lock(mutex_);
  waits_for_ = "waits in " + std::move(what);
  waits_since_ = std::chrono::steady_clock::now();
}

void MpiProcess::end_waiting() {
  const std::lock_guard lock(mutex_);
  waits_for_.clear();
  others_were_told = false;
  if (std::exchange(told_, false)) say(Why::runs, {});
}

void MpiProcess::stand_still(const Standstill& why) {
  {
    const std::lock_guard lock(mutex_);
    standing_ = true;
    if (trace_) static_cast<void>(trace_->flush());
    constexpr std::array<Why, 3> words = {Why::diverged, Why::recording_ended, Why::stopped};
    say(words[static_cast<std::size_t>(why.why)], why.text);
  }
  if (why.why == Standstill::Why::diverged) tell(fmt::format("event {}: {}", events_, why.text));
  if (explored_) wait_to_be_ended();
  for (;;) ::pause();  // the replay ends it
}

void MpiProcess::stand_without_message(MpiScript::Match::What what, const std::string& call) {
  using What = MpiScript::Match::What;
  if (what == What::never && !script_->has_end()) {
    stand_still({Standstill::Why::recording_ended, "the recording ends while it waits in " + call});
  }
  stand_still(
      {Standstill::Why::diverged,
       fmt::format("recorded: {}; came: it waits in {}",
                   what == What::never ? "no message for it, up to its end" : "it is cancelled",
                   call)});
}

MpiProcess::Aim MpiProcess::aim(int source, int tag) {
  Aim aim{spare_receive(), source, tag};
  if (source != MPI_ANY_SOURCE) aim.receive->source = source;
  if (tag != MPI_ANY_TAG) aim.receive->tag = tag;
  if (Standings* const standings = throttle_.standings()) {
    standings->asks(source == MPI_ANY_SOURCE, tag == MPI_ANY_TAG ? -1 : tag);
  }
  if (!aim.receive->is_wildcard()) return aim;
  if (!replays()) {
    aim.receive->choice = journal_->open();
    return aim;
  }
  const auto match = given(script_->match(*(aim.receive->choice = script_->open())));
  aim.what = match.what;
  if (match.what != MpiScript::Match::What::message) return aim;
  aim.receive->channel = match.channel;
  aim.source = match.channel.source;
  aim.tag = match.channel.tag;
  return aim;
}

/// Most receives are over before the next one begins.
std::shared_ptr<Receive> MpiProcess::spare_receive() {
  if (spare_ == nullptr || spare_.use_count() != 1) {
    spare_ = std::make_shared<Receive>();
  } else {
    *spare_ = {};
  }
  return spare_;
}

void MpiProcess::post(Communicator& communicator, const std::shared_ptr<Receive>& receive) {
  communicator.posted.post(receive);
}

void MpiProcess::add(MpiEvent event) {
  std::unique_lock lock(mutex_);
  add(lock, event);
}

void MpiProcess::add(std::unique_lock<std::mutex>& lock, MpiEvent& event) {
  keep(lock, event, false);
}

void MpiProcess::attempt(MpiEvent event) {
  std::unique_lock lock(mutex_);
  digest_before_attempt_ = digest_;
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
    digest_ = digest_of(digest_before_attempt_, event);
    if (journal_) journal_->made(events_, digest_);
    if (watcher_ != nullptr) watcher_->withdraw();
  }
  const Prompted<void> same = script_ ? compare_digest(event, digest_) : Prompted<void>();
  if (same) return sent || !in_time;
  lock.unlock();
  stand_still(same.error());
}

void MpiProcess::keep(std::unique_lock<std::mutex>& lock, MpiEvent& event, bool is_attempt) {
  if (watcher_ != nullptr) {  // which may have to wait for a tag
    lock.unlock();
    watcher_->event(event);
    lock.lock();
  }
  ++events_;
  if (progress_) progress_->made(events_);
  ++deeds_;
  digest_ = digest_of(digest_, event);
  if (journal_) journal_->made(events_, digest_);
  if (script_) compare(lock, event, is_attempt);
  if (trace_) {
    event.time = seconds_now();
    if (is_attempt) {
      trace_->attempt(event);
    } else {
      trace_->add(event);
    }
  }
  const auto until = replays() ? orders_.replay()->until : std::nullopt;
  if (!until || until->event != events_ || until->process != name_) return;
  if (trace_) static_cast<void>(trace_->flush());
  standing_ = true;
  say(Why::until, {});
  lock.unlock();
  stand_for_debugger();
}

/// Compares an event with that of the recorded trace, where there is one. One that sends if its
/// call succeeds may have sent nothing.
Prompted<void> MpiProcess::compare_row(const MpiEvent& event, bool is_attempt) {
  const auto recorded = recorded_ ? recorded_->next() : std::nullopt;
  if (!recorded) {
    recorded_.reset();
    return {};
  }
  const std::string line = event.words().line(), expected = recorded->line();
  if (expected == line) return {};
  if (is_attempt && expected == without_send(event).words().line()) return {};
  return standstill(Standstill::Why::diverged,
                    fmt::format("recorded: {}; came: {}", expected, line));
}

/// Compares the events up to here with the journal.
Prompted<void> MpiProcess::compare_digest(const MpiEvent& event, std::uint32_t digest) {
  return script_->made(events_, digest, [&] { return event.words().line(); });
}

/// Compares an event with the recorded one. Whether an attempt has sent is compared at its end.
void MpiProcess::compare(std::unique_lock<std::mutex>& lock, const MpiEvent& event,
                         bool is_attempt) {
  Prompted<void> same = compare_row(event, is_attempt);
  if (same) {
    same = compare_digest(event, digest_);
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
