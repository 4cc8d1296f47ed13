// Joins what messages bring, and takes a step at each observed event.
#include <lightcone/riders/longest_flow_rider.h>

#include <lightcone/error.h>

#include <algorithm>

namespace lightcone {
void LongestFlowRider::event(const Step& step) {
  observed_.reset();
  if (!flows_->sets.is_labelled(step.scene)) return;
  const ReachedSets::Index set = flows_->sets.step(reached_before(), step.scene);
  if (open_) cover_others();
  LIGHTCONE_ASSERT(!is_full());
  own_ = observed_entry(rank_of(own_) + 1, set);
  observed_ = set;
}

/// The union over the maximal entries; where all automata start if there are none.
ReachedSets::Index LongestFlowRider::reached_before() const {
  std::optional<ReachedSets::Index> set;
  if (is_uncovered(own_)) set = set_of(own_);
  if (open_) {
    others_->for_each_uncovered([&](std::uint32_t k) {
      const ReachedSets::Index other = set_of(others_->entries[k]);
      set = set ? flows_->sets.join(*set, other) : other;
    });
  }
  return set ? *set : flows_->sets.start();
}

void LongestFlowRider::cover_others() {
  open_ = false;
  bool some = false;
  others_->for_each_uncovered([&](std::uint32_t) { some = true; });
  if (!some) return;
  ObservedVector& vector = writable();
  vector.for_each_uncovered([&](std::uint32_t k) { vector.entries[k] |= covered_bit; });
  vector.open = 0;
}

ObservedVector& LongestFlowRider::writable() {
  if (ObservedVector* own = others_.own()) return *own;
  VectorPool::Reference copy = flows_->pool.take();
  ObservedVector& to = *copy.own();
  to.entries = others_->entries;
  to.open = others_->open;
  others_ = std::move(copy);
  return to;
}

void LongestFlowRider::take(const Tag& tag) {
  if (tag.sender == UINT32_MAX) return;  // a message that carried nothing
  own_ = std::max(own_, tag.sender == self_ ? tag.own : tag.others->at(self_));
  open_ = true;
  ObservedVector* to = others_.own();
  VectorPool::Reference fresh;
  if (to == nullptr) {
    fresh = flows_->pool.take();
    to = fresh.own();
    to->open = others_->open;
  }
  join_entries(others_->entries, tag.others->entries, to->entries);
  to->open |= tag.others->open;
  if (tag.sender != self_) {
    if (tag.sender >= to->entries.size()) to->entries.resize(tag.sender + 1, 0);
    if (to->entries[tag.sender] < tag.own) to->entries[tag.sender] = tag.own;
    to->mark_open(tag.sender);
  }
  if (self_ < to->entries.size() && to->entries[self_] != 0) to->entries[self_] = 0;
  if (fresh.get() != nullptr) others_ = std::move(fresh);
}

void LongestFlowRider::take(std::uint32_t process, ObservedEntry entry) {
  if (process == self_) {
    if (rank_of(entry) == rank_of(own_) && own_ != 0) own_ |= entry & covered_bit;
    return;
  }
  ObservedVector& vector = writable();
  if (process >= vector.entries.size()) vector.entries.resize(process + 1, 0);
  if (vector.entries[process] >= entry) return;
  vector.entries[process] = entry;
  if (!is_uncovered(entry)) return;
  vector.mark_open(process);
  open_ = true;
}

void LongestFlowRider::forget(std::uint32_t process) {
  if (process < others_->entries.size() && process != self_) writable().entries[process] = 0;
}

std::vector<std::uint32_t> LongestFlowRider::maximal() const {
  std::vector<std::uint32_t> processes;
  if (is_uncovered(own_)) processes.push_back(self_);
  others_->for_each_uncovered([&](std::uint32_t k) { processes.push_back(k); });
  std::sort(processes.begin(), processes.end());
  return processes;
}

std::uint32_t LongestFlowRider::process_count() const {
  return std::max<std::uint32_t>(self_ + 1, static_cast<std::uint32_t>(others_->entries.size()));
}

}  // namespace lightcone
