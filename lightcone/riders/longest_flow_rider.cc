// Joins what messages bring, and takes a step at each observed event.
#include <lightcone/riders/longest_flow_rider.h>

#include <lightcone/error.h>

#include <algorithm>

namespace lightcone {
void LongestFlowRider::event(const Step& step) {
  observed_.reset();
  if (!flows_->sets.is_labelled(step.scene)) return;
  const ReachedSets::Index set = flows_->sets.step(reached_before(), step.scene);
  if (!others_->uncovered().empty()) writable().cover();
  LIGHTCONE_ASSERT(!is_full());
  own_ = observed_entry(rank_of(own_) + 1, set);
  observed_ = set;
}

/// The union over the maximal entries; where all automata start if there are none.
ReachedSets::Index LongestFlowRider::reached_before() const {
  std::optional<ReachedSets::Index> set;
  if (is_uncovered(own_)) set = set_of(own_);
  for (const ObservedVector::Uncovered& other : others_->uncovered()) {
    set = set ? flows_->sets.join(*set, other.set) : other.set;
  }
  return set ? *set : flows_->sets.start();
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
  if (tag.sender == self_) {
    own_ = std::max(own_, tag.own);
  } else if (key_of(own_) < tag.others->key(self_)) {
    own_ = tag.others->at(self_);
  }
  if (ObservedVector* own = others_.own()) {
    own->join(*tag.others, self_);
  } else if (others_.get() != tag.others.get()) {
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
  for (const ObservedVector::Uncovered& other : others_->uncovered()) sets.push_back(other.set);
  return sets;
}

void LongestFlowRider::renumber_sets(std::span<const ReachedSets::Index> sets) {
  if (is_uncovered(own_)) {
    own_ = observed_entry(rank_of(own_), sets.front());
    sets = sets.subspan(1);
  }
  if (sets.empty()) return;
  const std::span<ObservedVector::Uncovered> others = writable().uncovered();
  for (std::size_t i = 0; i < others.size(); ++i) others[i].set = sets[i];
}

std::vector<std::uint32_t> LongestFlowRider::maximal() const {
  std::vector<std::uint32_t> processes;
  if (is_uncovered(own_)) processes.push_back(self_);
  for (const ObservedVector::Uncovered& other : others_->uncovered()) {
    processes.push_back(other.process);
  }
  std::sort(processes.begin(), processes.end());
  return processes;
}

std::uint32_t LongestFlowRider::process_count() const {
  return std::max(self_ + 1, others_->size());
}

}  // namespace lightcone
