// Says what a report is about if its trace is not whole.
#pragma once

#include <lightcone/check/recorded_check.h>

namespace lightcone::cli {

/// Prints what the report speaks of after an empty line, if the trace is not whole.
void print_extent(const Wholeness& wholeness);

}  // namespace lightcone::cli
