// The global properties of a file, decided on a recorded computation.
#pragma once

#include <lightcone/lattice/decide/decision.h>
#include <lightcone/trace.h>

#include <optional>
#include <vector>

namespace lightcone {

/// What a global property reads of a trace, and what was decided.
struct GlobalAnswer {
  GlobalPredicate predicate;
  Decision decision;
};

/// Indexed by property; nothing for flows and logic.
using GlobalAnswers = std::vector<std::optional<GlobalAnswer>>;

/// What a check may use for global properties.
struct GlobalEffort {
  Limits limits = {};      ///< for each property
  bool witnesses = false;  ///< look for one also where the answer does not need it
  Progress progress = {};
  Workers* workers = nullptr;  ///< other workers for a long search
};

/// Decides a global property, of a slice if there is one.
[[nodiscard]] GlobalAnswer answer_global(const Properties& properties, const Global& global,
                                         const Reading& reading, const GlobalEffort& effort,
                                         ValueSlice slice = {});

/// Decides one global property after the other, each within the limits; none with `for each`. Of a
/// trace that is incomplete, `possibly` is decided where a state satisfies it in whose past nothing
/// is lost, and nothing else is.
[[nodiscard]] GlobalAnswers answer_globals(const Properties& properties, const Reading& reading,
                                           const GlobalEffort& effort);

}  // namespace lightcone
