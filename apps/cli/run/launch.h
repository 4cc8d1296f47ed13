// How a program is started so that it can be recorded: an MPI program gets a library preloaded.
#pragma once

#include <lightcone/error.h>
#include <lightcone/recording.h>

#include <string>
#include <vector>

namespace lightcone::cli {

/// What to run, and what to add to its environment.
struct Launch {
  std::vector<std::string> words;
  std::vector<std::string> variables;  ///< each as `NAME=VALUE`
};

/// A program that links Lightcone gets its orders and nothing else. An MPI program is told by its
/// launcher, or by the MPI library that it needs.
[[nodiscard]] Expected<Launch> launch_of(const std::vector<std::string>& command,
                                         const RunOrders& orders);
/// The same if it is known which MPI it runs with, as `mpi_of` says: this takes long to find out.
[[nodiscard]] Expected<Launch> launch_of(const std::vector<std::string>& command,
                                         const RunOrders& orders, const std::string& mpi);

/// The same for one MPI process that runs alone, which needs no launcher. If the command does not
/// show its MPI, as that of an interpreter, it is the one that was `recorded`.
[[nodiscard]] Expected<Launch> launch_alone(const std::vector<std::string>& command,
                                            const RunOrders& orders, const std::string& recorded);

/// Returns whether a command begins with the launcher of an MPI.
[[nodiscard]] bool is_launcher(const std::vector<std::string>& command);

/// The MPI that a command runs with: `openmpi`, `mpich`, or nothing.
[[nodiscard]] std::string mpi_of(const std::vector<std::string>& command);

/// An option that MPI programs do not have, and whether it was given.
struct OptionGiven {
  const char* name;
  bool given;
};

/// An error if one of these was given for an MPI program: it would be passed over in silence.
[[nodiscard]] Expected<void> not_for_mpi(const std::vector<std::string>& command,
                                         const std::vector<OptionGiven>& options);

}  // namespace lightcone::cli
