// `check` of a trace that is still growing: tells what is found as its lines arrive.
#pragma once

#include <lightcone/monitor.h>
#include <lightcone/trace.h>

#include "options/trace_arguments.h"

namespace lightcone::cli {

/// Returns whether the trace may grow while it is read: JSON Lines on standard input.
[[nodiscard]] bool is_growing(const TraceArguments& arguments);

/// Checks standard input to its end, and prints the notes. Where `tells`, each place at which a
/// property is found (of a `require`: missing), and each global property that is found, is printed
/// as soon as what has been read decides it.
[[nodiscard]] Expected<Report> check_growing(const TraceArguments& arguments,
                                             const PropertyFile& properties,
                                             const CheckOptions& options, bool tells);

/// The same, but keeps what it reads, for commands that need the whole trace.
[[nodiscard]] Expected<Reading> read_growing(const TraceArguments& arguments,
                                             const PropertyFile& properties, bool tells);

}  // namespace lightcone::cli
