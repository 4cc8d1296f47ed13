// `mpirun lightcone …`: the program as one of several ranks.
#pragma once

#include <lightcone/lattice/workers/workers.h>

#include <string>
#include <vector>

namespace lightcone::cli {

/// Those who share the work of this run, if it is rank 0 of several; else nothing.
[[nodiscard]] Workers* workers();

/// Runs one command line, without the program's name, on the ranks that an MPI launcher started, or
/// alone; returns the exit status. Only rank 0 prints.
[[nodiscard]] int run_on_ranks(const std::vector<std::string>& arguments);

}  // namespace lightcone::cli
