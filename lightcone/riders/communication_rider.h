// Longest flows where every receive is seen at once (RR-2595, section 5.2).
#pragma once

#include <lightcone/riders/one_set_tag.h>
#include <lightcone/riders/rider.h>

#include <optional>
#include <span>

namespace lightcone {

/// For computations in which every receive takes one message and is followed by an observed event
/// (or is one) before the next receive or send. Then an observed event has at most two immediate
/// predecessors, the one before it here and the last one of the sender, and the clock alone says
/// which of them are: one set is all there is to keep, and nothing has to be marked as covered.
class CommunicationRider {
 public:
  using Tag = OneSetTag;

  CommunicationRider(ReachedSets& sets, std::uint32_t self) : sets_(&sets), self_(self) {}

  void start(const Step&) {}
  void event(const Step& step) {
    observed_.reset();
    if (!sets_->is_labelled(step.scene)) return;
    before_ = sets_->step(before_ ? *before_ : sets_->start(), step.scene);
    ++own_;
    pending_ = false;
    observed_ = before_;
  }
  void receive(const Step& step, std::span<const Tag* const> tags) {
    for (const Tag* tag : tags) take(*tag);
    event(step);
  }
  [[nodiscard]] Tag tag() const {
    return {self_, own_, before_ ? *before_ : sets_->start(), others_, broken_ || pending_};
  }

  /// The set that the last event reached, if it was labelled.
  [[nodiscard]] std::optional<ReachedSets::Index> observed() const { return observed_; }
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  void take(const Tag& tag) {
    if (tag.sender == UINT32_MAX) return;
    broken_ = broken_ || tag.broken || pending_;
    pending_ = true;
    if (tag.sender == self_) return;
    const bool is_new = tag.own > others_.at(tag.sender);
    const bool covers_mine = own_ != 0 && tag.others.at(self_) == own_;
    if (covers_mine && is_new) before_.reset();
    if (is_new) before_ = before_ ? sets_->join(*before_, tag.set) : tag.set;
    others_.join(tag.others);
    if (is_new) others_.set(tag.sender, tag.own);
  }

  ReachedSets* sets_;
  std::uint32_t self_;
  std::uint32_t own_ = 0;
  std::optional<ReachedSets::Index> before_;  // what the next observed event starts from
  PlainClock others_;
  bool pending_ = false;  // a receive that no observed event has followed
  bool broken_ = false;
  std::optional<ReachedSets::Index> observed_;
};

static_assert(Rider<CommunicationRider>);

}  // namespace lightcone
