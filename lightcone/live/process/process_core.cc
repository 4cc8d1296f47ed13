// The events of a live process: what its riders, its trace and its door are told of each.
#include <lightcone/live/process/process_core.h>

#include <lightcone/run/recording/lost_writes.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lightcone {

Process::Core::Core(ProcessOptions options, CompiledProperties properties, std::uint64_t agreement,
                    std::vector<LiveTrace> traces, std::optional<Door> door)
    : options_(std::move(options)),
      watcher_(std::move(properties), agreement, options_,
               door && door->orders.journal == JournalKind::races),
      traces_(std::move(traces)),
      door_(std::move(door)),
      snapshots_(make_snapshots()) {
  if (is_prompted()) watcher_.expect_early_messages();
}

void Process::Core::start(const LiveState& initial) {
  Lock lock(mutex_);
  watcher_.start(initial);
  if (is_prompted()) say(RunReport::Why::runs, {});
  if (restored()) return resume(lock);
  begin_checkpoints();
  record({.kind = Kind::initial, .state = initial});
  finish(nullptr, initial);
  tell(lock);
}

void Process::Core::event(const LiveState& state, const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  watcher_.event(Kind::internal, state);
  record({.kind = Kind::internal, .state = state, .where = &where});
  finish(&where, state);
  tell(lock);
}

std::string Process::Core::send(std::span<const std::string_view> to, const LiveState& state,
                                const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  const std::uint64_t number = counts_.sent++;
  watcher_.event(Kind::send, state);
  std::string tag = watcher_.send(to, number, colours());
  count_sent();
  if (is_prompted()) door_->prompter->sent(to, number + 1);
  counts_.tag_bytes += tag.size();
  record({.kind = Kind::send,
          .state = state,
          .sent = message_name(options_.name, number),
          .to = to,
          .where = &where});
  finish(&where, state);
  tell(lock);
  return tag;
}

std::string Process::Core::receive(std::span<const std::string_view> tags, const LiveState& state,
                                   const std::source_location& where) {
  Lock lock(mutex_);
  ++counts_.events;
  std::vector<Envelope> envelopes = open(tags);
  std::vector<std::string> messages;
  std::string sender;
  bool again = false;
  for (const Envelope& envelope : envelopes) {
    const std::string& name = watcher_.peer_name(envelope.sender);
    if (messages.empty()) sender = incarnation_of(name).name;
    messages.push_back(message_name(name, envelope.number));
    if (received_[envelope.sender].add(envelope.number)) continue;
    ++counts_.redelivered;
    again = true;
  }
  if (envelopes.empty()) {
    watcher_.event(Kind::internal, state);
    record({.kind = Kind::internal, .state = state, .where = &where});
  } else {
    ++counts_.received;
    watcher_.receive(envelopes, state);
    record({.kind = Kind::receive,
            .state = state,
            .taken = messages,
            .duplicate = again,
            .where = &where});
  }
  finish(&where, state);
  tell(lock);
  return sender;
}

void Process::Core::tell_of_unwatched() {
  Lock lock(mutex_);
  for (const std::string& name : watcher_.unwatched()) {
    errors_.push_back(
        {fmt::format("{}: {} is about global states and is not watched live", options_.name, name),
         {},
         0,
         "check it on the trace",
         0,
         {}});
  }
  tell(lock);
}

Expected<void> Process::Core::flush() {
  const Lock lock(mutex_);
  Expected<void> own = {};
  for (LiveTrace& trace : traces_) {
    auto done = trace.flush();
    if (is_recorded(trace.appender().path())) {
      note(std::move(done));
    } else if (own) {
      own = std::move(done);
    }
  }
  if (door_ && door_->recorder) note(door_->recorder->flush());
  return own;
}

/// A file of the recording is not the program's: it is told of its errors, and goes on.
bool Process::Core::is_recorded(const std::string& path) const {
  return door_ && door_->recorder && path.starts_with(door_->orders.directory + '/');
}

ProcessCounts Process::Core::counts() const {
  const Lock lock(mutex_);
  ProcessCounts counts = counts_;
  counts.tag_entries = watcher_.entries_sent();
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

std::vector<Envelope*> Process::Core::waiting_envelopes() {
  std::vector<Envelope*> waiting;
  for (Envelope& envelope : receiving_) waiting.push_back(&envelope);
  const auto add = [&](std::vector<Opened>& opened) {
    for (Opened& message : opened) {
      if (message.envelope) waiting.push_back(&*message.envelope);
    }
  };
  add(opened_);
  add(in_transit_);
  for (auto& [mailbox, early] : early_) add(early);
  return waiting;
}

/// Forgets what can be forgotten if there is no room otherwise.
Expected<Envelope> Process::Core::open_with_room(std::string_view tag) {
  if (watcher_.has_many_sets()) watcher_.forget_sets(waiting_envelopes());
  auto envelope = watcher_.open(tag, bounds());
  if (envelope || !watcher_.lacks_room()) return envelope;
  const std::size_t forgotten = watcher_.make_room(waiting_envelopes());
  if (forgotten == 0) return envelope;
  counts_.forgotten += forgotten;
  warn(fmt::format("{} processes that were only spoken of are forgotten: there is no room for more",
                   forgotten),
       "name members, or set ProcessOptions::most_peers");
  return watcher_.open(tag, bounds());
}

/// A recording has been further already than the process that is prompted.
Watcher::Bounds Process::Core::bounds() const {
  if (is_prompted()) return {};
  constexpr std::uint64_t most_ahead = std::uint64_t{1} << 32;
  const auto& [snapshot, checkpoint] = colours();
  return {{snapshot + most_ahead, checkpoint + most_ahead}, counts_.sent};
}

std::optional<Envelope> Process::Core::open(std::string_view tag) {
  if (tag.empty()) {
    ++counts_.without_tag;
    return std::nullopt;
  }
  auto envelope = open_with_room(tag);
  if (envelope) return std::move(*envelope);
  ++counts_.bad_tags;
  envelope.error().what = fmt::format("{}, event {}: the tag of a message {}", options_.name,
                                      counts_.events, envelope.error().what);
  errors_.push_back(std::move(envelope.error()));
  return std::nullopt;
}

/// What was taken through the door has been opened there. A message that was not is taken here:
/// where the process cannot be prompted, it is at least recorded and compared.
std::vector<Envelope> Process::Core::open(std::span<const std::string_view> tags) {
  receiving_.clear();
  for (const std::string_view tag : tags) {
    const auto taken = std::find_if(opened_.begin(), opened_.end(), [&](const Opened& opened) {
      return opened.arrival.tag == tag;
    });
    std::optional<Envelope> envelope;
    if (taken != opened_.end()) {
      envelope = std::move(taken->envelope);
      opened_.erase(taken);
    } else {
      Opened opened{{std::string(tag), {}}, open(tag)};
      enter(opened, [] { return std::string(); });
      envelope = std::move(opened.envelope);
    }
    if (envelope && !envelope->marker) receiving_.push_back(std::move(*envelope));
  }
  return std::exchange(receiving_, {});
}

/// A file that cannot be written gives its error again and again.
void Process::Core::note(Expected<void> done) {
  if (done) return;
  if (noted_.insert(done.error().text()).second) errors_.push_back(std::move(done.error()));
  tell_of_lost_writes();
}

void Process::Core::tell_of_lost_writes() {
  const std::string address = door_ ? door_->orders.lost_writes : std::string();
  if (address.empty()) return;
  const auto tell_of = [&](const auto& writer) {
    if (!writer.error() || !is_recorded(writer.path())) return;
    if (!lost_writes_.insert(writer.path()).second) return;
    LostWrite{options_.name, writer.path(), writer.kept_events(), writer.error()->what}.tell(
        address);
  };
  for (const LiveTrace& trace : traces_) tell_of(trace.appender());
  if (door_->recorder) tell_of(door_->recorder->writer());
}

void Process::Core::record(const LiveTrace::Row& row) {
  for (LiveTrace& trace : traces_) {
    auto done = trace.add(row);
    if (!done) ++counts_.trace_failures;
    note(std::move(done));
  }
  if (door_) check(row);
}

/// Says where and with which labels what was detected happened.
void Process::Core::finish(const std::source_location* where, const LiveState& state) {
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

void Process::Core::tell(Lock& lock) {
  if (!watcher_.detections().empty() || !errors_.empty() || !parts_.empty()) {
    const std::vector<Detection> detections = std::exchange(watcher_.detections(), {});
    const std::vector<Error> errors = std::exchange(errors_, {});
    const std::vector<std::string> parts = std::exchange(parts_, {});
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
  if (door_) look_around(lock);
}

}  // namespace lightcone
