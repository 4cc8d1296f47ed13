// Decides `possibly`, `definitely` and `properly` by the cheapest algorithm that can.
#pragma once

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/visit/budget.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/lattice/workers/workers.h>
#include <lightcone/progress.h>
#include <lightcone/property/states/global_predicate.h>

#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// What was decided about a global property, with a witness where there is one.
struct Decision {
  std::optional<bool> found = {};  ///< nothing: a limit was hit first
  /// The rank of each process's last event in a global state that satisfies the predicate; empty
  /// if none is known. For `possibly` it is the least one, or one from which no event can be taken
  /// back. For `definitely` it is one that every observation passes, or the first of several such
  /// that every observation passes at least one.
  std::vector<Rank> cut = {};
  /// All events of an observation that leads to the cut; or, if `definitely` was not found, of
  /// one that avoids the predicate from beginning to end.
  std::vector<EventIndex> observation = {};
  std::string method = {};  ///< which algorithm decided, and why it could; or which limit was hit
  bool lost = false;        ///< not decided, because what is lost of the trace could decide it
  /// If no inevitable state satisfies it, and that decides: the first of those states, and how many
  /// there are.
  std::vector<std::vector<Rank>> inevitable = {};
  std::size_t inevitable_count = 0;
};

/// What a decision may use, and where it reports progress.
struct Effort {
  Budget& budget;
  Progress progress = {};
  /// Whether to look for an observation that shows it, where the answer does not need one.
  bool witness = false;
  /// Whom to share a long search with, on worker 0.
  Workers* workers = nullptr;
};

/// Decides a modality of a predicate that was read from this computation.
[[nodiscard]] Decision decide(Global::Modality modality, const GlobalPredicate& predicate,
                              const Computation& computation, const Effort& effort);

// The three of them, for a condition on a level.

[[nodiscard]] Decision possibly(const Question& question, const Computation& computation,
                                const Effort& effort);
[[nodiscard]] Decision definitely(const Question& question, const Computation& computation,
                                  const Effort& effort);
/// Unlike the other two, this depends on the level: fewer relevant events, more inevitable states.
[[nodiscard]] Decision properly(const Question& question, const Computation& computation,
                                const Effort& effort);

// What they have in common.

/// The level of a question, if there is room for it.
[[nodiscard]] std::optional<Level> level_of(const Question& question,
                                            const Computation& computation, Budget& budget);
/// Returns whether one of the inevitable states satisfies a condition placed on their level.
[[nodiscard]] Decision by_inevitable_states(const InevitableStates& states,
                                            const Condition& condition);

/// An observation of all events that has these in the order given, which must not be against
/// causality.
[[nodiscard]] std::vector<EventIndex> observation_with(const Computation& computation,
                                                       std::span<const EventIndex> in_order);

}  // namespace lightcone
