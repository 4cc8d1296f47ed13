// Rides through the computation, decides its global properties, and judges.
#include <lightcone/check/recorded_check.h>

#include <lightcone/check/verdicts.h>
#include <lightcone/check/warnings.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/property_reads.h>
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
  PlaceFinding finding{.asked = answer.asked_count(),
                       .found = answer.found_count(),
                       .undecided = answer.undecided_count()};
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
  list(finding.undecided, finding.undecided_at, [&](Row row) { return answer.is_undecided(row); });
  if (inspection.properties().source().properties[index].verb != Verb::require) return finding;
  list(finding.asked - finding.found - finding.undecided, finding.missing, [&](Row row) {
    return !answer.found_at(row) && !answer.is_undecided(row) && inspection.is_asked(index, row);
  });
  return finding;
}

/// The processes of whose states a global property reads something, in order.
[[nodiscard]] std::vector<ProcessIndex> read_by(const GlobalPredicate& predicate) {
  std::vector<ProcessIndex> read;
  for (const ReadColumn& column : predicate.columns()) read.push_back(column.process);
  std::ranges::sort(read);
  read.erase(std::ranges::unique(read).begin(), read.end());
  return read;
}

}  // namespace

Expected<RecordedCheck> RecordedCheck::run(Properties properties, const Reading& reading,
                                           const RecordedOptions& options) {
  auto warnings = check_names(properties, reading.computation);
  if (!warnings) return failure(warnings.error());
  auto compiled = std::make_shared<CompiledProperties>(
      CompiledProperties::compile(std::move(properties), event_labels(reading.computation)));
  auto check = run(std::move(compiled), reading, options);
  if (!check) return check;
  std::vector<std::string>& all = check->report_.warnings;
  all.insert(all.begin(), warnings->begin(), warnings->end());
  return check;
}

Expected<RecordedCheck> RecordedCheck::run(std::shared_ptr<const CompiledProperties> properties,
                                           const Reading& reading, const RecordedOptions& options) {
  const Computation& computation = reading.computation;
  RecordedCheck check;
  check.compiled_ = std::move(properties);
  check.inspection_ = std::make_unique<Inspection>(*check.compiled_, computation, options.assumed);
  if (const std::uint32_t p = check.inspection_->uncomparable(); p != none) {
    return failure(no_bound_on_clocks(check.compiled_->source(), p));
  }
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
  check.options_ = std::make_unique<RecordedOptions>(options);
  if (auto done = check.report_all(reading); !done) return failure(std::move(done.error()));
  add_warnings(check.compiled_->source(), check.inspection_->observer(), near_members(computation),
               check.report_);
  return check;
}

Expected<void> RecordedCheck::report_all(const Reading& reading) {
  const Properties& source = compiled_->source();
  for (std::uint32_t i = 0; i < source.properties.size(); ++i) {
    values_.push_back(nullptr);
    if (source.properties[i].each.empty()) {
      report_.properties.push_back(property_report(*compiled_, inspection_.get(), global(i), i,
                                                   *options_, report_.wholeness));
      continue;
    }
    values_.back() = std::make_unique<ValueCheck>(source, i, reading,
                                                  event_labels(reading.computation), *options_);
    auto report = values_.back()->run();
    if (!report) return failure(std::move(report.error()));
    report_.properties.push_back(std::move(*report));
  }
  return {};
}

PropertyReport property_report(const CompiledProperties& properties, const Inspection* inspection,
                               const GlobalAnswer* global, std::uint32_t index,
                               const RecordedOptions& options, const Wholeness& wholeness) {
  LIGHTCONE_ASSERT(inspection != nullptr || global != nullptr);
  const Property& property = properties.source().properties[index];
  const auto& given_up = global != nullptr ? global->predicate.given_up()
                                           : inspection->observer().expressions().given_up();
  if (depends_on_matching(properties.source(), property, given_up)) {
    return report_on_given_up(property);
  }
  if (global != nullptr) {
    return report_on(property, global->decision, read_by(global->predicate), wholeness);
  }
  const FoundRows* rows = inspection->answer(index);
  if (rows == nullptr) return report_on_unanswered(property, inspection->method(index));
  return report_on(property, places_of(*inspection, index, *rows, options.check.most_places),
                   inspection->method(index), wholeness);
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
