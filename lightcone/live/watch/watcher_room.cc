// Bounds what a watcher keeps of peers, and of sets of states.
#include <lightcone/live/watch/received_numbers.h>
#include <lightcone/live/watch/watcher.h>

#include <algorithm>

namespace lightcone {
namespace {

/// About what is kept of each process beside vectors: its number, its counters, its colours; and of
/// each that sends messages: which of them have come, as received and as taken.
constexpr std::size_t peer_bytes = 384, named_peer_bytes = 2 * ReceivedNumbers::window / 8 + 192;
/// Of each in a vector, beside its set of states: in memory, and at most in a tag.
constexpr std::size_t entry_bytes = 32, entry_bytes_in_tag = 8 + 5;
constexpr std::size_t least_bytes = std::size_t{1} << 25, usual_bytes = std::size_t{1} << 13;

/// Leaves out the entries of these peers.
template <class Entries>
void erase_entries(Entries& entries, const std::vector<bool>& forgotten) {
  std::erase_if(entries, [&](const auto& entry) {
    return entry.first < forgotten.size() && forgotten[entry.first];
  });
}

}  // namespace

/// Without it, tags could name any number of processes, each in a few bytes.
void Watcher::set_room(const ProcessOptions& options) {
  PeerRoom room;
  room.most = std::clamp<std::uint32_t>(options.most_peers, 1, Peers::most);
  const std::size_t all = options.most_peer_bytes != 0
                              ? options.most_peer_bytes
                              : std::max(least_bytes, room.most * usual_bytes);
  const std::size_t clocks = (clocks_ ? 1 : 0) + (races_ ? 1 : 0);
  room.bytes = peer_bytes + clocks * entry_bytes;
  room.named_bytes = named_peer_bytes;
  std::size_t in_tag = clocks * entry_bytes_in_tag;
  for (const Vector& vector : vectors_) {
    room.bytes += entry_bytes + vector.flows->sets.bytes_of_one();
    in_tag += entry_bytes_in_tag + (vector.flows->sets.bits() + 7) / 8;
  }
  room.most_bytes = all / 4 * 3;
  room.most_spoken_of = room.most_bytes / 4;
  if (in_tag != 0) {
    const std::size_t most_in_tag = std::max<std::size_t>(all / 128 / in_tag, 1);
    room.most = static_cast<std::uint32_t>(std::min<std::size_t>(room.most, most_in_tag));
  }
  peers_.set_room(room);
  const std::size_t tables = std::max<std::size_t>(vectors_.size() + clocks, 1);
  const auto knowledge = [&] { return Knowledge(peers_.member_count(), all / 4 / tables); };
  for (Vector& vector : vectors_) vector.knowledge = knowledge();
  clock_knowledge_ = knowledge();
  race_knowledge_ = knowledge();
}

std::size_t Watcher::make_room(std::span<Envelope* const> opened) {
  const std::vector<std::uint32_t> peers = peers_.make_room();
  if (peers.empty()) return 0;
  std::vector<bool> forgotten(peers_.count(), false);
  for (const std::uint32_t peer : peers) {
    forgotten[peer] = true;
    for (Vector& vector : vectors_) vector.rider->forget(peer);
    clock_.forget(peer);
    race_rider_.forget(peer);
  }
  for (Vector& vector : vectors_) vector.knowledge.forget(forgotten);
  for (const auto& watch : alone_) watch->forget(forgotten);
  clock_knowledge_.forget(forgotten);
  race_knowledge_.forget(forgotten);
  for (Envelope* envelope : opened) {
    for (EntriesOfFlows& entries : envelope->flows) erase_entries(entries, forgotten);
    erase_entries(envelope->clock, forgotten);
    erase_entries(envelope->receives, forgotten);
    for (PropertyTag& tag : envelope->alone) forget_peers(tag, forgotten);
  }
  return peers.size();
}

bool Watcher::has_many_sets() const {
  return std::ranges::any_of(vectors_, [](const Vector& vector) {
    return vector.flows->sets.count() >= vector.most_sets;
  });
}

void Watcher::forget_sets(std::span<Envelope* const> opened) {
  for (std::size_t i = 0; i < vectors_.size(); ++i) {
    Vector& vector = vectors_[i];
    ReachedSets& sets = vector.flows->sets;
    if (sets.count() < vector.most_sets) continue;
    std::vector<ReachedSets::Index> used = vector.rider->used_sets();
    const std::size_t of_rider = used.size();
    std::vector<ObservedEntry*> entries;
    for (Envelope* envelope : opened) {
      for (auto& [peer, entry] : envelope->flows[i]) {
        if (is_uncovered(entry)) entries.push_back(&entry);
      }
    }
    for (const ObservedEntry* entry : entries) used.push_back(set_of(*entry));
    sets.keep_only(used);
    vector.rider->renumber_sets(std::span(used).first(of_rider));
    for (std::size_t k = 0; k < entries.size(); ++k) {
      *entries[k] = observed_entry(rank_of(*entries[k]), used[of_rider + k]);
    }
    vector.most_sets = std::max(1024U, 2 * sets.count());
  }
}

}  // namespace lightcone
