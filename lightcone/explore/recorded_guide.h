// The choices of a recorded execution, as a guide for an exploration that begins with it.
#pragma once

#include <lightcone/error.h>
#include <lightcone/guide.h>

#include <string>

namespace lightcone {

/// What each process of a recording chose: which messages it took, when it found none, which
/// alternatives it went on with. Its journals are full ones.
[[nodiscard]] Expected<NamedGuide> recorded_guide(const std::string& directory);

}  // namespace lightcone
