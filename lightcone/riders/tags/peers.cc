// Names and hashes of processes, and what is known of their knowledge.
#include <lightcone/riders/tags/peers.h>

#include <fmt/format.h>
#include <lightcone/riders/tags/incarnation.h>

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {

Peers::Peers(std::vector<std::string> members, std::uint32_t most_others)
    : names_(std::move(members)),
      brought_by_(names_.size(), nobody),
      members_(static_cast<std::uint32_t>(names_.size())),
      most_others_(most_others) {
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    hashes_.push_back(hash_of(names_[i]));
    by_hash_[hashes_.back()] = i;
  }
}

std::uint64_t Peers::hash_of(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

std::optional<std::uint32_t> Peers::find(std::uint64_t hash) const {
  const auto known = by_hash_.find(hash);
  return known == by_hash_.end() ? std::nullopt : std::optional(known->second);
}

Expected<std::uint32_t> Peers::add(std::uint64_t hash, std::uint32_t brought_by) {
  if (count() - members_ - free_.size() >= most_others_) {
    lacks_room_ = true;
    room_for_ = brought_by;
    return failure(fmt::format("speaks of one process too many: there is room for {}, and for "
                               "members",
                               most_others_),
                   {}, 0, "name members, or set ProcessOptions::most_peers");
  }
  std::uint32_t fresh = count();
  if (free_.empty()) {
    names_.emplace_back();
    hashes_.push_back(0);
    brought_by_.push_back(nobody);
  } else {
    fresh = free_.back();
    free_.pop_back();
  }
  hashes_[fresh] = hash;
  brought_by_[fresh] = brought_by;
  by_hash_[hash] = fresh;
  added_on_trial_.push_back(fresh);
  return fresh;
}

void Peers::remove(std::uint32_t peer) {
  by_hash_.erase(hashes_[peer]);
  names_[peer].clear();
  names_[peer].shrink_to_fit();
  brought_by_[peer] = nobody;
  free_.push_back(peer);
}

Expected<std::uint32_t> Peers::find_or_add(std::uint64_t hash, std::uint32_t brought_by) {
  if (const auto known = find(hash)) return *known;
  auto peer = add(hash, brought_by);
  if (peer) names_[*peer] = fmt::format("#{:016x}", hash);
  return peer;
}

Expected<std::uint32_t> Peers::find_or_add(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
  if (const auto known = find(hash)) {
    if (is_named(*known)) return *known;
    named_on_trial_.emplace_back(*known, brought_by_[*known]);
    brought_by_[*known] = nobody;
    names_[*known] = name;
    return *known;
  }
  auto peer = add(hash, nobody);
  if (peer) names_[*peer] = name;
  return peer;
}

void Peers::make_latest(std::string_view name, std::uint32_t number, std::uint32_t peer) {
  latest_[hash_of(name)] = {number, peer, hash_of(identity_of(name, number + 1))};
}

void Peers::heard_from(std::uint32_t peer) {
  if (is_member(peer)) return;
  const auto [name, number] = incarnation_of(names_[peer]);
  if (number == 1) return;
  const auto known = latest_.find(hash_of(name));
  if (known == latest_.end() || known->second.number < number) make_latest(name, number, peer);
}

/// Someone may have spoken of the next incarnation by its hash before it is heard from itself.
Expected<std::uint32_t> Peers::find_or_add_latest(std::string_view name) {
  if (incarnation_of(name).number > 1) return find_or_add(name);
  auto peer = find_or_add(name);
  if (!peer) return peer;
  const std::uint64_t hash = hashes_[*peer];
  auto latest = latest_.find(hash);
  if (latest == latest_.end()) {
    make_latest(name, 1, *peer);
    latest = latest_.find(hash);
  }
  while (find(latest->second.next)) {
    const std::uint32_t number = latest->second.number + 1;
    const auto next = find_or_add(std::string_view(identity_of(name, number)));
    if (!next) return next;
    make_latest(name, number, *next);
    latest = latest_.find(hash);
  }
  return latest->second.peer;
}

void Peers::begin_trial() {
  added_on_trial_.clear();
  named_on_trial_.clear();
  lacks_room_ = false;
}

void Peers::undo_trial() {
  for (const auto& [peer, brought_by] : named_on_trial_) {
    brought_by_[peer] = brought_by;
    names_[peer] = fmt::format("#{:016x}", hashes_[peer]);
  }
  for (const std::uint32_t peer : added_on_trial_) remove(peer);
  // Whoever was new has not brought anything before.
  if (std::ranges::find(added_on_trial_, room_for_) != added_on_trial_.end()) room_for_ = nobody;
  added_on_trial_.clear();
  named_on_trial_.clear();
}

std::vector<std::uint32_t> Peers::make_room() {
  std::vector<std::uint32_t> brought(count(), 0);
  for (const std::uint32_t by : brought_by_) {
    if (by != nobody) ++brought[by];
  }
  const auto busiest = std::ranges::max_element(brought);
  const auto who = static_cast<std::uint32_t>(busiest - brought.begin());
  std::vector<std::uint32_t> forgotten;
  if (busiest == brought.end() || *busiest == 0 || who == room_for_) return forgotten;
  for (std::uint32_t peer = 0; peer < count(); ++peer) {
    if (brought_by_[peer] == who) forgotten.push_back(peer);
  }
  for (const std::uint32_t peer : forgotten) remove(peer);
  added_on_trial_.clear();
  return forgotten;
}

void Knowledge::learn(std::uint32_t peer, std::uint32_t entry, std::uint32_t value) {
  if (!is_dense(peer, entry)) {
    if (sparse_.size() >= most_sparse) sparse_.clear();
    std::uint32_t& known = sparse_[key(peer, entry)];
    known = std::max(known, value);
    return;
  }
  if (peer >= rows_.size()) rows_.resize(peer + 1);
  auto& row = rows_[peer];
  if (entry >= row.size()) row.resize(entry + 1, 0);
  if (row[entry] < value) row[entry] = value;
}

std::uint32_t Knowledge::of(std::uint32_t peer, std::uint32_t entry) const {
  if (!is_dense(peer, entry)) {
    const auto known = sparse_.find(key(peer, entry));
    return known == sparse_.end() ? 0 : known->second;
  }
  if (peer >= rows_.size() || entry >= rows_[peer].size()) return 0;
  return rows_[peer][entry];
}

void Knowledge::forget(const std::vector<bool>& entries) {
  for (auto at = sparse_.begin(); at != sparse_.end();) {
    const auto entry = static_cast<std::uint32_t>(at->first);
    at = entry < entries.size() && entries[entry] ? sparse_.erase(at) : std::next(at);
  }
}

}  // namespace lightcone
