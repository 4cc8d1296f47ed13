// `check` of a trace that is still growing: tells what is found as its lines arrive.
#pragma once

#include <lightcone/property/language/syntax.h>
#include <lightcone/trace/trace.h>

#include "options/trace_arguments.h"

namespace lightcone::cli {

/// Returns whether the trace may grow while it is read: JSON Lines on standard input.
[[nodiscard]] bool is_growing(const TraceArguments& arguments);

/// Reads standard input to its end, and prints the notes. Where `tells`, each place at which a
/// property is found (of a `require`: missing) is printed as soon as what has been read decides it.
[[nodiscard]] Expected<Reading> read_growing(const TraceArguments& arguments,
                                             const Properties& properties, bool tells);

}  // namespace lightcone::cli
