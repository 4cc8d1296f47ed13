// What a place lacks: labels that a property asks for and that are not in its past.
#pragma once

#include <lightcone/property/language/syntax.h>
#include <lightcone/riders/inspection.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lightcone {

/// A label, or one of several, that no event in the past of a place carries.
struct MissingLabel {
  std::string label;                                 ///< `copied`, `[a b]`, `p1:a`
  std::uint64_t count = 0;                           ///< how many states of the trace carry it
  std::vector<EventPlace> at = {};                   ///< the first of each process, not all
  std::vector<std::pair<ProcessIndex, Rank>> known;  ///< the last event of these known at the place
};

/// The labels that the question of a flow or logic property asks for, other than by `without` or
/// `not`, and that neither a place nor its past has. Without a place: those that no state has.
[[nodiscard]] std::vector<MissingLabel> missing_labels(const Inspection& inspection,
                                                       const Property& property, const Row* place);

/// `copied` happened at p1:251, p2:154. None of them is in the past of this event. The last event
/// of p1 known here is 249.
[[nodiscard]] std::string sentence_of(const MissingLabel& missing, const Computation& computation);

}  // namespace lightcone
