// Turns answers into verdicts.
#include "check/verdicts.h"

#include <lightcone/riders/certainty.h>

#include <algorithm>

namespace lightcone::cli {
namespace {

/// Returns whether a property passes that was found in all, some or none of the places it was asked
/// at.
[[nodiscard]] Verdict verdict_of(Verb verb, bool found, bool found_everywhere) {
  switch (verb) {
    case Verb::forbid: return found ? Verdict::fail : Verdict::pass;
    case Verb::expect: return found ? Verdict::pass : Verdict::fail;
    case Verb::require: return found_everywhere ? Verdict::pass : Verdict::fail;
    case Verb::watch: break;
  }
  return Verdict::info;
}

[[nodiscard]] Outcome judge(Verb verb, Outcome outcome) {
  if (const Answer* answer = outcome.answer) {
    outcome.found = answer->found_count() > 0;
    outcome.verdict =
        verdict_of(verb, outcome.found, answer->found_count() == answer->asked_count());
  } else if (outcome.global != nullptr && outcome.global->decision.found) {
    outcome.found = *outcome.global->decision.found;
    outcome.verdict = verdict_of(verb, outcome.found, outcome.found);
  }
  return outcome;
}

/// Returns whether the outcome stays what it is when a trace goes on: it rests on places that were
/// found, or on a place where something required is missing. The places have their true pasts.
[[nodiscard]] bool is_final(const Property& property, const Outcome& outcome) {
  if (const auto* global = std::get_if<Global>(&property.question)) {
    return global->modality == Global::Modality::possibly && outcome.found;
  }
  return property.verb == Verb::require ? outcome.verdict == Verdict::fail : outcome.found;
}

/// Returns whether a lost process could make the state that was found impossible.
[[nodiscard]] bool depends_on_all_processes(const Property& property, const Outcome& outcome) {
  const auto* global = std::get_if<Global>(&property.question);
  return global != nullptr && outcome.found && !bears_more_processes(global->expression);
}

[[nodiscard]] Outcome judge(const Property& property, const Reading& reading,
                            const Outcome& asked) {
  Outcome outcome = judge(property.verb, asked);
  if (outcome.verdict == Verdict::unknown) return outcome;
  const bool lost = (reading.incomplete && !is_final(property, outcome)) ||
                    (reading.lost_processes && depends_on_all_processes(property, outcome));
  if (lost) {
    outcome.verdict = Verdict::unknown;
    outcome.found = false;
    outcome.lost = true;
  }
  outcome.of_kept_part = !lost && reading.left_out.has_value() && !is_final(property, outcome);
  return outcome;
}

}  // namespace

std::vector<Outcome> outcomes(const Inspection& inspection, const GlobalAnswers& globals,
                              const Reading& reading) {
  std::vector<Outcome> all;
  const auto& properties = inspection.properties().source().properties;
  for (std::uint32_t i = 0; i < properties.size(); ++i) {
    Outcome asked;
    asked.property = i;
    asked.answer = inspection.answer(i);
    asked.global = globals[i] ? &*globals[i] : nullptr;
    asked.lost = asked.global != nullptr && asked.global->lost;
    all.push_back(judge(properties[i], reading, asked));
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
