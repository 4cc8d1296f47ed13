// The inside of a live process: its events, the messages it takes, and the answers it gets. Every
// answer that could have been different comes through its door.
#include <lightcone/live/process/process_core.h>

#include <lightcone/live/process/debugger.h>
#include <lightcone/live/process/surroundings.h>
#include <lightcone/run/journal/kept_message.h>
#include <lightcone/trace/digest.h>

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace lightcone {

Process::Core::Core(ProcessOptions options, CompiledProperties properties, std::uint64_t agreement,
                    std::vector<LiveTrace> traces, std::optional<RunDoor> door)
    : options_(std::move(options)),
      name_(incarnation_of(options_.name).name),
      watcher_(std::move(properties), agreement, options_,
               door && door->journal == JournalKind::races),
      traces_(std::move(traces)),
      door_(std::move(door)),
      inbox_({options_, watcher_, counts_, [this] { return bounds(); },
              [this](Error error) { errors_.push_back(std::move(error)); },
              [this](std::string_view what, std::string hint) { warn(what, std::move(hint)); }}),
      notices_(options_, traces_, door_),
      snapshots_({options_, watcher_, traces_, door_, counts_, inbox_,
                  [this](const Expected<void>& done) { note(done); },
                  [this](std::string_view what, std::string hint) { warn(what, std::move(hint)); },
                  [this](const SnapshotPart& part) { monitored_.give(part); }}),
      monitored_(options_, counts_, snapshots_) {
  if (is_prompted()) watcher_.expect_early_messages();
}

void Process::Core::start(const LiveState& initial) {
  Lock lock(mutex_);
  watcher_.start(initial);
  if (is_prompted()) say(RunReport::Why::runs, {});
  if (restored()) return resume(lock);
  snapshots_.begin_checkpoints();
  record({.kind = Kind::initial, .state = initial});
  finish(nullptr, initial);
  tell(lock);
}

void Process::Core::event(const LiveState& given, const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  const LiveState& state = watcher_.timed(given);
  watcher_.event(Kind::internal, state);
  record({.kind = Kind::internal, .state = state, .where = &where});
  finish(&where, state);
  tell(lock);
}

std::string Process::Core::send(std::span<const std::string_view> to, const LiveState& given,
                                const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  const LiveState& state = watcher_.timed(given);
  const std::uint64_t number = counts_.sent++;
  watcher_.event(Kind::send, state);
  std::string tag = watcher_.send(to, number, snapshots_.colours());
  snapshots_.sent();
  if (is_prompted()) door_->prompter->sent(to, number + 1);
  counts_.tag_bytes += tag.size();
  if (names_sends()) put_message_name(sent_name_, options_.name, number);
  record({.kind = Kind::send,
          .state = state,
          .sent = sent_name_,
          .to = to,
          .where = &where,
          .digest = keeps_digests() && state.contents ? digest_of(*state.contents) : 0});
  finish(&where, state);
  tell(lock);
  return tag;
}

/// Without a door and snapshots, a message is opened here, not when it is taken.
std::string Process::Core::receive(std::span<TakenMessage> messages, const LiveState& state,
                                   const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  for (TakenMessage& message : messages) {
    LIGHTCONE_ASSERT(message.taken_by_ == this);
    message.taken_by_ = nullptr;
    if (message.opened_) {
      inbox_.receive(std::move(message.opened_));
      message.opened_.reset();
    } else {
      receive_untaken(message.tag_);
    }
  }
  return make_receive(state, where, lock);
}

std::string Process::Core::receive(std::span<const std::string_view> tags, const LiveState& state,
                                   const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  if (door_) refuse_untaken(lock);
  for (const std::string_view tag : tags) receive_untaken(tag);
  return make_receive(state, where, lock);
}

/// Where the process cannot be prompted, the message is at least recorded and compared.
void Process::Core::receive_untaken(std::string_view tag) {
  auto opened = inbox_.open_again(tag);
  enter(
      *opened, [] { return std::string(); }, false);
  inbox_.receive(std::move(opened));
}

std::string Process::Core::make_receive(const LiveState& given, const std::source_location& where,
                                        Lock& lock) {
  const LiveState& state = watcher_.timed(given);
  const ReceivedBatch& received = inbox_.received_batch(names_sends() || door_);
  counts_.redelivered += received.redelivered;
  const std::string sender(received.sender);
  if (received.envelopes.empty()) {
    watcher_.event(Kind::internal, state);
    record({.kind = Kind::internal, .state = state, .where = &where});
  } else {
    ++counts_.received;
    watcher_.receive(received.envelopes, state);
    record({.kind = Kind::receive,
            .state = state,
            .taken = received.names,
            .duplicate = received.redelivered != 0,
            .where = &where,
            .digest = keeps_digests() ? digest_of_all(received.digests) : 0});
  }
  inbox_.finish_receive();
  finish(&where, state);
  tell(lock);
  return sender;
}

/// A message that the process has not asked for cannot be chosen by others: `record` says so the
/// first time, and a process that is prompted goes no further.
void Process::Core::refuse_untaken(Lock& lock) {
  constexpr std::string_view why = "it receives a message that it has not asked for";
  if (is_prompted()) {
    door_->prompter->refuse(fmt::format("{}: {}", options_.name, why));
    return stand_still({Standstill::Why::diverged, std::string(why)}, lock);
  }
  notices_.tell_of_unasked_receive(counts_.events);
}

void Process::Core::tell_of_unwatched() {
  Lock lock(mutex_);
  for (const std::string& name : watcher_.unwatched()) {
    const auto text =
        fmt::format("{}: {} is about global states and is not watched live", options_.name, name);
    errors_.push_back(failure(text, {}, 0, "check it on the trace").value());
  }
  tell(lock);
}

Expected<void> Process::Core::flush() {
  const Lock lock(mutex_);
  Expected<void> own = {};
  for (LiveTrace& trace : traces_) {
    auto done = trace.flush();
    if (notices_.is_recorded(trace.appender().path())) {
      note(done);
    } else if (own) {
      own = std::move(done);
    }
  }
  if (door_ && door_->recorder) note(door_->recorder->flush());
  return own;
}

ProcessCounts Process::Core::counts() const {
  const Lock lock(mutex_);
  ProcessCounts counts = counts_;
  counts.tag_entries = watcher_.entries_sent();
  counts.unreported = monitored_.lost();
  return counts;
}

std::vector<std::pair<std::string, std::uint32_t>> Process::Core::clock() const {
  const Lock lock(mutex_);
  std::vector<std::pair<std::string, std::uint32_t>> entries;
  for (std::uint32_t k = 0; options_.clocks && k < watcher_.clock().size(); ++k) {
    if (watcher_.clock()[k] != 0) {
      entries.emplace_back(watcher_.peer_name(k), watcher_.clock()[k]);
    }
  }
  return entries;
}

/// A recording has been further already than the process that is prompted.
Watcher::Bounds Process::Core::bounds() const {
  if (is_prompted()) return {};
  constexpr std::uint64_t most_ahead = std::uint64_t{1} << 32;
  const auto& [snapshot, checkpoint] = snapshots_.colours();
  return {{snapshot + most_ahead, checkpoint + most_ahead}, counts_.sent};
}

void Process::Core::note_failure(const Error& error) {
  if (notices_.is_new(error)) errors_.push_back(error);
  notices_.tell_of_lost_writes();
}

void Process::Core::record(const LiveTrace::Row& row) {
  for (LiveTrace& trace : traces_) {
    const auto done = trace.add(row);
    if (!done) ++counts_.trace_failures;
    note(done);
  }
  if (door_) note(door_->made(row, counts_.events));
  if (monitored_.is_monitored()) monitored_.record(row);
}

/// Says where and with which labels what was detected happened.
void Process::Core::complete(const std::source_location* where, const LiveState& state) {
  for (Error& error : watcher_.errors()) errors_.push_back(std::move(error));
  watcher_.errors().clear();
  for (Detection& detection : watcher_.detections()) {
    detection.event = counts_.events;
    detection.labels.assign(state.labels.begin(), state.labels.end());
    if (!state.source.empty()) {
      detection.source = state.source;
    } else if (where != nullptr) {
      detection.source = LiveTrace::source_text(*where);
    }
  }
}

void Process::Core::call_back(Lock& lock) {
  const std::vector<Detection> detections = std::exchange(watcher_.detections(), {});
  const std::vector<Error> errors = std::exchange(errors_, {});
  const std::vector<std::string> parts = std::exchange(snapshots_.parts(), {});
  lock.unlock();
  for (const Error& error : errors) {
    if (options_.on_error) options_.on_error(error);
  }
  for (const Detection& detection : detections) {
    if (options_.on_detection) options_.on_detection(detection);
  }
  for (const std::string& part : parts) options_.on_snapshot_part(part);
  lock.lock();
}

void Process::Core::warn(std::string_view what, std::string hint) {
  auto text = fmt::format("{}, event {}: {}", options_.name, counts_.events, what);
  errors_.push_back(failure(std::move(text), {}, 0, std::move(hint)).value());
}

void Process::Core::report_by(std::unique_ptr<Reporter> reporter) {
  monitored_.report_by(std::move(reporter), [this](const Reporter::SnapshotQuestion& asked) {
    Lock lock(mutex_);
    if (monitored_.has_ended()) return;  // its last part is made without the lock
    monitored_.answer(asked);
    tell(lock);
  });
}

std::uint64_t Process::Core::begin_snapshot() {
  Lock lock(mutex_);
  const std::uint64_t number = snapshots_.begin();
  if (number == 0)
    warn("no snapshot can be started: their numbers are used up", "restart the program");
  tell(lock);
  return number;
}

/// The recording counts it as a message, since a replay waits for it.
std::string Process::Core::marker(std::string_view to) {
  Lock lock(mutex_);
  const std::uint64_t number = counts_.sent++;
  std::string tag = watcher_.marker(to, number, snapshots_.colours());
  snapshots_.sent_marker();
  if (is_prompted()) door_->prompter->sent(std::span(&to, 1), number + 1);
  counts_.tag_bytes += tag.size();
  return tag;
}

/// Goes on from a checkpoint.
void Process::Core::resume(Lock& lock) {
  for (OpenedMessage& opened : snapshots_.resume()) {
    take_over(restored_.emplace_back(), std::make_shared<OpenedMessage>(std::move(opened)));
  }
  for (const InTransitPart& message : door_->from->in_transit) {
    auto kept = message_kept(message.contents);
    if (!kept) continue;  // its receive will report this
    inbox_.add_in_transit(inbox_.open(std::move(*kept)));
  }
  lock.unlock();
  options_.restore(door_->from->checkpoint.state);
  lock.lock();
  tell(lock);
}

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
  end_monitoring();
  if (door_ && door_->standstill) return;
  if (std::uncaught_exceptions() != 0 && Surroundings::here().is_stopping()) {
    if (is_prompted()) report(RunReport::Why::stopped, {});
    return;
  }
  snapshots_.end();
  if (!door_) return;
  if (door_->recorder) {
    for (LiveTrace& trace : traces_) static_cast<void>(trace.flush());
    static_cast<void>(door_->recorder->end());
    notices_.tell_of_lost_writes();
  }
  if (!is_prompted()) return;
  const auto done = door_->end();
  const bool diverged = !done && done.error().why == Standstill::Why::diverged;
  report(diverged ? RunReport::Why::diverged : RunReport::Why::ended,
         done ? std::string() : done.error().text);
}

/// A message that comes again is kept with its contents, so that a replay needs no network that
/// doubles messages; and one without a tag, since no replayed process will send it.
/// No contents are known of one that the process receives without having taken it.
void Process::Core::enter(OpenedMessage& opened, const std::function<std::string()>& contents,
                          bool are_known) {
  const bool again = !snapshots_.pass(opened, contents);
  if (!door_) return;
  if (are_known && keeps_digests()) opened.digest = digest_of(contents());
  const MessageIdentity identity = inbox_.identity_of(opened);
  const bool races = !opened.envelope || watcher_.take(*opened.envelope) || again;
  if (door_->recorder) {
    const RecordOrders* const orders = door_->orders.record();
    const bool keep = !opened.envelope || again ||
                      (orders != nullptr && orders->keeps_contents(identity.sender, options_.name));
    std::optional<std::string> kept;
    if (keep) kept = kept_message(opened.arrival.tag, contents());
    note(door_->recorder->took(identity, races, kept));
  }
}

void Process::Core::take_over(TakenMessage& message, std::shared_ptr<OpenedMessage>&& opened) {
  message.taken_by_ = this;
  inbox_.hold(opened);
  message.opened_ = std::move(opened);
  if (monitored_.is_monitored()) monitored_.took();
}

/// Without a door and snapshots, a message is opened when it is received.
TakenMessage Process::Core::took(std::string&& tag, const std::function<std::string()>& contents) {
  TakenMessage message;
  if (opens_later() && !EnvelopeCodec::is_marker(tag)) {
    message.taken_by_ = this;
    message.tag_ = std::move(tag);
    return message;
  }
  Lock lock(mutex_);
  save_if_due();
  auto opened = inbox_.open_again(tag);
  enter(*opened, contents);
  if (!opened->envelope || !opened->envelope->marker) take_over(message, std::move(opened));
  tell(lock);
  return message;
}

std::vector<TakenMessage> Process::Core::restored_messages() {
  const Lock lock(mutex_);
  return std::exchange(restored_, {});
}

void Process::Core::found_nothing() {
  if (!door_ && !monitored_.is_monitored()) return;
  Lock lock(mutex_);
  save_if_due();
  if (door_ && door_->recorder) note(door_->recorder->found_nothing());
  tell(lock);
}

/// Nothing if it is a marker, which the program does not see.
TakenMessage Process::Core::let_in(OpenedMessage opened) {
  std::string& contents = opened.arrival.contents;
  const MessageIdentity identity = inbox_.identity_of(opened);
  enter(opened, [&] { return contents; });
  door_->prompter->took(identity);
  if (opened.envelope && opened.envelope->marker) return {};
  std::string kept = std::move(contents);
  TakenMessage message;
  take_over(message, std::make_shared<OpenedMessage>(std::move(opened)));
  message.contents_ = std::move(kept);
  return message;
}

TakenMessage Process::Core::take(std::string_view mailbox, Intake::Patience patience,
                                 const Intake::Arrive& arrive) {
  if (is_prompted()) return take_prompted(mailbox, patience.has_value(), arrive);
  while (auto arrival = arrive(patience)) {
    auto message = took(std::move(arrival->tag), [&] { return arrival->contents; });
    if (!message) continue;
    message.contents_ = std::move(arrival->contents);
    return message;
  }
  found_nothing();
  return {};
}

TakenMessage Process::Core::take_prompted(std::string_view mailbox, bool polls,
                                          const Intake::Arrive& arrive) {
  Lock lock(mutex_);
  TakenMessage message;
  for (bool found = true; found && !message && !door_->standstill;) {
    save_if_explored();
    auto turn = door_->prompter->begin_take(mailbox, polls);
    if (!turn) {
      stand_still(turn.error(), lock);
      return {};
    }
    switch (turn->what) {
      case Prompter::Turn::What::nothing:
        if (door_->recorder) note(door_->recorder->found_nothing());
        found = false;
        break;
      case Prompter::Turn::What::stands_in:
        message = let_in(inbox_.open(std::move(turn->kept)));
        break;
      case Prompter::Turn::What::message: message = wait_for_message(mailbox, arrive, lock); break;
    }
    tell(lock);
  }
  return message;
}

/// Keeps messages that come before their turn. Drops others: the journal has what is needed.
TakenMessage Process::Core::wait_for_message(std::string_view mailbox, const Intake::Arrive& arrive,
                                             Lock& lock) {
  const auto admits = [&](const OpenedMessage& opened) {
    return door_->prompter->admits(inbox_.identity_of(opened));
  };
  if (auto early = inbox_.next(mailbox, admits)) return let_in(std::move(*early));
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
        return {};
      }
      const bool long_enough = std::chrono::steady_clock::now() - begin >= patience;
      if (long_enough && !std::exchange(told, true)) {
        say(RunReport::Why::waits, door_->prompter->waits_for());
      }
      if (!long_enough || told) pause(lock);
      continue;
    }
    OpenedMessage opened = inbox_.open(std::move(*arrival));
    if (!opened.envelope) continue;
    if (inbox_.taken()[opened.envelope->sender].has(opened.envelope->number)) continue;
    if (admits(opened)) {
      if (told) say(RunReport::Why::runs, {});
      return let_in(std::move(opened));
    }
    inbox_.add_early(mailbox, std::move(opened));
  }
}

/// An explored process may be killed while others move: what it did so far is kept.
void Process::Core::save_if_explored() {
  if (door_->orders.explore() == nullptr) return;
  for (LiveTrace& trace : traces_) note(trace.flush());
  if (door_->recorder) note(door_->recorder->flush());
}

/// What it means that nothing comes depends on what the others do, which only someone who watches
/// all of them knows: until then the process goes on waiting.
bool Process::Core::is_watched() const {
  return !options_.on_report && !door_->orders.reports().empty();
}

/// For a transport that has nothing to say any more and does not wait, either.
void Process::Core::pause(Lock& lock) {
  lock.unlock();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
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
                [] { return Surroundings::here().now(); },
                [](std::uint64_t value) { return ClockReading{value}; });
}

std::uint64_t Process::Core::random() {
  return answer([](Prompter& prompter) { return prompter.random(); },
                [] { return Surroundings::here().random(); },
                [](std::uint64_t value) { return RandomDraw{value}; });
}

std::uint64_t Process::Core::choose(std::uint64_t alternatives) {
  LIGHTCONE_ASSERT(alternatives != 0);
  return answer([&](Prompter& prompter) { return prompter.choose(alternatives); },
                [&] { return Surroundings::here().choose(alternatives); },
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

/// After an event: whether the process must stop here.
void Process::Core::look_around(Lock& lock) {
  if (door_->standstill && !reported_) stand_still(Standstill(*door_->standstill), lock);
  if (reported_ || !door_->stops_after(counts_.events)) return;
  report(RunReport::Why::until, {});
  lock.unlock();
  stand_for_debugger();
  lock.lock();
}

/// Reports how far it is. A later report replaces it.
void Process::Core::say(RunReport::Why why, const std::string& text) {
  if (is_watched() && !reported_) note(door_->say(why, counts_.events, text));
}

void Process::Core::report(RunReport::Why why, const std::string& text) {
  if (reported_) return;
  for (LiveTrace& trace : traces_) note(trace.flush());
  say(why, text);
  reported_ = true;
  if (options_.on_report) options_.on_report(door_->report(why, counts_.events, text));
}

void Process::Core::stand_still(const Standstill& why, Lock& lock) {
  door_->standstill = why;
  report(RunKeeper::why_of(why), why.text);
  const std::string text =
      fmt::format("lightcone: {}, event {}: {}", options_.name, counts_.events, why.text);
  lock.unlock();
  Surroundings::here().stand_still(text);
  lock.lock();
}

}  // namespace lightcone
