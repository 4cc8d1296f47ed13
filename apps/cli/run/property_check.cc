// What `check` does, without its output.
#include "run/property_check.h"

#include <lightcone/check/recorded_check.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace/directory.h>

#include <utility>

namespace lightcone::cli {

Expected<PropertyCheck> PropertyCheck::read(const std::string& path) {
  auto parsed = read_property_syntax(path);
  if (!parsed) return failure(parsed.error());
  return PropertyCheck(std::move(*parsed));
}

Expected<PropertyCheck::Result> PropertyCheck::check(const std::string& trace) const {
  const auto reading = read_directory(trace, ReadOptions{.cut_off = true});
  if (!reading) return failure(reading.error());
  const auto checked = RecordedCheck::run(properties_, *reading, {});
  if (!checked) return failure(checked.error());
  Result result;
  for (const PropertyReport& property : checked->report().properties) {
    const bool of_a_part = property.of_kept_part && *reading->left_out > 0;
    if (property.verdict == Verdict::unknown || of_a_part) result.unknown = true;
    if (property.verdict != Verdict::fail || of_a_part) continue;
    result.failed += (result.failed.empty() ? "" : ", ") + property.name;
  }
  return result;
}

}  // namespace lightcone::cli
