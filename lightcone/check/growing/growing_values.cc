// Counts where slices differ from the background.
#include <lightcone/check/growing/growing_values.h>

#include <lightcone/check/value_check.h>
#include <lightcone/riders/certainty.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lightcone {
namespace {

/// The first of some places that are not among others, and of more.
[[nodiscard]] std::vector<EventPlace> merged(std::vector<EventPlace> some,
                                             const std::vector<EventPlace>& without,
                                             const std::vector<EventPlace>& more,
                                             std::size_t most) {
  std::vector<EventPlace> left, all;
  std::ranges::set_difference(some, without, std::back_inserter(left));
  std::ranges::merge(left, more, std::back_inserter(all));
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace

GrowingValues::GrowingValues(CompiledProperties alone, std::uint32_t property, const Names& names,
                             ValueLimits limits, Decided decided)
    : index_(property),
      names_(names),
      variable_(names.find(alone.source().properties[property].each)),
      limits_(limits),
      decided_(std::move(decided)),
      rules_(std::move(alone), names),
      background_(limits.most_places) {}

void GrowingValues::add_process(std::string_view name) {
  riders_.emplace_back(rules_, static_cast<std::uint32_t>(riders_.size()), name);
}

void GrowingValues::start(ProcessIndex process, const StateContent& initial) {
  riders_[process].start(initial);
  note(process, {process, 0}, true);
}

/// The number of the value that an event assigns, which may be new.
std::optional<std::uint32_t> GrowingValues::value_of(const StateContent& state) {
  const Datum value = assigned_value(state.assignments, variable_, names_);
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  const std::uint32_t before = values_.size();
  const bool may_grow = before < limits_.most_values && open_ < ValueLimits::most_open;
  const std::uint32_t number = values_.find_or_add(owned(value), may_grow ? SIZE_MAX : before);
  if (number == none) {
    is_over_ = true;
    return std::nullopt;
  }
  if (number == before) {
    tallies_.emplace_back(limits_.most_places);
    ++open_;
    if (decides_all_) decide(number, *decides_all_);
  }
  return number;
}

void GrowingValues::step(EventPlace place, const StateContent& state,
                         std::span<const SlicedTag* const> taken, bool is_exact) {
  SlicedState sliced{state, value_of(state)};
  if (sliced.value && rules_.is_forgotten(*sliced.value)) sliced.value.reset();
  riders_[place.process].event(sliced, taken);
  note(place.process, place, is_exact);
}

/// An answer that is not certain counts as not asked.
SlicedRider::AskedHere GrowingValues::certain(SlicedRider::AskedHere answer, bool is_exact) const {
  if (is_exact || !answer || !answer->found) return answer;
  const Properties& properties = rules_.property.compiled().source();
  if (!rests_on_one_true_path(properties, property(), *answer->found)) return std::nullopt;
  return answer;
}

/// Adds an answer to a tally, or takes it from one.
void GrowingValues::count(Tally& tally, const SlicedRider::AskedHere& answer, EventPlace place,
                          int sign) const {
  if (!answer) return;
  tally.asked += sign;
  if (!answer->found) {
    tally.undecided += sign;
    (sign > 0 ? tally.undecided_at : tally.not_undecided_at).add(place);
  } else if (*answer->found) {
    tally.found += sign;
    (sign > 0 ? tally.at : tally.not_at).add(place);
  } else if (property().verb == Verb::require) {
    (sign > 0 ? tally.missing : tally.not_missing).add(place);
  }
}

bool GrowingValues::decides(const SlicedRider::AskedHere& answer) const {
  return answer && answer->found && is_told(property().verb, *answer->found);
}

void GrowingValues::note(ProcessIndex process, EventPlace place, bool is_exact) {
  const SlicedRider& rider = riders_[process];
  const SlicedRider::AskedHere background = certain(rider.background(), is_exact);
  count(background_, background, place, 1);
  std::vector<std::uint32_t> followed;
  rider.for_each_value([&](std::uint32_t value, SlicedRider::AskedHere found) {
    followed.push_back(value);
    const SlicedRider::AskedHere answer = certain(found, is_exact);
    if (decides(answer)) decide(value, place);
    if (answer == background) return;
    count(tallies_[value], background, place, -1);
    count(tallies_[value], answer, place, 1);
  });
  if (decides(background) && !decides_all_) {
    decides_all_ = place;
    for (std::uint32_t value = 0; value < values_.size(); ++value) {
      if (!std::ranges::binary_search(followed, value)) decide(value, place);
    }
  } else if (decides(background) && open_ > 0) {
    for (std::uint32_t value = 0; value < values_.size(); ++value) {
      const bool is_open = !tallies_[value].is_decided;
      if (is_open && !std::ranges::binary_search(followed, value)) decide(value, place);
    }
  }
  forget_some();
}

void GrowingValues::decide(std::uint32_t value, EventPlace place) {
  Tally& tally = tallies_[value];
  if (tally.is_decided) return;
  tally.is_decided = true;
  --open_;
  kept_.push_back(value);
  if (decided_) decided_(values_[value], place);
}

/// Forgets values whose verdict is certain, if there are many.
void GrowingValues::forget_some() {
  if (kept_.size() < ValueLimits::kept_after_verdict) return;
  rules_.forgotten.resize(values_.size(), false);
  for (const std::uint32_t value : kept_) {
    Tally& tally = tallies_[value];
    tally.last = finding(tally);
    tally.at = tally.missing = tally.undecided_at = FirstPlaces(0);
    tally.not_at = tally.not_missing = tally.not_undecided_at = FirstPlaces(0);
    rules_.forgotten[value] = true;
    for (SlicedRider& rider : riders_) rider.forget(value);
  }
  kept_.clear();
}

PlaceFinding GrowingValues::finding(const Tally& tally) const {
  const auto sum = [](std::int64_t a, std::int64_t b) { return static_cast<std::uint64_t>(a + b); };
  PlaceFinding finding;
  finding.asked = sum(background_.asked, tally.asked);
  finding.found = sum(background_.found, tally.found);
  finding.undecided = sum(background_.undecided, tally.undecided);
  finding.at = merged(background_.at.sorted(), tally.not_at.sorted(), tally.at.sorted(),
                      limits_.most_places);
  finding.missing = merged(background_.missing.sorted(), tally.not_missing.sorted(),
                           tally.missing.sorted(), limits_.most_places);
  finding.undecided_at = merged(background_.undecided_at.sorted(), tally.not_undecided_at.sorted(),
                                tally.undecided_at.sorted(), limits_.most_places);
  return finding;
}

std::size_t GrowingValues::bytes() const {
  constexpr std::size_t of_value = sizeof(Tally) + 128, of_strand = 400;
  std::size_t bytes = tallies_.size() * of_value;
  for (const SlicedRider& rider : riders_) bytes += rider.followed() * of_strand;
  return bytes;
}

PropertyReport GrowingValues::report(const Wholeness& wholeness) {
  const CompiledProperties& compiled = rules_.property.compiled();
  const bool can_be_followed = compiled.undecided().empty();
  const std::string method =
      can_be_followed ? "slices of values, on the fly" : compiled.undecided().front().why;
  std::vector<PropertyReport> values;
  for (std::uint32_t value = 0; value < values_.size(); ++value) {
    Tally& tally = tallies_[value];
    if (can_be_followed) {
      PlaceFinding found = tally.last ? std::move(*tally.last) : finding(tally);
      values.push_back(report_on(property(), std::move(found), method, wholeness));
    } else {
      values.push_back(report_on_unanswered(property(), method));
    }
    values.back().value = values_[value];
    values.back().ended_early = tally.last.has_value();
  }
  PropertyReport whole = report_on_values(property(), std::move(values));
  if (is_over_) {
    leave_open(whole, fmt::format("not decided: {} has more values than can be followed",
                                  property().each));
  }
  return whole;
}

}  // namespace lightcone
