// Parts of snapshots, made at the moments that a SnapshotRider names.
#include <lightcone/live/snapshot/snapshot_maker.h>

#include <utility>

namespace lightcone {

SnapshotMaker::SnapshotMaker(std::string process, bool fifo, const Peers& peers, Hands hands)
    : process_(std::move(process)),
      fifo_(fifo),
      peers_(peers),
      hands_(std::move(hands)),
      rider_(fifo) {}

std::uint64_t SnapshotMaker::begin() {
  const SnapshotRange begun = rider_.begin();
  save_for(begun);
  return begun.empty() ? 0 : rider_.colour();
}

bool SnapshotMaker::sends(std::span<const std::uint32_t> receivers) {
  if (!makes_parts()) return true;
  if (receivers.empty()) hands_.give = {};
  for (const std::uint32_t receiver : receivers) rider_.sends(receiver);
  return !receivers.empty();
}

void SnapshotMaker::takes(std::uint32_t sender, std::uint64_t colour, std::uint64_t number,
                          const std::function<std::string()>& contents) {
  const SnapshotRange in_transit = rider_.takes(sender, colour);
  if (in_transit.empty() || !makes_parts()) return;
  hands_.give(InTransitPart{process_, in_transit, peers_.name(sender), number, contents()});
}

void SnapshotMaker::save_for(SnapshotRange snapshots) {
  if (snapshots.empty() || !makes_parts()) return;
  give_state(snapshots, hands_.save ? hands_.save() : std::string());
}

void SnapshotMaker::give_state(SnapshotRange snapshots, std::string state) {
  if (!makes_parts()) return;
  hands_.give(LocalPart{process_, snapshots, std::move(state),
                        counts_by_name(rider_.sent(), peers_),
                        counts_by_name(rider_.received(), peers_)});
}

}  // namespace lightcone
