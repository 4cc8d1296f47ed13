// Reads which messages journals of races have.
#pragma once

#include <set>
#include <string>

namespace lightcone {

/// Returns the messages of a recording that its journals of races have. Wildcards must be those of
/// MPI_Recv: then they are the events with their labels, in this order. What cannot be read, or is
/// a full journal that has some, is in the set as a text of its own.
[[nodiscard]] std::set<std::string> messages_in_race_journals(const std::string& recording);

}  // namespace lightcone
