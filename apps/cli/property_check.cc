// What `check` does, without its words.
#include "property_check.h"

#include <lightcone/property/compiled.h>
#include <lightcone/property/parser.h>
#include <lightcone/trace/directory.h>

#include <utility>

#include "global_answers.h"
#include "verdicts.h"

namespace lightcone::cli {

Expected<PropertyCheck> PropertyCheck::read(const std::string& path) {
  auto parsed = read_properties(path);
  if (!parsed) return failure(parsed.error());
  return PropertyCheck(std::move(*parsed));
}

Expected<PropertyCheck::Result> PropertyCheck::check(const std::string& trace) const {
  const auto reading = read_directory(trace, ReadOptions{.lenient = true});
  if (!reading) return failure(reading.error());
  if (const auto names = check_names(properties_, reading->computation); !names) {
    return failure(names.error());
  }
  const CompiledProperties compiled =
      CompiledProperties::compile(properties_, event_labels(reading->computation));
  const Inspection inspection(compiled, reading->computation, std::nullopt);
  const GlobalAnswers globals = answer_globals(properties_, reading->computation, Limits{}, false);
  Result result;
  for (const Outcome& outcome : outcomes(inspection, globals)) {
    if (outcome.verdict == Verdict::unknown) result.unknown = true;
    if (outcome.verdict != Verdict::fail) continue;
    const Property& property = properties_.properties[outcome.property];
    result.failed += (result.failed.empty() ? "" : ", ") + property.name;
  }
  return result;
}

}  // namespace lightcone::cli
