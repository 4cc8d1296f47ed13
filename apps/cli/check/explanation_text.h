// `check --explain`: explanations told and drawn for people.
#pragma once

#include <lightcone/check/explanation.h>

#include <string>
#include <vector>

#include "print/terminal.h"

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

}  // namespace lightcone::cli
