// Rides through the computation, decides its global properties, and judges.
#include <lightcone/check/recorded_check.h>

#include <lightcone/check/verdicts.h>
#include <lightcone/check/warnings.h>
#include <lightcone/property/language/property_reads.h>
#include <lightcone/riders/certainty.h>

#include <algorithm>

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

void list_places(const Inspection& inspection, std::uint32_t index, std::size_t most,
                 PropertyReport& report) {
  const FoundRows& answer = *inspection.answer(index);
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
  list(report.found_count, report.at, [&](Row row) { return answer.found_at(row); });
  if (report.verb != Verb::require) return;
  list(report.asked_count - report.found_count - report.undecided_count, report.missing,
       [&](Row row) {
         return !answer.found_at(row) && !answer.is_undecided(row) &&
                inspection.is_asked(index, row);
       });
}

}  // namespace

PropertyReport property_report(const CompiledProperties& properties, const Inspection* inspection,
                               const GlobalAnswer* global, std::uint32_t index,
                               const RecordedOptions& options, const Wholeness& wholeness) {
  LIGHTCONE_ASSERT(inspection != nullptr || global != nullptr);
  const Property& property = properties.source().properties[index];
  PropertyReport report;
  report.name = property.name;
  report.verb = property.verb;
  report.is_global = global != nullptr;
  if (inspection != nullptr) report.method = inspection->method(index);
  const auto& given_up = global != nullptr ? global->predicate.given_up()
                                           : inspection->observer().expressions().given_up();
  if (depends_on_matching(properties.source(), property, given_up)) {
    report.method = given_up_text;
    return report;
  }
  if (global != nullptr) {
    report.lost = global->lost;
    report.method = global->decision.method;
    report.cut = global->decision.cut;
    for (const ReadColumn& column : global->predicate.columns()) {
      report.read.push_back(column.process);
    }
    std::ranges::sort(report.read);
    report.read.erase(std::ranges::unique(report.read).begin(), report.read.end());
    const auto& found = global->decision.found;
    if (found) {
      report.found = *found;
      report.meaning = what_was_found(std::get<Global>(property.question).modality, *found);
      judge(property, wholeness, report);
    }
  } else if (const FoundRows* answer = inspection->answer(index)) {
    report.asked_count = answer->asked_count();
    report.found_count = answer->found_count();
    report.undecided_count = answer->undecided_count();
    list_places(*inspection, index, options.check.most_places, report);
    judge(property, wholeness, report);
  }
  return report;
}

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
  const Properties& source = check.compiled_->source();
  check.options_ = std::make_unique<RecordedOptions>(options);
  for (std::uint32_t i = 0; i < source.properties.size(); ++i) {
    check.values_.push_back(nullptr);
    if (source.properties[i].each.empty()) {
      check.report_.properties.push_back(property_report(*check.compiled_, check.inspection_.get(),
                                                         check.global(i), i, options,
                                                         check.report_.wholeness));
      continue;
    }
    check.values_.back() = std::make_unique<ValueCheck>(source, i, reading,
                                                        event_labels(computation), *check.options_);
    auto report = check.values_.back()->run();
    if (!report) return failure(std::move(report.error()));
    check.report_.properties.push_back(std::move(*report));
  }
  add_warnings(check.compiled_->source(), near_members(computation), check.report_);
  return check;
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
