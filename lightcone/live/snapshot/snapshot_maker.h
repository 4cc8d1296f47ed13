// What one process does for a series of snapshots: saves its state in time, gives the parts it has.
#pragma once

#include <lightcone/live/snapshot/snapshot_part.h>
#include <lightcone/riders/clocks/snapshot_rider.h>
#include <lightcone/riders/tags/peers.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace lightcone {

/// Makes the parts of one process, as its SnapshotRider says. Not safe from several threads.
class SnapshotMaker {
 public:
  struct Hands {
    std::function<std::string()> save = {};              ///< the state of this moment
    std::function<void(const SnapshotPart&)> give = {};  ///< nothing: only colours are passed on
  };
  SnapshotMaker(std::string process, bool fifo, const Peers& peers, Hands hands);

  /// Returns whether parts are made, so that messages must be counted.
  [[nodiscard]] bool makes_parts() const { return static_cast<bool>(hands_.give); }
  [[nodiscard]] std::uint64_t colour() const { return rider_.colour(); }

  /// Begins a snapshot. Returns its number, or 0 if there is no number left.
  [[nodiscard]] std::uint64_t begin();
  /// There is news of this snapshot, by a message that is about to be taken or otherwise.
  void reach(std::uint64_t snapshot) { save_for(rider_.reach(snapshot)); }
  /// A marker is taken.
  void marker(std::uint32_t sender, std::uint64_t snapshot) {
    save_for(rider_.marker(sender, snapshot));
  }
  /// A message is sent to each of these. If the list is empty, any process may receive it. This
  /// cannot be counted, so no more parts are made. Returns false the first time this happens.
  [[nodiscard]] bool sends(std::span<const std::uint32_t> receivers);
  /// A message is taken for the first time, after `reach`.
  void takes(std::uint32_t sender, std::uint64_t colour, std::uint64_t number,
             const std::function<std::string()>& contents);
  /// The process has come to its end, in this state.
  void end(std::string state) { give_state(rider_.end(), std::move(state)); }

  [[nodiscard]] SnapshotRider::Memory memory() const { return rider_.memory(); }
  void resume(SnapshotRider::Memory memory) { rider_ = SnapshotRider(fifo_, std::move(memory)); }

 private:
  void save_for(SnapshotRange snapshots);
  void give_state(SnapshotRange snapshots, std::string state);

  std::string process_;
  bool fifo_;
  const Peers& peers_;
  Hands hands_;
  SnapshotRider rider_;
};

}  // namespace lightcone
