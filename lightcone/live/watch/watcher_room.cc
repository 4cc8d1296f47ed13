// What a live process forgets, so that its memory stays bounded.
#include <lightcone/live/watch/watcher.h>

#include <algorithm>

namespace lightcone {
namespace {

/// Leaves out the entries of these peers.
template <class Entries>
void erase_entries(Entries& entries, const std::vector<bool>& forgotten) {
  std::erase_if(entries, [&](const auto& entry) {
    return entry.first < forgotten.size() && forgotten[entry.first];
  });
}

}  // namespace

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
  clock_knowledge_.forget(forgotten);
  race_knowledge_.forget(forgotten);
  for (Envelope* envelope : opened) {
    for (EntriesOfFlows& entries : envelope->flows) erase_entries(entries, forgotten);
    erase_entries(envelope->clock, forgotten);
    erase_entries(envelope->receives, forgotten);
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
    std::vector<ObservedEntry*> entries;
    vector.rider->for_each_set([&](ObservedEntry& entry) { entries.push_back(&entry); });
    for (Envelope* envelope : opened) {
      for (auto& [peer, entry] : envelope->flows[i]) {
        if (is_uncovered(entry)) entries.push_back(&entry);
      }
    }
    std::vector<ReachedSets::Index> used;
    for (const ObservedEntry* entry : entries) used.push_back(set_of(*entry));
    sets.keep_only(used);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      *entries[k] = observed_entry(rank_of(*entries[k]), used[k]);
    }
    vector.most_sets = std::max(1024U, 2 * sets.count());
  }
}

}  // namespace lightcone
