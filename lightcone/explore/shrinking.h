// Makes a failing execution as simple as possible.
#pragma once

#include <lightcone/error.h>
#include <lightcone/guide.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace lightcone {

/// Runs a program as a guide says, where it says nothing like the first of all executions; nothing
/// if that does not fail. The guide of a failure has all choices that were made.
using RunByGuide = std::function<Expected<std::optional<FailedExecution>>(const NamedGuide&)>;

/// Of the choices of an execution that fails, finds few that make the program fail the same way
/// when all others are the first that there are: without any one of them it does not, unless there
/// were no more runs to find that out. It is an error if the guide leads to no failure.
[[nodiscard]] Expected<ShrunkFailure> shrink_guide(const NamedGuide& guide, const RunByGuide& run,
                                                   std::uint64_t most_runs);

}  // namespace lightcone
