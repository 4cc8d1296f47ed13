// The global properties of a file, decided.
#pragma once

#include <lightcone/lattice/decide/decision.h>
#include <lightcone/trace.h>

#include <optional>
#include <vector>

namespace lightcone::cli {

/// What a global property reads of a trace, and what was decided.
struct GlobalAnswer {
  GlobalPredicate predicate;
  Decision decision;
  bool lost = false;  ///< not decided, since what is lost of the trace could decide it
};

/// Indexed by property; nothing for flows and logic.
using GlobalAnswers = std::vector<std::optional<GlobalAnswer>>;

/// Decides one global property after the other, each within the limits, with a progress bar. With
/// `witnesses`, also where that takes a search that the answer does not need. Of a trace that is
/// incomplete, `possibly` is decided where a state satisfies it in whose past nothing is lost, and
/// nothing else is.
[[nodiscard]] GlobalAnswers answer_globals(const Properties& properties, const Reading& reading,
                                           const Limits& limits, bool witnesses);

}  // namespace lightcone::cli
