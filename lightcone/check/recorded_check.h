// Checks the properties of a file on a recorded computation, and keeps what explanations need.
#pragma once

#include <lightcone/check.h>
#include <lightcone/check/global_answers.h>
#include <lightcone/riders/inspection.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

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

/// A check that was done. The reading must outlive it.
class RecordedCheck {
 public:
  /// An error, if the properties name a process or a variable that the trace does not have.
  [[nodiscard]] static Expected<RecordedCheck> run(Properties properties, const Reading& reading,
                                                   const RecordedOptions& options);

  [[nodiscard]] const Report& report() const { return report_; }
  [[nodiscard]] const Inspection& inspection() const { return *inspection_; }
  [[nodiscard]] const Computation& computation() const { return inspection_->computation(); }
  [[nodiscard]] const Property& property(std::uint32_t index) const {
    return compiled_->source().properties[index];
  }
  /// Returns what was decided about a global property; nullptr for any other.
  [[nodiscard]] const GlobalAnswer* global(std::uint32_t index) const {
    return globals_[index] ? &*globals_[index] : nullptr;
  }

 private:
  RecordedCheck() = default;
  [[nodiscard]] PropertyReport report_of(std::uint32_t index, std::size_t most_places) const;

  std::unique_ptr<CompiledProperties> compiled_;
  std::unique_ptr<Inspection> inspection_;
  GlobalAnswers globals_;
  Report report_;
};

[[nodiscard]] Wholeness wholeness_of(const Reading& reading);

/// The row of an event, or of an initial state (rank 0); and the other way round.
[[nodiscard]] Row row_of(const Computation& computation, EventPlace place);
[[nodiscard]] EventPlace place_of(const Computation& computation, Row row);

}  // namespace lightcone
