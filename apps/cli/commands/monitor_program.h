// The program `lightcone-monitor`, which commands give way to.
#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace lightcone::cli {

/// Becomes that program, with these words. Returns only if it cannot be started.
[[nodiscard]] Status become_monitor(std::vector<std::string> words);

}  // namespace lightcone::cli
