// Tells people where two runs part.
#pragma once

#include <lightcone/diff.h>

#include <string>

#include "print/terminal.h"
#include "run/source_lines.h"

namespace lightcone::cli {

/// The two runs as the user named them.
struct NamedRuns {
  std::string a, b;
  const ComparedRun* run_a = nullptr;
  const ComparedRun* run_b = nullptr;
  SourceLines lines_a = {}, lines_b = {};
};

/// Prints what differs first, what each run had there, what came before it, and how much is the
/// same.
void print_comparison(const Comparison& comparison, const NamedRuns& runs, bool all,
                      const Paint& paint);

/// One event in one line, as in `receive of message 3 from rank2`.
[[nodiscard]] std::string event_line(const Computation& computation, ProcessIndex p, Rank rank,
                                     const SourceLines& lines = {});

}  // namespace lightcone::cli
