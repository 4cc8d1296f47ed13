// An OTF2 archive as JSON Lines.
#pragma once

#include <lightcone/error.h>

#include <functional>
#include <string_view>

#include "archive.h"

namespace lightcone::otf2 {

/// Tells one line after the other, without line ends. Locations come one by one.
[[nodiscard]] Expected<void> write_lines(const Archive& archive,
                                         const std::function<void(std::string_view)>& write);

}  // namespace lightcone::otf2
