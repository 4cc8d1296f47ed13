// The part of one process in consistent snapshots: when to save its state, what is in transit.
#pragma once

#include <lightcone/error.h>
#include <lightcone/snapshot.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lightcone {

/// Takes snapshots by the colours of Lai and Yang, or by the markers of Chandy and Lamport where
/// channels are FIFO. The colour of a process is the last snapshot that it has saved its state for,
/// 0 at first; the colour of a message is its sender's when it was sent. A process that is to take
/// a message of a later colour saves its state first, for all snapshots up to that colour. Anyone
/// may begin a snapshot, at the same time as others or while older ones go on.
///
/// Let C be all that happened in each process before it saved its state for snapshot K.
/// - C is a consistent cut: who takes a message in C has a colour below K, and at least that of the
///   message, so that it was sent in C.
/// - A message of colour c that is taken at colour r is in transit in C iff c < K <= r: it was sent
///   in C iff c < K, and taken in C iff r < K.
/// - Each state is saved with how many messages had been sent to each peer and taken from each. So
///   a process that has all states knows how many messages are in transit in each channel, and that
///   the snapshot is complete when as many have been taken.
///
/// A marker follows the state that was saved on all FIFO channels, before any other message. What
/// comes after it was sent later, so that the colour of a channel, which is that of the last marker
/// or message, is the colour of every message in it, and need not ride on them. A channel of colour
/// K holds nothing more that is in transit in C. On other channels a marker is but news of a
/// snapshot.
///
/// Counting takes each message for one that arrives once. A copy that was taken before needs no
/// call: it brings no later colour than the first did. A message that is lost stays in transit.
class SnapshotRider {
 public:
  /// All that a rider keeps; counts and colours of channels are by peer.
  struct Memory {
    std::uint64_t colour = 0;
    std::vector<std::uint64_t> sent = {}, received = {};
    std::vector<std::uint64_t> channels = {};  ///< FIFO: the colour of each, by sender
  };

  explicit SnapshotRider(bool fifo) : SnapshotRider(fifo, Memory()) {}
  /// Goes on from what another one kept.
  SnapshotRider(bool fifo, Memory memory)
      : fifo_(fifo),
        colour_(memory.colour),
        sent_(std::move(memory.sent)),
        received_(std::move(memory.received)),
        channels_(std::move(memory.channels)) {}
  [[nodiscard]] Memory memory() const { return {colour_, sent_, received_, channels_}; }

  /// What every message must carry, unless channels are FIFO and markers are sent.
  [[nodiscard]] std::uint64_t colour() const { return colour_; }

  /// Begins a snapshot. Returns the one for which the state must be saved now. None once there is
  /// no greater number, which only forged messages can bring about.
  [[nodiscard]] SnapshotRange begin() {
    return colour_ == SnapshotRange::most ? SnapshotRange() : reach(colour_ + 1);
  }
  /// A message of this colour is about to be taken, or there is news of this snapshot: those for
  /// which the state must be saved now, before anything else is sent or taken.
  [[nodiscard]] SnapshotRange reach(std::uint64_t snapshot) {
    LIGHTCONE_ASSERT(snapshot <= SnapshotRange::most);
    const SnapshotRange unsaved{colour_ + 1, snapshot};
    colour_ = std::max(colour_, snapshot);
    return unsaved;
  }
  /// A marker is taken. Returns the snapshots for which the state must be saved now. It counts as
  /// no message.
  [[nodiscard]] SnapshotRange marker(std::uint32_t sender, std::uint64_t snapshot) {
    const SnapshotRange unsaved = reach(snapshot);
    if (fifo_) raise(sender, snapshot);
    return unsaved;
  }
  /// The process will take and send nothing more. Returns the snapshots that its last state counts
  /// for.
  [[nodiscard]] SnapshotRange end() const { return {colour_ + 1, SnapshotRange::for_ever}; }

  /// A message is sent, to each receiver of it.
  void sends(std::uint32_t receiver) { ++at(sent_, receiver); }
  /// A message is taken, after `reach`. Returns the snapshots in which it is in transit. Where
  /// markers are sent on FIFO channels its colour may be left out, as 0.
  [[nodiscard]] SnapshotRange takes(std::uint32_t sender, std::uint64_t colour) {
    LIGHTCONE_ASSERT(colour <= colour_);
    ++at(received_, sender);
    if (fifo_) colour = raise(sender, colour);
    return {colour + 1, colour_};
  }

  /// Messages so far by receiver, and by sender: to be saved with the state.
  [[nodiscard]] const std::vector<std::uint64_t>& sent() const { return sent_; }
  [[nodiscard]] const std::vector<std::uint64_t>& received() const { return received_; }
  /// On FIFO channels: the last snapshot that this process has done its part of, if these are all
  /// that send to it. Of this one and those before, all that is in transit to it has been taken.
  [[nodiscard]] std::uint64_t closed(std::span<const std::uint32_t> senders) const {
    LIGHTCONE_ASSERT(fifo_);
    std::uint64_t least = colour_;
    for (const std::uint32_t sender : senders) {
      least = std::min(least, sender < channels_.size() ? channels_[sender] : 0);
    }
    return least;
  }

 private:
  [[nodiscard]] static std::uint64_t& at(std::vector<std::uint64_t>& of, std::uint32_t peer) {
    if (peer >= of.size()) of.resize(peer + 1, 0);
    return of[peer];
  }
  std::uint64_t raise(std::uint32_t sender, std::uint64_t colour) {
    std::uint64_t& channel = at(channels_, sender);
    return channel = std::max(channel, colour);
  }

  bool fifo_;
  std::uint64_t colour_;
  std::vector<std::uint64_t> sent_, received_;
  std::vector<std::uint64_t> channels_;  // FIFO: the colour of each, by sender
};

}  // namespace lightcone
