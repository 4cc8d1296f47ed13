// Numbers the values that are followed, and forgets those that were silent longest.
#include <lightcone/live/watch/property_watch.h>

#include <lightcone/property/language/property_reads.h>
#include <lightcone/riders/certainty.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

/// How many letters of a process a tag speaks of.
[[nodiscard]] std::uint32_t letters_of(const PropertyRider::Tag& tag, std::uint32_t process) {
  if (const auto* longest = std::get_if<LongestFlowTag>(&tag)) {
    if (longest->others.get() == nullptr) return 0;
    return rank_of(longest->sender == process ? longest->own : longest->others->at(process));
  }
  const auto* timed = std::get_if<TimedFlowTag>(&tag);
  const bool has_entry = timed != nullptr && timed->letters && process < timed->letters->size();
  return has_entry ? (*timed->letters)[process].rank : 0;
}

/// The tag of a message that carries nothing.
[[nodiscard]] PropertyRider::Tag without_contents(const PropertyRider::Tag& tag) {
  return std::visit([]<class T>(const T&) { return PropertyRider::Tag(T{}); }, tag);
}

}  // namespace

bool is_watched_alone(const Property& property) {
  if (std::holds_alternative<Global>(property.question)) return false;
  const auto* flow = std::get_if<Flow>(&property.question);
  return !property.each.empty() || (flow != nullptr && has_times(flow->pattern));
}

PropertyWatch::PropertyWatch(CompiledProperties alone, std::uint32_t property, std::uint32_t self,
                             std::string_view name, std::uint32_t most_values)
    : index_(property), self_(self), most_values_(std::max(most_values, 1U)) {
  // The vocabulary stays where it is when the compiled properties move.
  content_ = std::make_unique<LiveContent>(alone.vocabulary(), LiveContent::Texts::kept);
  rules_ = std::make_unique<SlicedRules>(std::move(alone), content_->names());
  rider_ = std::make_unique<SlicedRider>(*rules_, self, name);
}

void PropertyWatch::start(const LiveState& initial) {
  rider_->start(content_->of(Kind::initial, initial));
}

/// The value that an event assigns to the variable of `for each`.
std::optional<OwnedValue> PropertyWatch::value_of(const LiveState& state) const {
  for (const auto& [variable, value] : state.variables) {
    if (variable != property().each) continue;
    if (const auto* truth = std::get_if<bool>(&value)) return std::int64_t{*truth};
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
    if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
    const Datum datum = datum_of(std::get<double>(value));
    if (std::holds_alternative<std::monostate>(datum)) return std::nullopt;
    return owned(datum);
  }
  return std::nullopt;
}

std::uint32_t PropertyWatch::number_of(const OwnedValue& value) {
  const auto [at, is_new] = values_.try_emplace(value);
  if (!is_new) {
    uses_.splice(uses_.end(), uses_, at->second.use);
    return at->second.number;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(by_number_.size()));
    by_number_.push_back(nullptr);
  }
  at->second.number = free_.back();
  free_.pop_back();
  by_number_[at->second.number] = &at->first;
  at->second.use = uses_.insert(uses_.end(), &at->first);
  return at->second.number;
}

void PropertyWatch::forget_oldest() {
  const auto oldest = values_.find(*uses_.front());
  const std::uint32_t number = oldest->second.number;
  rider_->forget(number);
  by_number_[number] = nullptr;
  free_.push_back(number);
  uses_.pop_front();
  values_.erase(oldest);
  is_whole_ = false;
}

void PropertyWatch::event(Kind kind, const LiveState& state, bool sends,
                          std::span<const PropertyTag* const> tags) {
  if (is_over_) return;
  ++made_;
  std::vector<SlicedTag> sliced;
  for (const PropertyTag* tag : tags) {
    const bool is_early = !is_credible(*tag);  // in a replay: of events that have not happened yet
    is_whole_ = is_whole_ && tag->is_whole && !is_early;
    if (is_early) {
      sliced.push_back({without_contents(tag->background), nullptr});
      continue;
    }
    auto values = std::make_shared<SlicedTag::Values>();
    for (const auto& [value, of_value] : tag->values) {
      values->emplace_back(number_of(value), of_value);
    }
    std::ranges::sort(*values, {}, [](const auto& entry) { return entry.first; });
    sliced.push_back({tag->background, std::move(values)});
  }
  std::vector<const SlicedTag*> taken;
  for (const SlicedTag& tag : sliced) taken.push_back(&tag);
  SlicedState next;
  next.content = content_->of(kind, state);
  next.content.sends = sends;
  next.is_of_all = property().each.empty();
  if (const auto value = value_of(state)) next.value = number_of(*value);
  rider_->event(next, taken);
  while (values_.size() > most_values_) forget_oldest();
  is_over_ = content_->names().bytes() > most_text_bytes || made_ == most_observed;
}

PropertyTag PropertyWatch::tag() const {
  PropertyTag tag;
  tag.background = rider_->background_rider().tag();
  tag.is_whole = is_whole_ && !is_over_;
  for (std::uint32_t number = 0; number < by_number_.size(); ++number) {
    const PropertyRider* rider = rider_->rider(number);
    if (by_number_[number] == nullptr || rider == nullptr) continue;
    tag.values.emplace_back(*by_number_[number], rider->tag());
  }
  return tag;
}

/// How many letters a value has had that was forgotten is not known any more.
bool PropertyWatch::is_credible(const PropertyTag& tag) const {
  const auto is_made = [&](const PropertyRider& rider, const PropertyRider::Tag& told) {
    return letters_of(told, self_) <= (is_whole_ ? rider.own_letters() : made_);
  };
  if (!is_made(rider_->background_rider(), tag.background)) return false;
  return std::ranges::all_of(tag.values, [&](const auto& one) {
    const auto value = values_.find(one.first);
    const PropertyRider* own =
        value == values_.end() ? nullptr : rider_->rider(value->second.number);
    return is_made(own == nullptr ? rider_->background_rider() : *own, one.second);
  });
}

void PropertyWatch::forget(const std::vector<bool>& peers) { rider_->forget_peers(peers); }

/// Of what was forgotten, only paths are missing.
bool PropertyWatch::is_certain(bool found) const {
  return is_whole_ || rests_on_one_path(property(), found);
}

std::vector<PropertyWatch::Found> PropertyWatch::found() const {
  std::vector<Found> all;
  if (is_over_ || is_given_up()) return all;
  const SlicedRider::AskedHere background = rider_->background();
  if (property().each.empty()) {
    if (background && background->found) all.push_back({{}, *background->found});
    return all;
  }
  rider_->for_each_value([&](std::uint32_t number, const SlicedRider::AskedHere& answer) {
    if (!answer || !answer->found || answer == background) return;
    if (number >= by_number_.size() || by_number_[number] == nullptr) return;
    if (is_certain(*answer->found)) all.push_back({*by_number_[number], *answer->found});
  });
  return all;
}

bool PropertyWatch::is_given_up() const {
  return depends_on_matching(rules_->property.compiled().source(), property(),
                             rules_->property.observer().expressions().given_up());
}

std::string PropertyWatch::news() {
  const TimedFlows* timed = rules_->property.timed();
  if (timed != nullptr && timed->compares_processes && !std::exchange(has_told_comparing_, true)) {
    return fmt::format(
        "{} compares times of different processes: that is not watched; say by how much their "
        "clocks may differ, as in `clocks within 10 ms`",
        property().name);
  }
  if (is_over_ && !std::exchange(has_told_texts_, true)) {
    return fmt::format(
        "{} is not watched any more: its variables have too many texts, or there "
        "were too many events",
        property().name);
  }
  if (is_whole_ || std::exchange(has_told_forgetting_, true)) return {};
  return fmt::format(
      "{}: more values of {} than are followed at a time; what depends on those that were silent "
      "longest is not told any more",
      property().name, property().each);
}

}  // namespace lightcone
