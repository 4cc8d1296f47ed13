// Names and hashes of processes.
#include <lightcone/riders/peers.h>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {

Peers::Peers(std::vector<std::string> members)
    : names_(std::move(members)), members_(static_cast<std::uint32_t>(names_.size())) {
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    hashes_.push_back(hash_of(names_[i]));
    by_hash_[hashes_.back()] = i;
  }
}

std::uint64_t Peers::hash_of(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

Expected<std::uint32_t> Peers::find_or_add(std::uint64_t hash) {
  if (const auto known = by_hash_.find(hash); known != by_hash_.end()) return known->second;
  if (count() >= most) return failure(fmt::format("more than {} processes", most));
  const std::uint32_t fresh = count();
  names_.push_back(fmt::format("#{:016x}", hash));
  hashes_.push_back(hash);
  by_hash_[hash] = fresh;
  return fresh;
}

Expected<std::uint32_t> Peers::find_or_add(std::string_view name) {
  auto peer = find_or_add(hash_of(name));
  if (!peer) return peer;
  if (names_[*peer].starts_with('#')) names_[*peer] = name;
  return peer;
}

}  // namespace lightcone
