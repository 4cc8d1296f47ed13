// Names and hashes of processes, and what is known of their knowledge.
#include <lightcone/riders/tags/peers.h>

#include <fmt/format.h>
#include <lightcone/riders/tags/incarnation.h>

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lightcone {

Peers::Peers(std::vector<std::string> members, const PeerRoom& room)
    : names_(std::move(members)),
      brought_by_(names_.size(), nobody),
      members_(static_cast<std::uint32_t>(names_.size())),
      room_(room) {
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

std::uint32_t Peers::other_count() const {
  return count() - members_ - static_cast<std::uint32_t>(free_.size());
}

std::size_t Peers::bytes_with_name(std::size_t length) const {
  return room_.bytes + room_.named_bytes + length;
}

std::size_t Peers::bytes() const {
  return other_count() * room_.bytes + named_ * room_.named_bytes + name_bytes_;
}

std::size_t Peers::bytes_spoken_of(std::uint32_t by) const {
  return by < brought_.size() ? brought_[by] * room_.bytes : 0;
}

tl::unexpected<Error> Peers::no_room(std::uint32_t wanted_by, const std::string& what) {
  lacks_room_ = true;
  room_for_ = wanted_by;
  return too_many(what);
}

tl::unexpected<Error> Peers::too_many(const std::string& what) {
  return failure("speaks of one process too many: there is room for " + what + ", and for members",
                 {}, 0, "name members, or set ProcessOptions::most_peers or most_peer_bytes");
}

Expected<std::uint32_t> Peers::add(std::uint64_t hash, std::uint32_t brought_by,
                                   std::size_t bytes) {
  if (other_count() >= room_.most) return no_room(brought_by, fmt::to_string(room_.most));
  if (this->bytes() + bytes > room_.most_bytes) {
    return no_room(brought_by, fmt::format("{} bytes", room_.most_bytes));
  }
  if (brought_by != nobody && bytes_spoken_of(brought_by) + bytes > room_.most_spoken_of) {
    return too_many(fmt::format("{} bytes of what one peer speaks of", room_.most_spoken_of));
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
  last_receiver_peer_ = nobody;
  hashes_[fresh] = hash;
  set_brought_by(fresh, brought_by);
  by_hash_[hash] = fresh;
  added_on_trial_.push_back(fresh);
  return fresh;
}

void Peers::set_brought_by(std::uint32_t peer, std::uint32_t by) {
  std::uint32_t& before = brought_by_[peer];
  if (before != nobody) --brought_[before];
  if (by != nobody && by >= brought_.size()) brought_.resize(by + 1, 0);
  if (by != nobody) ++brought_[by];
  before = by;
}

void Peers::remove(std::uint32_t peer) {
  last_receiver_peer_ = nobody;
  by_hash_.erase(hashes_[peer]);
  if (is_named(peer)) {
    --named_;
    name_bytes_ -= names_[peer].size();
  }
  set_brought_by(peer, nobody);
  names_[peer].clear();
  names_[peer].shrink_to_fit();
  free_.push_back(peer);
}

Expected<std::uint32_t> Peers::find_or_add(std::uint64_t hash, std::uint32_t brought_by) {
  if (const auto known = find(hash)) return *known;
  auto peer = add(hash, brought_by, room_.bytes);
  if (peer) names_[*peer] = fmt::format("#{:016x}", hash);
  return peer;
}

Expected<std::uint32_t> Peers::find_or_add(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
  if (const auto known = find(hash)) {
    if (is_named(*known)) return *known;
    if (bytes() + room_.named_bytes + name.size() > room_.most_bytes) {
      return no_room(nobody, fmt::format("{} bytes", room_.most_bytes));
    }
    named_on_trial_.emplace_back(*known, brought_by_[*known]);
    set_brought_by(*known, nobody);
    give_name(*known, name);
    return *known;
  }
  auto peer = add(hash, nobody, bytes_with_name(name.size()));
  if (peer) give_name(*peer, name);
  return peer;
}

void Peers::give_name(std::uint32_t peer, std::string_view name) {
  names_[peer] = name;
  ++named_;
  name_bytes_ += name.size();
}

void Peers::make_latest(std::string_view name, std::uint32_t number, std::uint32_t peer) {
  last_receiver_peer_ = nobody;
  latest_[hash_of(name)] = {number, peer, hash_of(identity_of(name, number + 1))};
}

void Peers::heard_from_other(std::uint32_t peer) {
  const auto [name, number] = incarnation_of(names_[peer]);
  if (number == 1) return;
  const auto known = latest_.find(hash_of(name));
  if (known == latest_.end() || known->second.number < number) make_latest(name, number, peer);
}

Expected<std::uint32_t> Peers::find_or_add_latest(std::string_view name) {
  if (const std::uint32_t last = last_receiver(name); last != nobody) return last;
  auto latest = find_or_add_latest_by_hash(name);
  if (latest) {
    last_receiver_ = name;
    last_receiver_peer_ = *latest;
  }
  return latest;
}

/// Someone may have spoken of the next incarnation by its hash before it is heard from itself.
Expected<std::uint32_t> Peers::find_or_add_latest_by_hash(std::string_view name) {
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

void Peers::undo_trial() {
  for (const auto& [peer, brought_by] : named_on_trial_) {
    --named_;
    name_bytes_ -= names_[peer].size();
    set_brought_by(peer, brought_by);
    names_[peer] = fmt::format("#{:016x}", hashes_[peer]);
  }
  for (const std::uint32_t peer : added_on_trial_) remove(peer);
  // Whoever was new has not brought anything before.
  if (std::ranges::find(added_on_trial_, room_for_) != added_on_trial_.end()) room_for_ = nobody;
  added_on_trial_.clear();
  named_on_trial_.clear();
}

std::vector<std::uint32_t> Peers::make_room() {
  const auto busiest = std::ranges::max_element(brought_);
  const auto who = static_cast<std::uint32_t>(busiest - brought_.begin());
  std::vector<std::uint32_t> forgotten;
  if (busiest == brought_.end() || *busiest == 0 || who == room_for_) return forgotten;
  for (std::uint32_t peer = 0; peer < count(); ++peer) {
    if (brought_by_[peer] == who) forgotten.push_back(peer);
  }
  for (const std::uint32_t peer : forgotten) remove(peer);
  added_on_trial_.clear();
  return forgotten;
}

void Knowledge::learn(std::uint32_t peer, std::uint32_t entry, std::uint32_t value) {
  if (!is_dense(peer, entry)) return learn_sparse(peer, entry, value);
  if (peer >= rows_.size()) rows_.resize(peer + 1);
  auto& row = rows_[peer];
  if (entry >= row.size()) row.resize(entry + 1, 0);
  if (row[entry] < value) row[entry] = value;
}

void Knowledge::learn_sparse(std::uint32_t peer, std::uint32_t entry, std::uint32_t value) {
  if (bytes() + row_bytes + value_bytes > most_bytes_) forget_long_rows();
  Row& row = sparse_[peer];
  if (row_bytes + (row.size() + 1) * value_bytes > most_bytes_ / 4) {
    values_ -= row.size();
    row = Row();
  }
  const std::size_t before = row.size();
  std::uint32_t& known = row[entry];
  known = std::max(known, value);
  values_ += row.size() - before;
}

/// All that are at least half as long as the mean: at least half of the values are in these.
void Knowledge::forget_long_rows() {
  const std::size_t mean = sparse_.empty() ? 0 : values_ / sparse_.size();
  for (auto row = sparse_.begin(); row != sparse_.end();) {
    const std::size_t length = row->second.size();
    const bool goes = 2 * length >= mean;
    values_ -= goes ? length : 0;
    row = goes ? sparse_.erase(row) : std::next(row);
  }
}

std::uint32_t Knowledge::of(std::uint32_t peer, std::uint32_t entry) const {
  if (!is_dense(peer, entry)) {
    const auto row = sparse_.find(peer);
    if (row == sparse_.end()) return 0;
    const auto known = row->second.find(entry);
    return known == row->second.end() ? 0 : known->second;
  }
  if (peer >= rows_.size() || entry >= rows_[peer].size()) return 0;
  return rows_[peer][entry];
}

void Knowledge::forget(const std::vector<bool>& entries) {
  const auto is_forgotten = [&](std::uint32_t entry) {
    return entry < entries.size() && entries[entry];
  };
  for (auto row = sparse_.begin(); row != sparse_.end(); ++row) {
    Row& known = row.value();
    for (auto at = known.begin(); at != known.end();) {
      const bool goes = is_forgotten(at->first);
      values_ -= goes ? 1 : 0;
      at = goes ? known.erase(at) : std::next(at);
    }
  }
}

}  // namespace lightcone
