// The command lines of the examples, and where they run their actors.
#pragma once

#include <lightcone/actor.h>

#include <cstdint>
#include <string>

namespace examples {

/// What the user says.
struct CommandLine {
  bool valid = false;
  bool bug = false;
  bool processes = false;  ///< those of the operating system, not a simulated network
  std::uint64_t seed = 0;  ///< of the simulated network's delays; from the clock if not said
  std::string properties_file = {};
  std::string traces = {};  ///< the directory where each actor leaves its trace; empty: none
};

/// Of programs that are watched: `[--bug] PROPERTIES FOLDER`. They run as processes.
[[nodiscard]] CommandLine watched(int count, char** words);
/// Of programs that are explored: `[--bug] [--processes] [--seed N] [TRACES]`.
[[nodiscard]] CommandLine explored(int count, char** words);

/// Runs a program as the command line says. Returns what `main` returns.
[[nodiscard]] int run(lightcone::Program program, const CommandLine& said);

}  // namespace examples
