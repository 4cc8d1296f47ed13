// Every answer of a live process that could have been different comes through here.
#include <lightcone/live/process/process_core.h>

#include <lightcone/live/process/debugger.h>
#include <lightcone/live/process/world.h>
#include <lightcone/run/journal/kept_message.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <thread>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {
namespace {

[[nodiscard]] std::uint32_t mixed(std::uint32_t digest, std::string_view text) {
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(text.data(), text.size(), digest));
}

[[nodiscard]] RowWords words_of(const LiveTrace::Row& row) {
  RowWords words;
  words.kind = row.kind;
  words.sends = row.sent;
  words.takes.assign(row.taken.begin(), row.taken.end());
  words.to.assign(row.to.begin(), row.to.end());
  words.labels.assign(row.state.labels.begin(), row.state.labels.end());
  for (const auto& [name, value] : row.state.variables) {
    words.variables.emplace_back(name, RowWords::spelled(value));
  }
  words.text = row.state.text;
  return words;
}

}  // namespace

/// While a process waits: if whatever it waits in gives up, that is the end of the replay.
class Process::Core::Waiting {
 public:
  explicit Waiting(Core& core) : core_(core), exceptions_(std::uncaught_exceptions()) {}
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    if (std::uncaught_exceptions() <= exceptions_) return;
    const Lock lock(core_.mutex_);
    core_.report(RunReport::Why::waits, core_.door_->prompter->waits_for());
  }

 private:
  Core& core_;
  int exceptions_;
};

Process::Core::~Core() {
  if (standstill_) return;
  if (std::uncaught_exceptions() != 0 && World::here().is_stopping()) {
    if (is_prompted()) report(RunReport::Why::stopped, {});
    return;
  }
  end_snapshots();
  if (!door_) return;
  if (door_->recorder) {
    for (LiveTrace& trace : traces_) static_cast<void>(trace.flush());
    static_cast<void>(door_->recorder->end());
    tell_of_lost_writes();
  }
  if (!is_prompted()) return;
  const auto done = check_end();
  const bool diverged = !done && done.error().why == Standstill::Why::diverged;
  report(diverged ? RunReport::Why::diverged : RunReport::Why::ended,
         done ? std::string() : done.error().text);
}

/// The process ends: whether it did so when it was recorded.
Prompted<void> Process::Core::check_end() {
  auto done = door_->prompter->end();
  if (!door_->recorded) return done;
  const auto row = door_->recorded->next();
  if (!row) return done;
  return ::lightcone::standstill(Standstill::Why::diverged,
                                 fmt::format("recorded: {}; came: it ends", row->line()));
}

MessageIdentity Process::Core::identity_of(const std::optional<Envelope>& envelope) const {
  if (!envelope) return {};
  return {.sender = watcher_.peer_name(envelope->sender),
          .number = envelope->number + 1,
          .channel = envelope->in_channel ? *envelope->in_channel + 1 : 0,
          .receives_known = watcher_.receives_known(*envelope)};
}

/// A message that comes again is kept with its contents, so that a replay needs no network that
/// doubles messages; and one without a tag, since no replayed process will send it.
void Process::Core::enter(const Opened& opened, const std::function<std::string()>& contents) {
  const bool again = !pass(opened, contents);
  if (!door_) return;
  const MessageIdentity identity = identity_of(opened.envelope);
  bool races = true;
  if (opened.envelope) races = watcher_.take(*opened.envelope) || again;
  if (door_->recorder) {
    const bool keep =
        !opened.envelope || again || door_->orders.keeps_contents(identity.sender, options_.name);
    std::optional<std::string> kept;
    if (keep) kept = kept_message(opened.arrival.tag, contents());
    note(door_->recorder->took(identity, races, kept));
  }
}

/// Without a door and snapshots, a message is opened when it is received.
bool Process::Core::took(std::string_view tag, const std::function<std::string()>& contents) {
  if (!door_ && !options_.on_snapshot_part && !EnvelopeCodec::is_marker(tag)) return true;
  Lock lock(mutex_);
  checkpoint_if_due();
  Opened opened{{std::string(tag), {}}, open(tag)};
  enter(opened, contents);
  const bool for_program = !opened.envelope || !opened.envelope->marker;
  if (for_program) keep(std::move(opened));
  tell(lock);
  return for_program;
}

/// Programs that never tell of what they take must not make this grow.
void Process::Core::keep(Opened&& opened) {
  constexpr std::size_t most_opened = 1024;
  opened.arrival.contents.clear();
  if (opened_.size() == most_opened) opened_.erase(opened_.begin());
  opened_.push_back(std::move(opened));
}

void Process::Core::found_nothing() {
  if (!door_) return;
  Lock lock(mutex_);
  checkpoint_if_due();
  if (door_->recorder) note(door_->recorder->found_nothing());
  tell(lock);
}

/// A message that came too early, or that is not sent again.
std::optional<Process::Core::Opened> Process::Core::early_message(std::string_view mailbox) {
  const auto take_from = [&](std::vector<Opened>& early) -> std::optional<Opened> {
    const auto found = std::find_if(early.begin(), early.end(), [&](const Opened& opened) {
      return door_->prompter->admits(identity_of(opened.envelope));
    });
    if (found == early.end()) return std::nullopt;
    Opened opened = std::move(*found);
    early.erase(found);
    return opened;
  };
  if (auto sent_before = take_from(in_transit_)) return sent_before;
  const auto box = early_.find(mailbox);
  return box == early_.end() ? std::nullopt : take_from(box->second);
}

/// Nothing if it is a marker, which the program does not see.
std::optional<ArrivedMessage> Process::Core::let_in(Opened opened) {
  ArrivedMessage arrival = opened.arrival;
  const MessageIdentity identity = identity_of(opened.envelope);
  enter(opened, [&] { return arrival.contents; });
  door_->prompter->took(identity);
  if (opened.envelope && opened.envelope->marker) return std::nullopt;
  keep(std::move(opened));
  return arrival;
}

std::optional<ArrivedMessage> Process::Core::take(std::string_view mailbox, bool polls,
                                                  const Arrive& arrive) {
  Lock lock(mutex_);
  std::optional<ArrivedMessage> taken;
  for (bool found = true; found && !taken && !standstill_;) {
    save_if_explored();
    auto turn = door_->prompter->begin_take(mailbox, polls);
    if (!turn) {
      stand_still(turn.error(), lock);
      return std::nullopt;
    }
    switch (turn->what) {
      case Prompter::Turn::What::nothing:
        if (door_->recorder) note(door_->recorder->found_nothing());
        found = false;
        break;
      case Prompter::Turn::What::stands_in: {
        auto envelope = open(turn->kept.tag);
        taken = let_in({std::move(turn->kept), std::move(envelope)});
        break;
      }
      case Prompter::Turn::What::message: taken = wait_for_message(mailbox, arrive, lock); break;
    }
    tell(lock);
  }
  return taken;
}

/// Messages that come before their turn are kept. Those that came before are dropped, and those
/// without a tag: the journal holds what is needed of them.
std::optional<ArrivedMessage> Process::Core::wait_for_message(std::string_view mailbox,
                                                              const Arrive& arrive, Lock& lock) {
  if (auto early = early_message(mailbox)) return let_in(std::move(*early));
  const Waiting waiting(*this);
  const auto patience = door_->prompter->patience();
  const auto begin = std::chrono::steady_clock::now();
  bool told = false;
  for (;;) {
    lock.unlock();
    auto arrival = arrive(patience);
    lock.lock();
    if (!arrival) {
      if (!is_watched()) {
        stand_still({Standstill::Why::diverged, door_->prompter->waits_for()}, lock);
        return std::nullopt;
      }
      const bool long_enough = std::chrono::steady_clock::now() - begin >= patience;
      if (long_enough && !std::exchange(told, true)) {
        say(RunReport::Why::waits, door_->prompter->waits_for());
      }
      if (!long_enough || told) pause(lock);
      continue;
    }
    Opened opened{std::move(*arrival), {}};
    opened.envelope = open(opened.arrival.tag);
    if (!opened.envelope || taken_[opened.envelope->sender].has(opened.envelope->number)) continue;
    if (door_->prompter->admits(identity_of(opened.envelope))) {
      if (told) say(RunReport::Why::runs, {});
      return let_in(std::move(opened));
    }
    early_[std::string(mailbox)].push_back(std::move(opened));
  }
}

/// Whoever has started an explored process may kill it while others move: what it did so far is
/// kept, however long it waits now.
void Process::Core::save_if_explored() {
  if (door_->orders.mode != RunOrders::Mode::explore) return;
  for (LiveTrace& trace : traces_) note(trace.flush());
  if (door_->recorder) note(door_->recorder->flush());
}

/// What it means that nothing comes depends on what the others do, which only someone who watches
/// all of them knows: until then the process goes on waiting.
bool Process::Core::is_watched() const {
  return !options_.on_report && !door_->orders.reports.empty();
}

/// For a transport that has nothing to say any more and does not wait, either.
void Process::Core::pause(Lock& lock) {
  constexpr std::chrono::milliseconds between_questions{5};
  lock.unlock();
  std::this_thread::sleep_for(between_questions);
  lock.lock();
}

/// A number that the prompter knows, or the world gives; `entry` is how a journal keeps it.
template <class Known, class Given, class Entry>
std::uint64_t Process::Core::answer(const Known& known_by, const Given& given, const Entry& entry) {
  Lock lock(mutex_);
  std::uint64_t value = 0;
  if (is_prompted()) {
    const auto known = known_by(*door_->prompter);
    if (!known) stand_still(known.error(), lock);
    value = known.value_or(0);
  } else {
    value = given();
  }
  if (door_ && door_->recorder) note(door_->recorder->answered(entry(value)));
  return value;
}

std::uint64_t Process::Core::time() {
  return answer([](Prompter& prompter) { return prompter.now(); },
                [] { return World::here().now(); },
                [](std::uint64_t value) { return ClockReading{value}; });
}

std::uint64_t Process::Core::random() {
  return answer([](Prompter& prompter) { return prompter.random(); },
                [] { return World::here().random(); },
                [](std::uint64_t value) { return RandomDraw{value}; });
}

std::uint64_t Process::Core::choose(std::uint64_t alternatives) {
  LIGHTCONE_ASSERT(alternatives != 0);
  return answer([&](Prompter& prompter) { return prompter.choose(alternatives); },
                [&] { return World::here().choose(alternatives); },
                [&](std::uint64_t value) {
                  return BranchTaken{value, alternatives};
                });
}

std::string Process::Core::read(const std::function<std::string()>& from_outside) {
  Lock lock(mutex_);
  std::optional<std::string> known;
  if (is_prompted()) {
    auto answer = door_->prompter->read();
    if (!answer) stand_still(answer.error(), lock);
    known = answer ? std::move(*answer) : std::string();
  }
  lock.unlock();
  std::string value = known ? std::move(*known) : from_outside();
  lock.lock();
  if (door_ && door_->recorder) note(door_->recorder->answered(BytesRead{value}));
  return value;
}

void Process::Core::add_to_digest(const LiveTrace::Row& row) {
  digest_ = digest_ * 31 + static_cast<std::uint32_t>(row.kind);
  for (const std::string& message : row.taken) digest_ = mixed(digest_, message);
  for (const std::string_view receiver : row.to) digest_ = mixed(digest_, receiver);
  for (const std::string_view label : row.state.labels) digest_ = mixed(digest_, label);
  for (const auto& [name, value] : row.state.variables) {
    digest_ = mixed(digest_, name);
    const auto* text = std::get_if<std::string_view>(&value);
    digest_ = mixed(digest_, text != nullptr ? *text : RowWords::spelled(value));
  }
}

/// Compares an event with the one that was recorded in its place.
void Process::Core::check(const LiveTrace::Row& row) {
  add_to_digest(row);
  if (door_->progress) door_->progress->made(counts_.events);
  if (door_->recorder) note(door_->recorder->made(counts_.events, digest_));
  if (!is_prompted() || standstill_) return;
  if (door_->recorded) {
    const auto recorded = door_->recorded->next();
    const std::string line = words_of(row).line();
    if (recorded && recorded->line() != line) {
      standstill_ = {Standstill::Why::diverged,
                     fmt::format("recorded: {}; came: {}", recorded->line(), line)};
      return;
    }
    if (!recorded) door_->recorded.reset();
  }
  const auto words = [&] { return words_of(row).line(); };
  const auto done = door_->prompter->made(counts_.events, digest_, words);
  if (!done) standstill_ = done.error();
}

/// After an event: whether the process must stop here.
void Process::Core::look_around(Lock& lock) {
  if (standstill_ && !reported_) stand_still(Standstill(*standstill_), lock);
  const auto& until = door_->orders.until;
  if (!until || reported_ || until->process != options_.name || until->event != counts_.events) {
    return;
  }
  report(RunReport::Why::until, {});
  lock.unlock();
  stand_for_debugger();
  lock.lock();
}

/// Reports how far it is. A later report replaces it.
void Process::Core::say(RunReport::Why why, const std::string& text) {
  if (!is_watched() || reported_) return;
  const RunReport report{options_.name, why, counts_.events, text, ::getpid()};
  note(report.write(door_->orders.reports));
}

void Process::Core::report(RunReport::Why why, const std::string& text) {
  if (reported_) return;
  for (LiveTrace& trace : traces_) note(trace.flush());
  say(why, text);
  reported_ = true;
  if (options_.on_report) {
    options_.on_report({options_.name, why, counts_.events, text, ::getpid()});
  }
}

void Process::Core::stand_still(const Standstill& why, Lock& lock) {
  standstill_ = why;
  const std::array<RunReport::Why, 3> words = {
      RunReport::Why::diverged, RunReport::Why::recording_ended, RunReport::Why::stopped};
  report(words[static_cast<std::size_t>(why.why)], why.text);
  const std::string text =
      fmt::format("lightcone: {}, event {}: {}", options_.name, counts_.events, why.text);
  lock.unlock();
  World::here().stand_still(text);
  lock.lock();
}

}  // namespace lightcone
