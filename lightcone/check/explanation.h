// Why a property is as it is: a witness for each property that has something to explain.
#pragma once

#include <lightcone/check/missing_labels.h>
#include <lightcone/check/missing_truths.h>
#include <lightcone/check/recorded_check.h>
#include <lightcone/riders/witness.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lightcone {

/// Why one property is as it is, at one place.
struct Explanation {
  std::uint32_t property = 0;              ///< its index in the file
  const PropertyReport* report = nullptr;  ///< what became of it
  const GlobalAnswer* global = nullptr;    ///< of a global property
  std::optional<Row> row = {};             ///< none: there is no place to show
  bool chosen = false;                     ///< the place is the one that the user named
  /// The global state or the observation that shows it stand in the answer.
  std::variant<std::monostate, FlowWitness, std::vector<LogicReason>, const GlobalAnswer*> witness =
      {};
  std::string problem = {};                ///< why there is no witness
  std::vector<MissingLabel> missing = {};  ///< what the place lacks, where it is not found
  std::vector<MissingTruth> truths = {};   ///< what a global property lacks that was not found
  std::vector<ValuesRead> values = {};     ///< what such a property reads, if nothing else shows it
  /// Of a property with `for each`: the value that is explained, and the answers of its slice.
  std::optional<ReportedValue> value = {};
  std::shared_ptr<const Inspection> slice = {};
  std::shared_ptr<const GlobalAnswer> slice_global = {};

  [[nodiscard]] bool has_witness() const { return witness.index() != 0; }
  [[nodiscard]] bool lacks_something() const {
    return !missing.empty() || !truths.empty() || !values.empty();
  }
};

/// Explains each property that failed, or that was found by `watch` or `expect`. The place is
/// `at` (`p2:4`), or the first place of each property if that is empty. With a place, the other
/// properties about flows and logic follow: why they are as they are there. The check must outlive
/// what is returned.
[[nodiscard]] Expected<std::vector<Explanation>> explanations(const RecordedCheck& check,
                                                              const std::string& at);

/// Returns the explanation of a property, or nullptr.
[[nodiscard]] const Explanation* find_explanation(const std::vector<Explanation>& all,
                                                  std::uint32_t property);

/// The compiled form of an explained flow or logic property.
[[nodiscard]] const CompiledFlow& flow_of(const Inspection& inspection, std::uint32_t property);
[[nodiscard]] const CompiledLogic& logic_of(const Inspection& inspection, std::uint32_t property);

/// `p2:4`, safe to show.
[[nodiscard]] std::string place_text(const Computation& computation, Row row);

}  // namespace lightcone
