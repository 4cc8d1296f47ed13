// What `check` does, without its output.
#include "check/property_check.h"

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/certainty.h>
#include <lightcone/trace/directory.h>

#include <utility>

#include "check/global_answers.h"
#include "check/verdicts.h"

namespace lightcone::cli {

Expected<PropertyCheck> PropertyCheck::read(const std::string& path) {
  auto parsed = read_properties(path);
  if (!parsed) return failure(parsed.error());
  return PropertyCheck(std::move(*parsed));
}

Expected<PropertyCheck::Result> PropertyCheck::check(const std::string& trace) const {
  const auto reading = read_directory(trace, ReadOptions{.cut_off = true});
  if (!reading) return failure(reading.error());
  if (const auto names = check_names(properties_, reading->computation); !names) {
    return failure(names.error());
  }
  const CompiledProperties compiled =
      CompiledProperties::compile(properties_, event_labels(reading->computation));
  Inspection inspection(compiled, reading->computation, std::nullopt);
  forget_uncertain(*reading, inspection);
  const GlobalAnswers globals = answer_globals(properties_, *reading, Limits{}, false);
  Result result;
  for (const Outcome& outcome : outcomes(inspection, globals, *reading)) {
    const bool of_a_part = outcome.of_kept_part && *reading->left_out > 0;
    if (outcome.verdict == Verdict::unknown || of_a_part) result.unknown = true;
    if (outcome.verdict != Verdict::fail || of_a_part) continue;
    const Property& property = properties_.properties[outcome.property];
    result.failed += (result.failed.empty() ? "" : ", ") + property.name;
  }
  return result;
}

}  // namespace lightcone::cli
