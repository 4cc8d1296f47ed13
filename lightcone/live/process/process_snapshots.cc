// Saves the state of a live process, and takes it up again.
#include <lightcone/live/process/process_snapshots.h>

#include <lightcone/live/process/surroundings.h>
#include <lightcone/run/journal/kept_message.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <variant>

namespace lightcone {
namespace {

[[nodiscard]] std::uint64_t count_of(const std::vector<std::uint64_t>& entries, std::size_t peer) {
  return peer < entries.size() ? entries[peer] : 0;
}

void set_count(std::vector<std::uint64_t>& entries, std::uint32_t peer, std::uint64_t value) {
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

ProcessSnapshots::ProcessSnapshots(Subject subject)
    : of_(std::move(subject)), snapshots_(make_snapshots()) {}

SnapshotMaker ProcessSnapshots::make_snapshots() {
  SnapshotMaker::Hands hands;
  hands.save = of_.options.save;
  if (of_.options.on_snapshot_part || !of_.options.report_to.empty()) {
    hands.give = [this](const SnapshotPart& part) {
      if (of_.options.on_snapshot_part) parts_.push_back(encode(part));
      of_.report(part);
    };
  }
  return {of_.options.name, of_.options.channels == Channels::fifo, of_.watcher.peers(),
          std::move(hands)};
}

void ProcessSnapshots::begin_checkpoints() {
  if (!of_.door || !of_.door->checkpoints) return;
  const std::uint64_t now = Surroundings::here().now();
  began_ = std::min(of_.door->orders.record()->began.value_or(now),
                    now);  // a simulation has another clock
  SnapshotMaker::Hands hands;
  if (of_.options.save) {
    hands.save = [this] {
      Checkpoint saved = checkpoint();
      saved.state = of_.options.save();
      return saved.encode();
    };
  } else {
    of_.warn(
        "the recording will have no checkpoints: this process has no function to save its state",
        "set ProcessOptions::save and restore");
  }
  hands.give = [this](const SnapshotPart& part) {
    if (of_.options.save || is_end(part)) of_.note(of_.door->checkpoints->add(part));
  };
  checkpoints_.emplace(of_.options.name, of_.options.channels == Channels::fifo,
                       of_.watcher.peers(), std::move(hands));
}

Colours ProcessSnapshots::colours() const {
  return {snapshots_.colour(), checkpoints_ ? checkpoints_->colour() : 0};
}

void ProcessSnapshots::sent() {
  bool counted = snapshots_.sends(of_.watcher.receivers()) || !of_.options.on_snapshot_part;
  if (checkpoints_ && !checkpoints_->sends(of_.watcher.receivers())) counted = false;
  if (counted) return;
  of_.warn(
      "a message to anyone cannot be counted: this process takes no part in snapshots any more",
      "name the receivers");
}

void ProcessSnapshots::sent_marker() {
  if (checkpoints_) static_cast<void>(checkpoints_->sends(of_.watcher.receivers()));
}

void ProcessSnapshots::save_if_due() {
  const std::uint64_t now = Surroundings::here().now();
  const std::chrono::nanoseconds between = of_.door->orders.record()->checkpoints;
  const auto interval = static_cast<std::uint64_t>(between.count());
  if (now > began_) checkpoints_->reach((now - began_) / interval);
}

/// A checkpoint comes before a snapshot, so that a replay from there makes that snapshot again.
bool ProcessSnapshots::pass(const OpenedMessage& opened,
                            const std::function<std::string()>& contents) {
  if (!opened.envelope) return true;
  const Envelope& envelope = *opened.envelope;
  const auto& [snapshot, checkpoint] = envelope.colours;
  passes_ = &envelope;
  if (checkpoints_) checkpoints_->reach(checkpoint);
  passes_ = nullptr;
  snapshots_.reach(snapshot);
  if (!of_.door && !snapshots_.makes_parts()) return true;
  if (!of_.inbox.taken()[envelope.sender].add(envelope.number)) return false;
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

/// The process as it is now, without its program. Journal and trace are flushed, so that a replay
/// can go on between two of their blocks.
Checkpoint ProcessSnapshots::checkpoint() {
  Checkpoint saved;
  of_.note(of_.door->recorder->flush());
  for (LiveTrace& trace : of_.traces) of_.note(trace.flush());
  saved.counts = of_.counts;
  saved.digest = of_.door->digest;
  saved.takes = of_.door->recorder->takes();
  saved.journal_blocks = of_.door->recorder->blocks();
  if (!of_.traces.empty()) saved.trace_bytes = of_.traces.front().bytes();
  const SnapshotRider::Memory memory = snapshots_.memory();
  saved.snapshots = memory.colour;
  saved.peers = of_.watcher.peers_now();
  for (std::uint32_t k = 0; k < saved.peers.size(); ++k) {
    Checkpoint::Peer& peer = saved.peers[k];
    peer.counted_to = count_of(memory.sent, k);
    peer.counted_from = count_of(memory.received, k);
    peer.colour = count_of(memory.channels, k);
    const NumbersBySender& received = of_.inbox.received();
    if (const ReceivedNumbers* const found = received.find(k)) peer.numbers = *found;
  }
  // A message that was opened, and will be taken after this, still comes next in its channel.
  if (passes_ != nullptr && passes_->fifo) --saved.peers[passes_->sender].received;
  saved.opened = of_.inbox.held_tags();
  return saved;
}

std::vector<OpenedMessage> ProcessSnapshots::resume() {
  const Checkpoint& saved = of_.door->from->checkpoint;
  of_.counts = saved.counts;
  if (of_.door->progress) of_.door->progress->made(of_.counts.events);
  of_.door->digest = saved.digest;
  const auto peers = of_.watcher.resume(saved);
  LIGHTCONE_ASSERT(peers);  // no more than a process can know of
  SnapshotRider::Memory memory;
  memory.colour = saved.snapshots;
  for (std::size_t i = 0; i < peers->size(); ++i) {
    const std::uint32_t peer = (*peers)[i];
    const Checkpoint::Peer& was = saved.peers[i];
    set_count(memory.sent, peer, was.counted_to);
    set_count(memory.received, peer, was.counted_from);
    set_count(memory.channels, peer, was.colour);
    if (was.numbers.end() != 0) of_.inbox.received()[peer] = of_.inbox.taken()[peer] = was.numbers;
  }
  snapshots_.resume(std::move(memory));
  std::vector<OpenedMessage> held;
  for (const std::string& tag : saved.opened) {
    OpenedMessage& opened = held.emplace_back(OpenedMessage{{tag, {}}, {}});
    auto envelope = of_.watcher.reopen(tag);
    if (!envelope) continue;
    of_.inbox.taken()[envelope->sender].add(envelope->number);
    opened.envelope = std::move(*envelope);
  }
  return held;
}

void ProcessSnapshots::end() {
  if (checkpoints_) checkpoints_->end(checkpoint().encode());
  if (!snapshots_.makes_parts() || std::uncaught_exceptions() != 0) return;
  const bool is_asked = of_.options.save && of_.options.on_snapshot_part;
  snapshots_.end(is_asked ? of_.options.save() : std::string());
  for (const std::string& part : std::exchange(parts_, {})) of_.options.on_snapshot_part(part);
}

}  // namespace lightcone
