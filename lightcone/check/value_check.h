// `for each`: one question, asked of the slice of every value of a variable.
#pragma once

#include <lightcone/check.h>
#include <lightcone/check/global_answers.h>
#include <lightcone/property/states/value_slice.h>
#include <lightcone/riders/inspection.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// How to check, with what only the program itself asks for.
struct RecordedOptions {
  CheckOptions check = {};
  bool witnesses = false;  ///< look for one also where the answer does not need it
  /// What longest flows may rely on. Without it, the trace is looked at. Where it is wrong, the
  /// verdict is unknown.
  std::optional<Visibility> assumed = {};
  Workers* workers = nullptr;  ///< whom to share a long search with
};

/// A property with `for each` on a recorded computation. No slice is a copy: an inspection of a
/// slice sees the computation through `ValueSlice`.
class ValueCheck {
 public:
  /// All must outlive this. `event_labels` are those of the whole trace.
  ValueCheck(const Properties& properties, std::uint32_t property, const Reading& reading,
             const std::vector<std::string>& event_labels, const RecordedOptions& options);

  /// Asks the question of every value; what became of the property as a whole.
  [[nodiscard]] Expected<PropertyReport> run() const;

  /// The answers of one slice; the one of the value with this number.
  [[nodiscard]] std::unique_ptr<Inspection> inspection(std::uint32_t value) const;
  [[nodiscard]] std::unique_ptr<GlobalAnswer> global(std::uint32_t value, bool witnesses) const;
  /// The value that an event assigns; nothing if it assigns none, or for an initial state.
  [[nodiscard]] std::optional<ReportedValue> value_at(Row row) const;
  /// The number of a value in a report.
  [[nodiscard]] std::uint32_t number_of(const ReportedValue& value) const;

 private:
  [[nodiscard]] Expected<PropertyReport> report_of(std::uint32_t value) const;
  [[nodiscard]] const Property& property() const { return compiled_.source().properties[index_]; }

  CompiledProperties compiled_;
  std::uint32_t index_;
  const Reading& reading_;
  const RecordedOptions& options_;
  Wholeness wholeness_;
  AssignedValues values_;
};

/// The error of a `within` that compares clocks of which nothing is known.
[[nodiscard]] Error no_bound_on_clocks(const Properties& properties, std::uint32_t index);

/// What became of a property, given what became of it for each value. Those that do not pass come
/// first.
[[nodiscard]] PropertyReport report_on_values(const Property& property,
                                              std::vector<PropertyReport> values);
/// Not all values were asked: the verdict is unknown, unless one of those that were asked fails.
void leave_open(PropertyReport& whole, std::string why);

}  // namespace lightcone
