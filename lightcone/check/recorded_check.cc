// Rides through the computation, decides its global properties, and judges.
#include <lightcone/check/recorded_check.h>

#include <lightcone/check/verdicts.h>
#include <lightcone/riders/certainty.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {
namespace {

/// All rows in the order of processes and ranks, initial states first; ends when `visit` says so.
template <class Visit>
void for_each_row(const Computation& computation, const Visit& visit) {
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    if (!visit(computation.initial_row(p))) return;
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      if (!visit(Row{e})) return;
    }
  }
}

/// At most so many places of each kind.
[[nodiscard]] PlaceFinding places_of(const Inspection& inspection, std::uint32_t index,
                                     const FoundRows& answer, std::size_t most) {
  PlaceFinding finding{.asked = answer.asked_count(), .found = answer.found_count()};
  const Computation& computation = inspection.computation();
  const auto list = [&](std::uint64_t count, std::vector<EventPlace>& into, const auto& belongs) {
    const std::size_t wanted = std::min<std::uint64_t>(count, most);
    if (wanted == 0) return;
    into.reserve(wanted);
    for_each_row(computation, [&](Row row) {
      if (belongs(row)) into.push_back(place_of(computation, row));
      return into.size() < wanted;
    });
  };
  list(finding.found, finding.at, [&](Row row) { return answer.found_at(row); });
  if (inspection.properties().source().properties[index].verb != Verb::require) return finding;
  list(finding.asked - finding.found, finding.missing,
       [&](Row row) { return !answer.found_at(row) && inspection.is_asked(index, row); });
  return finding;
}

[[nodiscard]] GlobalFinding finding_of(const GlobalAnswer& answer) {
  GlobalFinding finding{.found = answer.decision.found, .cut = answer.decision.cut};
  for (const ReadColumn& column : answer.predicate.columns()) {
    finding.read.push_back(column.process);
  }
  std::ranges::sort(finding.read);
  finding.read.erase(std::ranges::unique(finding.read).begin(), finding.read.end());
  finding.lost = answer.lost;
  return finding;
}

}  // namespace

Expected<RecordedCheck> RecordedCheck::run(Properties properties, const Reading& reading,
                                           const RecordedOptions& options) {
  auto warnings = check_names(properties, reading.computation);
  if (!warnings) return failure(warnings.error());
  const Computation& computation = reading.computation;
  RecordedCheck check;
  check.report_.warnings = std::move(*warnings);
  check.compiled_ = std::make_unique<CompiledProperties>(
      CompiledProperties::compile(std::move(properties), event_labels(computation)));
  check.inspection_ = std::make_unique<Inspection>(*check.compiled_, computation, options.assumed);
  forget_uncertain(reading, *check.inspection_);
  check.globals_ = answer_globals(
      check.compiled_->source(), reading,
      {options.check.limits, options.witnesses, options.check.progress, options.workers});
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    check.report_.processes.emplace_back(computation.process_name(p));
  }
  check.report_.events = computation.event_count();
  check.report_.wholeness = wholeness_of(reading);
  check.report_.notes = reading.notes;
  for (std::uint32_t i = 0; i < check.globals_.size(); ++i) {
    check.report_.properties.push_back(check.report_of(i, options.check.most_places));
  }
  return check;
}

PropertyReport RecordedCheck::report_of(std::uint32_t index, std::size_t most_places) const {
  Finding finding;
  std::string method = inspection_->method(index);
  if (const FoundRows* rows = inspection_->answer(index)) {
    finding = places_of(*inspection_, index, *rows, most_places);
  } else if (const GlobalAnswer* answer = global(index)) {
    finding = finding_of(*answer);
    method = answer->decision.method;
  }
  return report_on(property(index), std::move(finding), std::move(method), report_.wholeness);
}

Expected<Report> check(const PropertyFile& properties, const Reading& reading,
                       const CheckOptions& options) {
  const auto checked = RecordedCheck::run(properties.syntax(), reading, {options});
  if (!checked) return failure(checked.error());
  return checked->report();
}

Wholeness wholeness_of(const Reading& reading) {
  return {reading.left_out, reading.incomplete, reading.lost_processes};
}

Row row_of(const Computation& computation, EventPlace place) {
  return place.rank == 0 ? computation.initial_row(place.process)
                         : computation.event(place.process, place.rank);
}

EventPlace place_of(const Computation& computation, Row row) {
  if (row >= computation.event_count()) return {row - computation.event_count(), 0};
  return {computation.process_of(row), computation.rank_of(row)};
}

}  // namespace lightcone
