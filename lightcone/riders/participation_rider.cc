// Keeps the sets of senders apart only until the next observed event.
#include <lightcone/riders/participation_rider.h>

#include <algorithm>

namespace lightcone {

void ParticipationRider::take(const Tag& tag) {
  if (tag.sender == UINT32_MAX) return;
  broken_ = broken_ || tag.broken;
  if (tag.sender == self_) return;  // it brings what is known here
  own_ = std::max(own_, tag.others.at(self_));
  const std::uint32_t known = others_.at(tag.sender);
  others_.join(tag.others);
  if (tag.own > others_.at(tag.sender)) others_.set(tag.sender, tag.own);
  if (tag.own > known && tag.own % 2 == 0) candidates_.push_back({tag.sender, tag.own, tag.set});
}

bool ParticipationRider::has_candidates() const {
  return std::any_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& candidate) { return is_maximal(candidate); });
}

void ParticipationRider::event(const Step& step) {
  observed_.reset();
  if (!sets_->is_labelled(step.scene)) return;
  std::optional<ReachedSets::Index> before;
  if (own_ != 0 && own_ % 2 == 0) before = set_;
  for (const Candidate& candidate : candidates_) {
    if (!is_maximal(candidate)) continue;
    before = before ? sets_->join(*before, candidate.set) : candidate.set;
    others_.set(candidate.process, candidate.entry + 1);
  }
  candidates_.clear();
  set_ = sets_->step(before ? *before : sets_->start(), step.scene);
  own_ = (own_ & ~1U) + 2;
  observed_ = set_;
}

}  // namespace lightcone
