// Asks slice after slice, on all cores, and puts the verdicts together.
#include <lightcone/check/value_check.h>

#include <fmt/format.h>
#include <lightcone/base/parallel.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/check/verdicts.h>
#include <lightcone/riders/certainty.h>

#include <algorithm>
#include <mutex>

namespace lightcone {
namespace {

/// Which of two verdicts decides about the whole, and comes first in a report.
[[nodiscard]] int weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail: return 0;
    case Verdict::unknown: return 1;
    default: return 2;
  }
}

}  // namespace

Error no_bound_on_clocks(const Properties& properties, std::uint32_t index) {
  const Property& property = properties.properties[index];
  return {fmt::format("`{}` compares times of different processes", property.name),
          properties.file,
          property.place.line,
          "say by how much their clocks may differ, as in `clocks within 10 ms`",
          property.place.column,
          {}};
}

PropertyReport report_on_values(const Property& property, std::vector<PropertyReport> values) {
  PropertyReport whole;
  whole.name = property.name;
  whole.verb = property.verb;
  whole.each = property.each;
  whole.is_global = std::holds_alternative<Global>(property.question);
  whole.value_count = values.size();
  whole.verdict = whole.verb == Verb::watch ? Verdict::info : Verdict::pass;
  for (const PropertyReport& one : values) {
    if (weight(one.verdict) < weight(whole.verdict)) whole.verdict = one.verdict;
    whole.found = whole.found || one.found;
    whole.asked_count += one.asked_count;
    whole.found_count += one.found_count;
    whole.undecided_count += one.undecided_count;
    whole.of_kept_part = whole.of_kept_part || one.of_kept_part;
    whole.lost = whole.lost || (one.lost && one.verdict == whole.verdict);
    if (whole.method.empty() || one.verdict == Verdict::unknown) whole.method = one.method;
  }
  whole.lost = whole.lost && whole.verdict == Verdict::unknown;
  std::ranges::stable_sort(values, {},
                           [](const PropertyReport& one) { return weight(one.verdict); });
  whole.values = std::move(values);
  return whole;
}

void leave_open(PropertyReport& whole, std::string why) {
  if (whole.verdict == Verdict::fail) return;
  whole.verdict = Verdict::unknown;
  whole.method = std::move(why);
}

ValueCheck::ValueCheck(const Properties& properties, std::uint32_t property, const Reading& reading,
                       const std::vector<std::string>& event_labels, const RecordedOptions& options)
    : compiled_(CompiledProperties::compile_alone(properties, event_labels, property)),
      index_(property),
      reading_(reading),
      options_(options),
      wholeness_(wholeness_of(reading)),
      values_(reading.computation, properties.properties[property].each) {}

std::optional<ReportedValue> ValueCheck::value_at(Row row) const {
  if (row >= reading_.computation.event_count() || values_.of(row) == none) return std::nullopt;
  return owned(values_[values_.of(row)]);
}

std::uint32_t ValueCheck::number_of(const ReportedValue& value) const {
  for (std::uint32_t i = 0; i < values_.size(); ++i) {
    if (owned(values_[i]) == value) return i;
  }
  return none;
}

std::unique_ptr<Inspection> ValueCheck::inspection(std::uint32_t value) const {
  auto inspection = std::make_unique<Inspection>(compiled_, reading_.computation, options_.assumed,
                                                 ValueSlice{&values_, value});
  forget_uncertain(reading_, *inspection);
  return inspection;
}

std::unique_ptr<GlobalAnswer> ValueCheck::global(std::uint32_t value, bool witnesses) const {
  const auto* question = std::get_if<Global>(&property().question);
  if (question == nullptr) return nullptr;
  const GlobalEffort effort{options_.check.limits, witnesses};  // values are the parts to share
  return std::make_unique<GlobalAnswer>(
      answer_global(compiled_.source(), *question, reading_, effort, ValueSlice{&values_, value}));
}

Expected<PropertyReport> ValueCheck::report_of(std::uint32_t value) const {
  const std::unique_ptr<GlobalAnswer> answer = global(value, false);
  const std::unique_ptr<Inspection> slice = answer ? nullptr : inspection(value);
  if (slice && slice->uncomparable() != none) {
    return failure(no_bound_on_clocks(compiled_.source(), index_));
  }
  PropertyReport report =
      property_report(compiled_, slice.get(), answer.get(), index_, options_, wholeness_);
  report.value = owned(values_[value]);
  return report;
}

Expected<PropertyReport> ValueCheck::run() const {
  const auto asked = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(values_.size(), options_.check.most_values));
  std::vector<PropertyReport> values(asked);
  std::optional<Error> problem;
  std::mutex lock;
  Budget budget(options_.check.limits);
  for_each_part(asked, [&](std::size_t i) {
    if (!budget.has_time()) {
      values[i].value = owned(values_[static_cast<std::uint32_t>(i)]);
      values[i].method = "the limit of time was hit";
      return;
    }
    auto report = report_of(static_cast<std::uint32_t>(i));
    if (report) {
      values[i] = std::move(*report);
      return;
    }
    const std::lock_guard guard(lock);
    problem = std::move(report.error());
  });
  if (problem) return failure(std::move(*problem));
  PropertyReport whole = report_on_values(property(), std::move(values));
  whole.value_count = values_.size();
  if (asked < values_.size()) {
    leave_open(whole, fmt::format("not decided: {} has {} values, and only {} were asked",
                                  whole.each, values_.size(), asked));
  }
  return whole;
}

}  // namespace lightcone
