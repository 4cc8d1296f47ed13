// Makes journals of races of the journals that MPI processes have written.
#pragma once

#include <lightcone/error.h>

#include <string>

namespace lightcone {

/// What became of the journals of a recording.
struct RaceJournals {
  std::string full_since = {};  ///< why all of them stay as they are; empty: they do not
};

/// After an MPI program was recorded for journals of races, and wrote traces: leaves out the
/// matches of receives that could not have taken another message. Such a match follows from the
/// program, if all others are as recorded (see `RacingReceives`). The journal of a process that has
/// contents has all its matches. The same holds for all journals if traces may lack events: then it
/// is not known which messages could have come.
[[nodiscard]] Expected<RaceJournals> leave_out_matches(const std::string& directory);

}  // namespace lightcone
