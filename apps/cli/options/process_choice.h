// Processes as a command line names them.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>

#include <string>
#include <vector>

namespace lightcone::cli {

/// The processes that have one of these names, in which `*` stands for any run of characters, in
/// the order of the trace; all of them where there is no name. A name that no process has is an
/// error of this option.
[[nodiscard]] Expected<std::vector<ProcessIndex>> chosen_processes(
    const Computation& computation, const std::vector<std::string>& names,
    const std::string& option);

}  // namespace lightcone::cli
