// Joins what messages bring, and takes a step at each observed event.
#include <lightcone/riders/longest_flow_rider.h>

#include <lightcone/error.h>

#include <algorithm>

namespace lightcone {
/// From the union over the maximal entries, which the event covers; or from where all automata
/// start if there are none.
void LongestFlowRider::observe(Scene scene) {
  ReachedSets& sets = flows_->sets;
  ReachedSets::Index before = is_uncovered(own_) ? set_of(own_) : none;
  if (others_.own() != nullptr || others_->has_uncovered()) {
    writable().cover(
        [&](ReachedSets::Index set) { before = before == none ? set : sets.join(before, set); });
  }
  LIGHTCONE_ASSERT(!is_full());
  observed_ = sets.step(before == none ? sets.start() : before, scene);
  own_ = observed_entry(rank_of(own_) + 1, *observed_);
}

ObservedVector& LongestFlowRider::writable() {
  if (ObservedVector* own = others_.own()) return *own;
  VectorPool::Reference copy = flows_->pool.take();
  ObservedVector& to = *copy.own();
  to.copy_from(*others_);
  others_ = std::move(copy);
  return to;
}

void LongestFlowRider::take(const Tag& tag) {
  if (tag.sender == UINT32_MAX) return;  // a message that carried nothing
  const ObservedEntry told = tag.sender == self_ ? tag.own : tag.others->at(self_);
  own_ = key_of(own_) < key_of(told) ? told : own_;
  if (ObservedVector* own = others_.own()) {
    own->join(*tag.others, self_);
    if (tag.sender != self_) own->raise(tag.sender, tag.own);
    return;
  }
  if (others_.get() != tag.others.get()) {
    VectorPool::Reference fresh = flows_->pool.take();
    if (fresh.own()->join(*others_, *tag.others, self_)) others_ = std::move(fresh);
  }
  if (tag.sender != self_ && others_->key(tag.sender) < key_of(tag.own)) {
    writable().set(tag.sender, tag.own);
  }
}

void LongestFlowRider::take(std::uint32_t process, ObservedEntry entry) {
  if (process == self_) {
    if (rank_of(entry) == rank_of(own_) && own_ != 0) own_ |= entry & covered_bit;
    return;
  }
  if (others_->key(process) < key_of(entry)) writable().set(process, entry);
}

void LongestFlowRider::forget(std::uint32_t process) {
  if (process != self_ && others_->key(process) != 0) writable().set(process, 0);
}

std::vector<ReachedSets::Index> LongestFlowRider::used_sets() const {
  std::vector<ReachedSets::Index> sets;
  if (is_uncovered(own_)) sets.push_back(set_of(own_));
  others_->for_each_uncovered([&](std::uint32_t, ReachedSets::Index set) { sets.push_back(set); });
  return sets;
}

void LongestFlowRider::renumber_sets(std::span<const ReachedSets::Index> sets) {
  auto next = sets.begin();
  if (is_uncovered(own_)) own_ = observed_entry(rank_of(own_), *next++);
  if (next == sets.end()) return;
  writable().for_each_uncovered([&](std::uint32_t, ReachedSets::Index& set) { set = *next++; });
}

std::vector<std::uint32_t> LongestFlowRider::maximal() const {
  std::vector<std::uint32_t> processes;
  others_->for_each_uncovered(
      [&](std::uint32_t process, ReachedSets::Index) { processes.push_back(process); });
  if (is_uncovered(own_)) {
    processes.insert(std::ranges::lower_bound(processes, self_), self_);
  }
  return processes;
}

std::uint32_t LongestFlowRider::process_count() const {
  return std::max(self_ + 1, others_->size());
}

}  // namespace lightcone
