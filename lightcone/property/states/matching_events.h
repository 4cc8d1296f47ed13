// The events of a computation that match an atom: a level that the user describes.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/error.h>
#include <lightcone/property/language/flow.h>

#include <string>
#include <vector>

namespace lightcone {

/// Which events match, and what is odd about the atom.
struct MatchingEvents {
  Selection events;
  std::vector<std::string> warnings;  ///< labels that no event carries
};

/// The events that match an atom, in which names stand for event labels and processes. A process
/// that does not exist is an error; `file` stands for where the atom was written.
[[nodiscard]] Expected<MatchingEvents> matching_events(const Computation& computation,
                                                       const Atom& atom, const std::string& file);

}  // namespace lightcone
