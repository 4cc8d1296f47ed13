// The part of a live process in snapshots that its program begins, and in the checkpoints of its
// recording. Both are counted apart: a replay makes the first again, and not the second.
#include <lightcone/live/process/process_core.h>

#include <lightcone/live/process/world.h>
#include <lightcone/run/journal/kept_message.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <variant>

namespace lightcone {
namespace {

[[nodiscard]] std::uint64_t entry_of(const std::vector<std::uint64_t>& entries, std::size_t peer) {
  return peer < entries.size() ? entries[peer] : 0;
}

void set_entry(std::vector<std::uint64_t>& entries, std::uint32_t peer, std::uint64_t value) {
  if (value == 0) return;
  if (peer >= entries.size()) entries.resize(peer + 1, 0);
  entries[peer] = value;
}

/// Returns whether it says that its process has ended.
[[nodiscard]] bool is_end(const SnapshotPart& part) {
  const auto* state = std::get_if<LocalPart>(&part);
  return state != nullptr && state->snapshots.last == SnapshotRange::for_ever;
}

}  // namespace

SnapshotMaker Process::Core::make_snapshots() {
  SnapshotMaker::Hands hands;
  hands.save = options_.save;
  if (options_.on_snapshot_part) {
    hands.give = [this](const SnapshotPart& part) { parts_.push_back(encode(part)); };
  }
  return {options_.name, options_.channels == Channels::fifo, watcher_.peers(), std::move(hands)};
}

/// Where the program does not say how to save its state, checkpoints are but passed on.
void Process::Core::begin_checkpoints() {
  if (!door_ || !door_->checkpoints) return;
  const std::uint64_t now = World::here().now();
  began_ = std::min(door_->orders.began.value_or(now), now);  // a simulation has another clock
  SnapshotMaker::Hands hands;
  if (options_.save) {
    hands.save = [this] {
      Checkpoint saved = checkpoint();
      saved.state = options_.save();
      return saved.encode();
    };
  } else {
    warn("the recording will have no checkpoints: this process has no function to save its state",
         "set ProcessOptions::save and restore");
  }
  hands.give = [this](const SnapshotPart& part) {
    if (options_.save || is_end(part)) note(door_->checkpoints->add(part));
  };
  checkpoints_.emplace(options_.name, options_.channels == Channels::fifo, watcher_.peers(),
                       std::move(hands));
}

void Process::Core::warn(std::string_view what, std::string hint) {
  errors_.push_back({fmt::format("{}, event {}: {}", options_.name, counts_.events, what),
                     {},
                     0,
                     std::move(hint),
                     0,
                     {}});
}

Colours Process::Core::colours() const {
  return {snapshots_.colour(), checkpoints_ ? checkpoints_->colour() : 0};
}

/// The message that was just sent.
void Process::Core::count_sent() {
  bool counted = snapshots_.sends(watcher_.receivers());
  if (checkpoints_ && !checkpoints_->sends(watcher_.receivers())) counted = false;
  if (counted) return;
  warn("a message to anyone cannot be counted: this process takes no part in snapshots any more",
       "name the receivers");
}

/// All processes count from the same moment, so that they save their states at about the same time.
void Process::Core::checkpoint_if_due() {
  if (!checkpoints_) return;
  const std::uint64_t now = World::here().now();
  const auto interval =
      static_cast<std::uint64_t>(std::chrono::nanoseconds(door_->orders.checkpoints).count());
  if (now > began_) checkpoints_->reach((now - began_) / interval);
}

/// A checkpoint comes before a snapshot, so that a replay from there makes that snapshot again.
bool Process::Core::pass(const Opened& opened, const std::function<std::string()>& contents) {
  if (!opened.envelope) return true;
  const Envelope& envelope = *opened.envelope;
  const auto& [snapshot, checkpoint] = envelope.colours;
  passes_ = &envelope;
  if (checkpoints_) checkpoints_->reach(checkpoint);
  passes_ = nullptr;
  snapshots_.reach(snapshot);
  if (!door_ && !snapshots_.makes_parts()) return true;
  if (!taken_[envelope.sender].add(envelope.number)) return false;
  const std::uint64_t number = envelope.number + 1;
  if (checkpoints_) {
    checkpoints_->takes(envelope.sender, checkpoint, number,
                        [&] { return kept_message(opened.arrival.tag, contents()); });
  }
  if (envelope.marker) {
    snapshots_.marker(envelope.sender, snapshot);
  } else {
    snapshots_.takes(envelope.sender, snapshot, number, contents);
  }
  return true;
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
  std::string tag = watcher_.marker(to, number, colours());
  if (checkpoints_) static_cast<void>(checkpoints_->sends(watcher_.receivers()));
  if (is_prompted()) door_->prompter->sent(std::span(&to, 1), number + 1);
  counts_.tag_bytes += tag.size();
  return tag;
}

void Process::Core::safe_point() {
  Lock lock(mutex_);
  checkpoint_if_due();
  tell(lock);
}

/// The process as it is now, without its program. Journal and trace are flushed, so that a replay
/// can go on between two of their blocks.
Checkpoint Process::Core::checkpoint() {
  Checkpoint saved;
  note(door_->recorder->flush());
  for (LiveTrace& trace : traces_) note(trace.flush());
  saved.counts = counts_;
  saved.digest = digest_;
  saved.takes = door_->recorder->takes();
  saved.journal_blocks = door_->recorder->blocks();
  if (!traces_.empty()) saved.trace_bytes = traces_.front().bytes();
  const SnapshotRider::Memory memory = snapshots_.memory();
  saved.snapshots = memory.colour;
  saved.peers = watcher_.peers_now();
  for (std::uint32_t k = 0; k < saved.peers.size(); ++k) {
    Checkpoint::Peer& peer = saved.peers[k];
    peer.counted_to = entry_of(memory.sent, k);
    peer.counted_from = entry_of(memory.received, k);
    peer.colour = entry_of(memory.channels, k);
    if (const auto found = received_.find(k); found != received_.end()) {
      peer.numbers = found->second;
    }
  }
  // A message that was opened, and will be taken after this, still comes next in its channel.
  if (passes_ != nullptr && passes_->fifo) --saved.peers[passes_->sender].received;
  for (const Opened& opened : opened_) saved.opened.push_back(opened.arrival.tag);
  return saved;
}

/// Goes on from a checkpoint. What was taken is what was received, and what was opened since.
void Process::Core::resume(Lock& lock) {
  const Beginning& from = *door_->from;
  const Checkpoint& saved = from.checkpoint;
  counts_ = saved.counts;
  if (door_->progress) door_->progress->made(counts_.events);
  digest_ = saved.digest;
  const auto peers = watcher_.resume(saved);
  LIGHTCONE_ASSERT(peers);  // no more than a process can know of
  SnapshotRider::Memory memory;
  memory.colour = saved.snapshots;
  for (std::size_t i = 0; i < peers->size(); ++i) {
    const std::uint32_t peer = (*peers)[i];
    const Checkpoint::Peer& was = saved.peers[i];
    set_entry(memory.sent, peer, was.counted_to);
    set_entry(memory.received, peer, was.counted_from);
    set_entry(memory.channels, peer, was.colour);
    if (was.numbers.end() != 0) received_[peer] = taken_[peer] = was.numbers;
  }
  snapshots_.resume(std::move(memory));
  for (const std::string& tag : saved.opened) {
    auto envelope = watcher_.reopen(tag);
    if (envelope) taken_[envelope->sender].add(envelope->number);
    opened_.push_back({{tag, {}}, envelope ? std::optional(std::move(*envelope)) : std::nullopt});
  }
  for (const InTransitPart& message : from.in_transit) {
    auto kept = message_kept(message.contents);
    if (!kept) continue;  // its receive will report this
    auto envelope = open(kept->tag);
    in_transit_.push_back({std::move(*kept), std::move(envelope)});
  }
  lock.unlock();
  options_.restore(saved.state);
  lock.lock();
  tell(lock);
}

/// The last state stands for the process in all snapshots to come.
void Process::Core::end_snapshots() {
  if (checkpoints_) checkpoints_->end(checkpoint().encode());
  if (!snapshots_.makes_parts() || std::uncaught_exceptions() != 0) return;
  snapshots_.end(options_.save ? options_.save() : std::string());
  for (const std::string& part : std::exchange(parts_, {})) options_.on_snapshot_part(part);
}

}  // namespace lightcone
