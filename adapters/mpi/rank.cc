// What is kept of an MPI process, and what a replay tells it.
#include "rank.h"

#include <lightcone/choices/recording.h>
#include <lightcone/live/debugger.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "last_words.h"
#include "real.h"

namespace lightcone::mpi {
namespace {

using Why = RunReport::Why;
using std::chrono::milliseconds;

Rank* current = nullptr;
bool is_inside = false;
pthread_t inside_of, first_thread;

[[nodiscard]] double seconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

[[nodiscard]] std::uint32_t mixed(std::uint32_t digest, std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(text.data(), text.size(), digest));
}

/// Over what is known of an event at once: numbers of messages may come later.
[[nodiscard]] std::uint32_t digest_of(std::uint32_t before, const RankEvent& event) {
  std::uint32_t digest = before * 31 + static_cast<std::uint32_t>(event.kind);
  if (event.labels.call != nullptr) digest = mixed(digest, event.labels.call);
  digest = digest * 31 + static_cast<std::uint32_t>(event.labels.tag);
  if (event.sends) digest = mixed(digest, *event.sends->prefix);
  for (const MessageName& message : event.takes) digest = mixed(digest, *message.prefix);
  for (const std::string& label : event.own.labels) digest = mixed(digest, label);
  return digest;
}

[[nodiscard]] RankEvent without_send(RankEvent event) {
  event.send_nothing();
  return event;
}

[[noreturn]] void refuse_threads() {
  std::fputs(
      "lightcone: MPI is called from several threads, whose order cannot be recorded: run the "
      "program with one thread that calls MPI\n",
      stderr);
  std::this_thread::sleep_for(milliseconds(200));  // some launchers drop what came just before
  Rank::end(false);
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

Rank* Rank::of_this_call() {
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

Rank* Rank::of_first_thread() {
  const bool counts =
      current != nullptr && !is_inside && ::pthread_equal(first_thread, ::pthread_self()) != 0;
  return counts ? current : nullptr;
}

Inside::Inside() {
  inside_of = ::pthread_self();
  is_inside = true;
}

Inside::~Inside() { is_inside = false; }

void Rank::begin(bool many_threads) {
  auto orders = RunOrders::from_environment();
  if (!orders) {
    std::fprintf(stderr, "lightcone: %s\n", orders.error().text().c_str());
    return;
  }
  if (!*orders || current != nullptr) return;
  static Rank* rank = nullptr;  // lives until the process ends: others may still ask it
  rank = new Rank(std::move(**orders));
  const Inside inside;
  rank->one_thread_ = many_threads;
  first_thread = ::pthread_self();
  rank->communicators_.begin();
  rank->name_ = process_name(rank->communicators_.rank());
  if (auto opened = rank->open_files(); !opened) {
    rank->tell(opened.error().text());
    LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 2);
  }
  if (rank->orders_.mode == Mode::explore) {
    auto explored = Explored::begin(*rank, rank->orders_.controller, rank->communicators_.size());
    if (!explored) {
      rank->tell(explored.error().text());
      LIGHTCONE_REAL(Abort)(MPI_COMM_WORLD, 2);
    }
    rank->explored_.emplace(std::move(*explored));
  }
  current = rank;
  if (rank->replays()) rank->say(Why::runs, {});
  if (rank->trace_) rank->trace_->add({.kind = Kind::initial, .time = seconds_now()});
  std::thread([] { rank->watch(); }).detach();
  keep_last_words([] { rank->flush(); });
}

Expected<void> Rank::open_files() {
  cancelled_.open(orders_.directory, name_, replays());
  if (replays()) {
    auto script = RankScript::open(Recording::journal_path(orders_.directory, name_));
    if (!script) return failure(script.error());
    script_.emplace(std::move(*script));
    auto rows = RecordedRows::open(Recording::trace_path(orders_.directory, name_));
    if (rows) {
      recorded_.emplace(std::move(*rows));
      static_cast<void>(recorded_->next());  // the initial state
    }
  } else {
    auto journal = RankJournal::create(Recording::journal_path(orders_.directory, name_), name_);
    if (!journal) return failure(journal.error());
    journal_.emplace(std::move(*journal));
  }
  const std::string& folder = replays() ? orders_.traces : orders_.directory;
  if (!orders_.watch.empty()) {
    auto watcher = RankWatcher::make(orders_.watch, communicators_.rank(), communicators_.size());
    if (!watcher) return failure(watcher.error());
    watcher_ = std::move(*watcher);
  }
  if (folder.empty() || orders_.journal_only) return {};
  auto trace = RankTrace::create(Recording::trace_path(folder, name_), name_);
  if (!trace) return failure(trace.error());
  trace_.emplace(std::move(*trace));
  return {};
}

void Rank::end(bool by_itself) {
  Rank* const rank = std::exchange(current, nullptr);
  if (rank == nullptr) return;
  if (by_itself) rank->look_after();
  if (rank->explored_ && by_itself) rank->explored_->end();
  std::unique_lock lock(rank->mutex_);
  if (rank->trace_) static_cast<void>(rank->trace_->flush(true));
  if (rank->journal_) {
    static_cast<void>(by_itself ? rank->journal_->end() : rank->journal_->flush());
    if (const auto& error = rank->journal_->error()) rank->tell(error->text());
  }
  if (rank->script_ && by_itself) {
    const auto done = rank->script_->end();
    rank->say(done ? Why::ended : Why::diverged, done ? std::string() : done.error().text);
  } else if (rank->script_) {
    rank->say(Why::ended, {});
  }
  rank->over_ = true;
  lock.unlock();
  if (by_itself && rank->watcher_ != nullptr) rank->watcher_->end();
}

/// What receives that the program gave up have taken in the end.
void Rank::look_after() {
  for (auto& [handle, request] : requests_.freed) {
    int is_over = 0;
    MPI_Status status;
    LIGHTCONE_REAL(Test)(&handle, &is_over, &status);
    if (is_over != 0) matched(*request.communicator, *request.receive, status);
  }
}

void Rank::tell(const std::string& text) const {
  std::fputs(fmt::format("lightcone: {}: {}\n", name_, text).c_str(), stderr);
}

/// Writes what has happened, and says that the process waits, while it does not return from a call.
void Rank::watch() {
  constexpr milliseconds step{250};
  for (int steps = 0;; ++steps) {
    std::this_thread::sleep_for(step);
    if (over_) return;
    if (steps % 4 == 3) flush();
    const std::lock_guard lock(mutex_);
    if (waits_for_.empty() || told_ || standing_) continue;
    if (std::chrono::steady_clock::now() - waits_since_ < orders_.patience) continue;
    told_ = true;
    say(Why::waits, waits_for_);
  }
}

void Rank::flush() {
  const std::lock_guard lock(mutex_);
  if (over_ || (events_ == flushed_events_ && entries_ == flushed_entries_)) return;
  flushed_events_ = events_;
  flushed_entries_ = entries_;
  if (trace_) static_cast<void>(trace_->flush());
  if (journal_) static_cast<void>(journal_->flush());
}

void Rank::say(RunReport::Why why, const std::string& text) {
  if (orders_.reports.empty()) return;
  const RunReport report{name_, why, events_, text, ::getpid()};
  static_cast<void>(report.write(orders_.reports));
}

void Rank::begin_waiting(std::string what) {
  const std::lock_guard lock(mutex_);
  waits_for_ = "waits in " + std::move(what);
  waits_since_ = std::chrono::steady_clock::now();
}

void Rank::end_waiting() {
  const std::lock_guard lock(mutex_);
  waits_for_.clear();
  if (std::exchange(told_, false)) say(Why::runs, {});
}

void Rank::stand_still(const Standstill& why) {
  {
    const std::lock_guard lock(mutex_);
    standing_ = true;
    if (trace_) static_cast<void>(trace_->flush());
    constexpr std::array<Why, 3> words = {Why::diverged, Why::recording_ended, Why::stopped};
    say(words[static_cast<std::size_t>(why.why)], why.text);
  }
  if (why.why == Standstill::Why::diverged) tell(fmt::format("event {}: {}", events_, why.text));
  for (;;) ::pause();  // whoever runs the replay ends it
}

template <class T>
T Rank::given(Prompted<T> answer) {
  if (!answer) stand_still(answer.error());
  return std::move(*answer);
}

Rank::Aim Rank::aim(int source, int tag) {
  Aim aim{spare_receive(), source, tag};
  if (source != MPI_ANY_SOURCE) aim.receive->source = source;
  if (tag != MPI_ANY_TAG) aim.receive->tag = tag;
  if (!aim.receive->is_wildcard()) return aim;
  if (!replays()) {
    aim.receive->choice = journal_->open();
    return aim;
  }
  const auto match = given(script_->match(*(aim.receive->choice = script_->open())));
  aim.what = match.what;
  if (match.what != RankScript::Match::What::message) return aim;
  aim.receive->channel = match.channel;
  aim.source = match.channel.source;
  aim.tag = match.channel.tag;
  return aim;
}

/// Most receives are over before the next one begins.
std::shared_ptr<Receive> Rank::spare_receive() {
  if (spare_ == nullptr || spare_.use_count() != 1) {
    spare_ = std::make_shared<Receive>();
  } else {
    *spare_ = {};
  }
  return spare_;
}

void Rank::post(Communicator& communicator, const std::shared_ptr<Receive>& receive) {
  communicator.posted.post(receive);
}

void Rank::add(RankEvent event) {
  std::unique_lock lock(mutex_);
  add(lock, event);
}

void Rank::add(std::unique_lock<std::mutex>& lock, RankEvent& event) { keep(lock, event, false); }

void Rank::attempt(RankEvent event) {
  std::unique_lock lock(mutex_);
  digest_before_attempt_ = digest_;
  attempt_ = event;
  keep(lock, event, true);
}

bool Rank::end_attempt(bool sent) {
  std::unique_lock lock(mutex_);
  if (!attempt_) return sent;
  const RankEvent event = without_send(*std::exchange(attempt_, std::nullopt));
  const bool in_time = !trace_ || trace_->end_attempt(sent);
  if (!sent && in_time) {
    digest_ = digest_of(digest_before_attempt_, event);
    if (journal_) journal_->made(events_, digest_);
    if (watcher_ != nullptr) watcher_->withdraw();
  }
  if (script_) compare_digest(lock);
  return sent || !in_time;
}

void Rank::keep(std::unique_lock<std::mutex>& lock, RankEvent& event, bool is_attempt) {
  if (watcher_ != nullptr) {  // which may have to wait for a tag
    lock.unlock();
    watcher_->event(event);
    lock.lock();
  }
  ++events_;
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
  const auto& until = orders_.until;
  if (!until || until->event != events_ || until->process != name_) return;
  if (trace_) static_cast<void>(trace_->flush());
  standing_ = true;
  say(Why::until, {});
  lock.unlock();
  stand_for_debugger();
}

/// Compares an event with the recorded one. One that sends if its call succeeds may have sent
/// nothing: this is known, and the digest compared, at the end of the call.
void Rank::compare(std::unique_lock<std::mutex>& lock, const RankEvent& event, bool is_attempt) {
  if (recorded_) {
    const auto recorded = recorded_->next();
    const std::string line = event.words().line();
    const bool same = !recorded || recorded->line() == line ||
                      (is_attempt && recorded->line() == without_send(event).words().line());
    if (!recorded) recorded_.reset();
    if (!same) {
      lock.unlock();
      stand_still({Standstill::Why::diverged,
                   fmt::format("recorded: {}; came: {}", recorded->line(), line)});
    }
  }
  if (!is_attempt) compare_digest(lock);
}

void Rank::compare_digest(std::unique_lock<std::mutex>& lock) {
  const Prompted<void> same = script_->made(events_, digest_);
  if (same) return;
  lock.unlock();
  stand_still(same.error());
}

// Explored processes live in a time of their own, the same in every execution: a microsecond passes
// whenever they look.
double Rank::clock() {
  const double now =
      explored_ ? 1e-6 * static_cast<double>(++clock_readings_) : LIGHTCONE_REAL(Wtime)();
  return std::bit_cast<double>(read_clock(std::bit_cast<std::uint64_t>(now)));
}

std::uint64_t Rank::time(std::uint64_t now) {
  return read_clock(explored_ ? 1000 * ++clock_readings_ : now);
}

std::uint64_t Rank::read_clock(std::uint64_t now) {
  if (script_) return given(script_->read_clock());
  const std::lock_guard lock(mutex_);
  journal_->read_clock(now);
  ++entries_;
  return now;
}

std::optional<std::string> Rank::fetched(std::string_view bytes) {
  if (!script_) {
    const std::lock_guard lock(mutex_);
    journal_->read_bytes(bytes);
    ++entries_;
    return std::nullopt;
  }
  std::string recorded = given(script_->read_bytes());
  if (recorded.size() != bytes.size()) {
    stand_still({Standstill::Why::diverged,
                 fmt::format("recorded: {} bytes are fetched from a window; came: {}",
                             recorded.size(), bytes.size())});
  }
  return recorded;
}

bool Rank::keeps_more() {
  if (keeps_more_) return *keeps_more_;
  keeps_more_ = !script_ || script_->keeps_more();
  if (journal_) enter_choice(0, more_kinds);
  return *keeps_more_;
}

bool Rank::enter_poll(bool found) {
  const std::lock_guard lock(mutex_);
  journal_->polled(found);
  ++entries_;
  return found;
}

bool Rank::recorded_poll(const char* call) { return given(script_->poll(call)); }

void Rank::enter_choice(std::uint64_t which, std::uint64_t of) {
  const std::lock_guard lock(mutex_);
  journal_->chose(which, of);
  ++entries_;
}

void Rank::enter_refusal() { enter_choice(0, refused_call); }

std::uint64_t Rank::recorded_choice(std::uint64_t of, const char* call) {
  return given(script_->choose(of, call));
}

}  // namespace lightcone::mpi
