// Steps in the background, and in the slice of each value that is in the past.
#include <lightcone/riders/slices/sliced_rider.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] const PropertyRider::Tag& tag_of(const SlicedTag& tag, std::uint32_t value) {
  if (!tag.values) return tag.background;
  const auto at = std::ranges::lower_bound(*tag.values, value, {},
                                           [](const auto& entry) { return entry.first; });
  return at != tag.values->end() && at->first == value ? at->second : tag.background;
}

}  // namespace

StateContent SlicedState::blank() const {
  if (is_of_all) return content;
  StateContent blank;
  blank.kind = content.kind;
  blank.sends = content.sends;
  blank.time = content.time;
  blank.messages = content.messages;
  return blank;
}

SlicedRider::SlicedRider(SlicedRules& rules, std::uint32_t self, std::string_view name)
    : all_(&rules),
      rules_(&rules.property),
      process_(rules_->observer().add_process(name)),
      background_(*rules_, self) {}

void SlicedRider::start(const StateContent& initial) {
  scene_ = rules_->observer().observe(process_, initial);
  background_.start({scene_, initial.time});
}

/// The value may not have been in the past until now.
void SlicedRider::follow(std::uint32_t value) {
  if (all_->is_forgotten(value)) return;
  strands_.try_emplace(value, Strand{background_, {}, scene_});
}

/// Finds the scene of the next state in the slice of a value. Without declared labels, scenes do
/// not depend on the states before.
void SlicedRider::look(Strand& strand, const SlicedState& state, bool is_of_value) {
  Observer& observer = rules_->observer();
  if (is_of_value && !strand.observed && observer.expressions().declared_count() > 0) {
    if (free_.empty()) free_.push_back(observer.copy_process(process_));
    strand.observed = free_.back();
    free_.pop_back();
    observer.copy_process(process_, *strand.observed);
  }
  if (is_of_value) {
    strand.scene = observer.observe(strand.observed.value_or(process_), state.content);
  } else {
    strand.scene = strand.observed ? observer.observe(*strand.observed, state.blank()) : scene_;
  }
}

void SlicedRider::event(const SlicedState& state, std::span<const SlicedTag* const> tags) {
  for (const SlicedTag* tag : tags) {
    if (!tag->values) continue;
    for (const auto& [value, of_value] : *tag->values) follow(value);
  }
  if (state.value) follow(*state.value);
  scene_ = rules_->observer().observe(process_, state.blank());
  const double time = state.content.time;
  std::vector<const PropertyRider::Tag*> taken(tags.size());
  for (auto& [value, strand] : strands_) {
    look(strand, state, state.value == value);
    for (std::size_t i = 0; i < tags.size(); ++i) taken[i] = &tag_of(*tags[i], value);
    strand.rider.receive({strand.scene, time}, taken);
  }
  for (std::size_t i = 0; i < tags.size(); ++i) taken[i] = &tags[i]->background;
  background_.receive({scene_, time}, taken);
  drop_idle();
}

/// What is as in the background, and will be, needs no rider.
void SlicedRider::drop_idle() {
  std::erase_if(strands_, [&](const auto& entry) {
    const Strand& strand = entry.second;
    return !strand.observed && strand.scene == scene_ && strand.rider.is_like(background_);
  });
}

SlicedTag SlicedRider::tag() const {
  SlicedTag tag{background_.tag(), nullptr};
  if (strands_.empty()) return tag;
  auto values = std::make_shared<SlicedTag::Values>();
  values->reserve(strands_.size());
  for (const auto& [value, strand] : strands_) values->emplace_back(value, strand.rider.tag());
  tag.values = std::move(values);
  return tag;
}

SlicedRider::AskedHere SlicedRider::answer(std::uint32_t value) const {
  const auto found = strands_.find(value);
  return found == strands_.end() ? background() : found->second.rider.answer(found->second.scene);
}

void SlicedRider::forget(std::uint32_t value) {
  const auto found = strands_.find(value);
  if (found == strands_.end()) return;
  if (found->second.observed) free_.push_back(*found->second.observed);
  strands_.erase(found);
}

void SlicedRider::forget_peers(const std::vector<bool>& peers) {
  background_.forget_peers(peers);
  for (auto& [value, strand] : strands_) strand.rider.forget_peers(peers);
}

}  // namespace lightcone
