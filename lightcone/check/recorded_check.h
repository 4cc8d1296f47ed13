// Checks the properties of a file on a recorded computation, and keeps what explanations need.
#pragma once

#include <lightcone/check.h>
#include <lightcone/check/global_answers.h>
#include <lightcone/check/value_check.h>
#include <lightcone/riders/inspection.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace lightcone {

/// A check that was done. The reading must outlive it.
class RecordedCheck {
 public:
  /// An error, if the properties name a process or a variable that the trace does not have.
  [[nodiscard]] static Expected<RecordedCheck> run(Properties properties, const Reading& reading,
                                                   const RecordedOptions& options);
  /// The same with properties that were compiled for the labels of the trace, and whose names need
  /// not be in this trace.
  [[nodiscard]] static Expected<RecordedCheck> run(
      std::shared_ptr<const CompiledProperties> properties, const Reading& reading,
      const RecordedOptions& options);

  [[nodiscard]] const Report& report() const { return report_; }
  [[nodiscard]] const Inspection& inspection() const { return *inspection_; }
  [[nodiscard]] const Computation& computation() const { return inspection_->computation(); }
  [[nodiscard]] const Property& property(std::uint32_t index) const {
    return compiled_->source().properties[index];
  }
  /// Returns what was asked for each value; nullptr for a property without `for each`.
  [[nodiscard]] const ValueCheck* values(std::uint32_t index) const { return values_[index].get(); }
  /// Returns what was decided about a global property; nullptr for any other.
  [[nodiscard]] const GlobalAnswer* global(std::uint32_t index) const {
    return globals_[index] ? &*globals_[index] : nullptr;
  }

 private:
  RecordedCheck() = default;
  [[nodiscard]] Expected<void> report_all(const Reading& reading);

  std::shared_ptr<const CompiledProperties> compiled_;
  std::unique_ptr<Inspection> inspection_;
  std::unique_ptr<RecordedOptions> options_;         // at a fixed address: `values_` refer to it
  std::vector<std::unique_ptr<ValueCheck>> values_;  // by property; null without `for each`
  GlobalAnswers globals_;
  Report report_;
};

/// What became of a property that an inspection has answered, or of a global one, which needs no
/// inspection.
[[nodiscard]] PropertyReport property_report(const CompiledProperties& properties,
                                             const Inspection* inspection,
                                             const GlobalAnswer* global, std::uint32_t index,
                                             const RecordedOptions& options,
                                             const Wholeness& wholeness);

[[nodiscard]] Wholeness wholeness_of(const Reading& reading);

/// The row of an event, or of an initial state (rank 0); and the other way round.
[[nodiscard]] Row row_of(const Computation& computation, EventPlace place);
[[nodiscard]] EventPlace place_of(const Computation& computation, Row row);

}  // namespace lightcone
