// Passes on to the rider that the property needs.
#include <lightcone/riders/slices/property_rider.h>

#include <utility>

namespace lightcone {
namespace {

[[nodiscard]] std::variant<LrdagRider, LongestFlowRider, TimedFlowRider> rider_for(
    PropertyRules& rules, std::uint32_t self) {
  if (TimedFlows* timed = rules.timed()) return TimedFlowRider(*timed, self);
  if (LongestFlows* longest = rules.longest()) return LongestFlowRider(*longest, self);
  return LrdagRider(rules.lrdag());
}

}  // namespace

PropertyRules::PropertyRules(CompiledProperties alone, const Names& names)
    : compiled_(std::move(alone)),
      observer_(compiled_.vocabulary(), names),
      lrdag_(compiled_, observer_),
      longest_(by_alphabet(compiled_, observer_)) {
  for (const CompiledFlow& flow : compiled_.flows()) {
    if (flow.timed) timed_.emplace(TimedFlows{flow, observer_, compiled_.source().clocks_within});
  }
}

PropertyRider::PropertyRider(PropertyRules& rules, std::uint32_t self)
    : rules_(&rules), self_(self), rider_(rider_for(rules, self)) {}

void PropertyRider::start(const Step& step) {
  std::visit([&](auto& rider) { rider.start(step); }, rider_);
}

void PropertyRider::event(const Step& step) {
  std::visit([&](auto& rider) { rider.event(step); }, rider_);
}

void PropertyRider::receive(const Step& step, std::span<const Tag* const> tags) {
  std::visit(
      [&]<class R>(R& rider) {
        std::vector<const typename R::Tag*> taken;
        for (const Tag* tag : tags) taken.push_back(&std::get<typename R::Tag>(*tag));
        rider.receive(step, taken);
      },
      rider_);
}

std::uint32_t PropertyRider::own_letters() const {
  if (const auto* longest = std::get_if<LongestFlowRider>(&rider_)) {
    return rank_of(longest->entry(self_));
  }
  const auto* timed = std::get_if<TimedFlowRider>(&rider_);
  return timed == nullptr ? 0 : timed->own_letters();
}

PropertyRider::Tag PropertyRider::tag() const {
  return std::visit([](const auto& rider) -> Tag { return rider.tag(); }, rider_);
}

std::optional<PropertyRider::FoundHere> PropertyRider::answer(Scene scene) const {
  std::optional<FoundHere> answer;
  if (const auto* timed = std::get_if<TimedFlowRider>(&rider_)) {
    const CompiledFlow& flow = timed->flows().flow;
    if (flow.at && !rules_->observer().holds(scene, *flow.at)) return answer;
    timed->answer([&](std::optional<bool> found) { answer = FoundHere{found}; });
  } else if (const auto* longest = std::get_if<LongestFlowRider>(&rider_)) {
    if (!longest->observed()) return answer;
    rules_->longest()->sets.for_each_answer(
        *longest->observed(), scene, [&](std::uint32_t, bool found) { answer = FoundHere{found}; });
  } else {
    rules_->lrdag().for_each_answer(
        scene, std::get<LrdagRider>(rider_).state().data(),
        [&](const Lrdag::Member&, bool found) { answer = FoundHere{found}; });
  }
  return answer;
}

void PropertyRider::forget_peers(const std::vector<bool>& peers) {
  for (std::uint32_t peer = 0; peer < peers.size(); ++peer) {
    if (!peers[peer]) continue;
    if (auto* longest = std::get_if<LongestFlowRider>(&rider_)) longest->forget(peer);
    if (auto* timed = std::get_if<TimedFlowRider>(&rider_)) timed->forget(peer);
  }
}

bool PropertyRider::is_like(const PropertyRider& other) const {
  const auto* a = std::get_if<LrdagRider>(&rider_);
  const auto* b = std::get_if<LrdagRider>(&other.rider_);
  return a != nullptr && b != nullptr && a->state() == b->state();
}

}  // namespace lightcone
