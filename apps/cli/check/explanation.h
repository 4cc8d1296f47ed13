// `check --explain`: a witness for each property that has something to explain.
#pragma once

#include <lightcone/riders/witness.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "check/verdicts.h"

namespace CLI {
class App;
}

namespace lightcone::cli {

/// What the user wants to have explained, and how.
struct ExplainOptions {
  bool explain = false;
  std::string at;   ///< `p2:4`; empty: the first place of each property
  std::string svg;  ///< where to draw the first witness; empty: nowhere

  void define(CLI::App& app);
};

/// Why one property is as it is, at one place.
struct Explanation {
  Outcome outcome;
  std::optional<Row> row = {};  ///< none: there is no place to show
  bool chosen = false;          ///< the place is the one that the user named
  /// The global state or the observation that shows it stand in the answer.
  std::variant<std::monostate, FlowWitness, std::vector<LogicReason>, const GlobalAnswer*> witness =
      {};
  std::string problem = {};  ///< why there is no witness

  [[nodiscard]] bool has_witness() const { return witness.index() != 0; }
};

/// An explanation of each property that failed, or that was found by `watch` or `expect`; none
/// unless the options ask for them.
[[nodiscard]] Expected<std::vector<Explanation>> explanations(const Inspection& inspection,
                                                              const std::vector<Outcome>& outcomes,
                                                              const ExplainOptions& options);

/// The explanation of a property, or nullptr.
[[nodiscard]] const Explanation* find_explanation(const std::vector<Explanation>& all,
                                                  std::uint32_t property);

/// The compiled form of an explained flow or logic property.
[[nodiscard]] const CompiledFlow& flow_of(const Inspection& inspection, std::uint32_t property);
[[nodiscard]] const CompiledLogic& logic_of(const Inspection& inspection, std::uint32_t property);

/// Prints them all, for people.
void print_explanations(const Inspection& inspection, const std::vector<Explanation>& all);

/// What the property's verdict means, in a sentence, and what the witness shows, in another.
[[nodiscard]] std::string status_sentence(const Inspection& inspection,
                                          const Explanation& explanation);
[[nodiscard]] std::string witness_sentence(const Inspection& inspection,
                                           const Explanation& explanation);

/// Draws the first witness into the file that the options name, if they name one.
[[nodiscard]] Expected<void> draw_witness(const Inspection& inspection,
                                          const std::vector<Explanation>& all,
                                          const ExplainOptions& options);

/// Prints what shows the answer of a global property.
void print_global_witness(const Inspection& inspection, const Explanation& explanation,
                          const Paint& paint);

/// `p2:4`, safe to show.
[[nodiscard]] std::string place_text(const Computation& computation, Row row);

}  // namespace lightcone::cli
