// What the riders of a live process leave in a checkpoint, and how they go on from one.
#include <lightcone/live/watch/watcher.h>

namespace lightcone {
namespace {

template <class Number>
[[nodiscard]] Number entry_of(const std::vector<Number>& entries, std::uint32_t peer) {
  return peer < entries.size() ? entries[peer] : 0;
}

void set_entry(std::vector<std::uint64_t>& entries, std::uint32_t peer, std::uint64_t value) {
  if (peer >= entries.size()) entries.resize(peer + 1, 0);
  entries[peer] = value;
}

}  // namespace

std::vector<Checkpoint::Peer> Watcher::peers_now() const {
  std::vector<Checkpoint::Peer> peers(peers_.count());
  for (std::uint32_t k = 0; k < peers.size(); ++k) {
    Checkpoint::Peer& peer = peers[k];
    peer.hash = peers_.hash(k);
    if (Peers::hash_of(peers_.name(k)) == peer.hash) peer.name = peers_.name(k);
    peer.sent = entry_of(sent_in_channel_, k);
    peer.received = entry_of(received_in_channel_, k);
    peer.clock = entry_of(clock_.clock(), k);
    peer.receives = entry_of(race_rider_.clock(), k);
  }
  return peers;
}

Expected<std::vector<std::uint32_t>> Watcher::resume(const Checkpoint& checkpoint) {
  resumed_ = true;
  detections_.clear();
  std::vector<std::uint32_t> numbers;
  const PeerRoom room = peers_.room();
  peers_.set_room({.most = 2 * Peers::most});  // more than a checkpoint can have
  for (const Checkpoint::Peer& peer : checkpoint.peers) {
    const auto known = peer.name.empty() ? peers_.find_or_add(peer.hash, self_)
                                         : peers_.find_or_add(std::string_view(peer.name));
    if (!known) return failure(known.error());
    set_entry(sent_in_channel_, *known, peer.sent);
    set_entry(received_in_channel_, *known, peer.received);
    clock_.take(*known, peer.clock);
    if (*known == self_) race_rider_.resume(peer.receives);
    race_rider_.take(*known, peer.receives);
    numbers.push_back(*known);
  }
  peers_.set_room(room);
  return numbers;
}

}  // namespace lightcone
