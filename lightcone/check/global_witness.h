// The witness of a global property, ready to be printed: a state, and the changes that led there.
#pragma once

#include <lightcone/check/global_answers.h>

#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// A process in a global state.
struct StatePart {
  ProcessIndex process = 0;
  Rank rank = 0;                   ///< of its last event in that state
  std::vector<std::string> reads;  ///< `x = 3`, for each thing the property reads of it
};

/// The processes that the property reads, in the state that was found; empty where none was.
[[nodiscard]] std::vector<StatePart> state_parts(const GlobalAnswer& answer,
                                                 const Computation& computation);
/// The same in the state of this cut.
[[nodiscard]] std::vector<StatePart> state_parts(const GlobalAnswer& answer,
                                                 const Computation& computation,
                                                 const std::vector<Rank>& cut);

/// An event that changes something the property reads.
struct Change {
  EventIndex event = 0;
  std::vector<std::string> reads;  ///< `x: 2 -> 3`
  std::vector<std::string> after;  ///< `x = 3`
};

/// The changes of the observation that shows the answer, in its order; empty where there is none.
[[nodiscard]] std::vector<Change> changes(const GlobalAnswer& answer,
                                          const Computation& computation);

/// Returns whether the property's predicate holds in one of the states that the trace passes
/// through when it is read in the order in which it was recorded; nothing where that would take
/// long to say.
[[nodiscard]] std::optional<bool> holds_as_recorded(const GlobalAnswer& answer,
                                                    const Computation& computation);

}  // namespace lightcone
