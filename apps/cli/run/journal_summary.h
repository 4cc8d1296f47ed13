// What the journals of a recording hold, in numbers.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lightcone::cli {

/// One journal, read from its beginning to its end.
struct JournalSummary {
  std::string process;
  std::uint64_t events = 0;    ///< of the process, up to the last whole block
  std::uint64_t receives = 0;  ///< the same, of its receives
  std::uint64_t entered = 0;   ///< receives that are in the journal, and do not follow from it
  std::uint64_t bytes = 0;     ///< of the file
  bool ended = false;          ///< the process came to its end
  /// The command line of an MPI process whose contents were kept; otherwise empty.
  std::vector<std::string> words = {};
  std::string mpi = {};     ///< and its MPI
  std::string damage = {};  ///< why it is not read further; empty: all of it was
};

/// All journals of a recording, by the names of the processes.
[[nodiscard]] Expected<std::vector<JournalSummary>> summarize_journals(
    const std::string& directory);

}  // namespace lightcone::cli
