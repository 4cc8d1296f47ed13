// Flows and logic by brute force: every word is spelled out, every state is asked.
#pragma once

#include "model/definitions/predicate_definitions.h"

#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace lightcone::definition {

/// Letters are states; each stands for all that its state carries.
using Word = std::vector<State>;
using Words = std::set<Word>;

/// Where a property was asked and where it was found, both by process and rank.
struct Answer {
  std::vector<State> asked, found;
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// More words than anyone wants to spell: those of all states of one computation together.
inline constexpr std::size_t most_words = 20'000;

/// The answer to a flow or a logic property; none for a global one, and where there are too many
/// words. Names that occur nowhere in the trace are no error here: no state carries such a label,
/// such a variable is null, such a process does nothing.
[[nodiscard]] std::optional<Answer> answer(const Properties& properties, const Property& property,
                                           const Computation& computation);

/// The same for a flow with `within`: where it was found, and where clocks cannot tell.
struct TimedAnswer {
  std::vector<State> asked, found, undecided;
  friend bool operator==(const TimedAnswer&, const TimedAnswer&) = default;
};
[[nodiscard]] std::optional<TimedAnswer> timed_answer(const Properties& properties,
                                                      const Flow& flow,
                                                      const Computation& computation);

/// The words of each state of which the flow is asked, `at` aside; none where there are too many.
[[nodiscard]] std::optional<std::vector<std::pair<State, Words>>> words_of(
    const Properties& properties, const Flow& flow, const Computation& computation);

}  // namespace lightcone::definition
