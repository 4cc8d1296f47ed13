// Turns answers into verdicts.
#include "verdicts.h"

#include <algorithm>

namespace lightcone::cli {
namespace {

[[nodiscard]] Outcome judge(const Property& property, std::uint32_t index, const Answer* answer) {
  Outcome outcome{index, Verdict::unknown, false, answer};
  if (answer == nullptr) return outcome;
  outcome.found = answer->found_count() > 0;
  bool passes = true;
  switch (property.verb) {
    case Verb::forbid: passes = !outcome.found; break;
    case Verb::expect: passes = outcome.found; break;
    case Verb::require: passes = answer->found_count() == answer->asked_count(); break;
    case Verb::watch: outcome.verdict = Verdict::info; return outcome;
  }
  outcome.verdict = passes ? Verdict::pass : Verdict::fail;
  return outcome;
}

}  // namespace

std::vector<Outcome> outcomes(const Inspection& inspection) {
  std::vector<Outcome> all;
  const auto& properties = inspection.properties().source().properties;
  for (std::uint32_t i = 0; i < properties.size(); ++i) {
    all.push_back(judge(properties[i], i, inspection.answer(i)));
  }
  return all;
}

Verdict overall(const std::vector<Outcome>& outcomes) {
  const auto has = [&](Verdict verdict) {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [&](const Outcome& outcome) { return outcome.verdict == verdict; });
  };
  if (has(Verdict::fail)) return Verdict::fail;
  return has(Verdict::unknown) ? Verdict::unknown : Verdict::pass;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::info: return "info";
    case Verdict::unknown: break;
  }
  return "unknown";
}

std::string painted(Verdict verdict, const Paint& paint) {
  switch (verdict) {
    case Verdict::pass: return paint.green("pass");
    case Verdict::fail: return paint.red("FAIL");
    case Verdict::info: return paint.cyan("info");
    case Verdict::unknown: break;
  }
  return paint.yellow("unknown");
}

std::vector<Row> deciding_rows(const Inspection& inspection, const Outcome& outcome,
                               std::size_t most) {
  std::vector<Row> rows;
  if (outcome.answer == nullptr) return rows;
  const Verb verb = inspection.properties().source().properties[outcome.property].verb;
  const bool missing = verb == Verb::require && outcome.verdict == Verdict::fail;
  for_each_row(inspection.computation(), [&](Row row) {
    const bool found = outcome.answer->found_at(row);
    if (found != missing && (found || inspection.is_asked(outcome.property, row))) {
      rows.push_back(row);
    }
    return rows.size() < most;
  });
  return rows;
}

RowPlace place_of(const Computation& computation, Row row) {
  if (row >= computation.event_count()) return {row - computation.event_count(), 0};
  return {computation.process_of(row), computation.rank_of(row)};
}

}  // namespace lightcone::cli
