// Runs MPI programs plainly, recorded and replayed, and compares what their ranks print.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "system/shell.h"

namespace lightcone {

/// A program for one MPI: its name and arguments, as in `calls recv_any`.
struct MpiProgram {
  std::string flavour;  ///< openmpi or mpich
  std::string line;
};

/// What tests are called after their program.
[[nodiscard]] std::string name_of(const testing::TestParamInfo<MpiProgram>& info);
std::ostream& operator<<(std::ostream& out, const MpiProgram& program);

/// The MPIs that there are.
[[nodiscard]] std::vector<std::string> mpi_flavours();

/// These programs for each of the MPIs.
[[nodiscard]] std::vector<MpiProgram> for_each_mpi(const std::vector<std::string>& lines);

/// The programs in `calls`, by their names.
[[nodiscard]] std::vector<std::string> all_calls();

/// How often a recording is replayed: as LIGHTCONE_REPLAYS says, or a few times.
[[nodiscard]] int replays();

/// The lines of each rank in their order; a line starts with the rank, others are not the
/// program's.
using RankLines = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] RankLines lines_by_rank(const std::string& out);

/// Lines for a shell, before those that start MPI programs: more ranks than cores, with noise.
[[nodiscard]] std::string mpi_environment();

/// A test of one program.
class MpiRun : public Shell, public testing::WithParamInterface<MpiProgram> {
 protected:
  /// The program without Lightcone, with noise.
  [[nodiscard]] Result plain() const;
  /// The same, recorded in `rec`; or with other options.
  [[nodiscard]] Result record(const std::string& options = {}) const;
  [[nodiscard]] Result replay(const std::string& options = {}) const;
  /// Replays what was recorded with this result, as often as it should be: the same again.
  void expect_same_replays(const Result& recorded) const;
  /// The command line of one process.
  [[nodiscard]] std::string program() const;

 private:
  [[nodiscard]] std::string launch() const;
};

}  // namespace lightcone
