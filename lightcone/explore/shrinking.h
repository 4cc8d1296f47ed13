// Makes a failing execution as simple as possible.
#pragma once

#include <lightcone/error.h>
#include <lightcone/guide.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lightcone {

/// An execution that failed.
struct FailedRun {
  std::string why;  ///< only executions that fail the same way are taken for each other
  Guide guide;      ///< all choices that were made
};

/// Runs a program as a guide says, where it says nothing like the first of all executions; nothing
/// if that does not fail.
using RunByGuide = std::function<Expected<std::optional<FailedRun>>(const Guide&)>;

struct ShrunkRun {
  FailedRun run;
  Guide flips;              ///< what to choose where not the first that there is
  std::uint64_t count = 0;  ///< of flips
  std::uint64_t runs = 0;   ///< that it took
};

/// Of the choices of an execution that fails, finds few that make the program fail the same way
/// when all others are the first that there are: without any one of them it does not, unless there
/// were no more runs to find that out. It is an error if the guide leads to no failure.
[[nodiscard]] Expected<ShrunkRun> shrink(const Guide& guide, const RunByGuide& run,
                                         std::uint64_t most_runs);

}  // namespace lightcone
