// Runs MPI programs plainly, recorded and replayed.
#include "mpi/mpi_run.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <sstream>

namespace lightcone {
namespace {

[[nodiscard]] std::string program_path(const std::string& flavour) {
  return std::string(LIGHTCONE_MPI_PROGRAMS) + "/" + flavour + "/";
}

/// Each line of a text that has some.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

// As root if need be; and no copies from process to process, which containers forbid. A sanitizer's
// library comes after the preloaded one, and what MPI itself does not free is not looked at.
std::string mpi_environment() {
#ifdef __SANITIZE_ADDRESS__
  const std::string sanitizer =
      "export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0:detect_odr_violation=0\n";
#else
  const std::string sanitizer;
#endif
  return sanitizer +
         "export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1"
         " OMPI_MCA_btl_vader_single_copy_mechanism=emulated"
         " OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
         " HWLOC_COMPONENTS=-opencl,-gl"  // drivers of graphics devices take half of a start
         " MPIR_CVAR_POLLS_BEFORE_YIELD=1 NOISE=1\n";
}

std::string name_of(const testing::TestParamInfo<MpiProgram>& info) {
  std::string name = info.param.flavour + "_" + info.param.line;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::ostream& operator<<(std::ostream& out, const MpiProgram& program) {
  return out << program.flavour << ": " << program.line;
}

std::vector<std::string> mpi_flavours() {
  std::istringstream words(LIGHTCONE_MPI_FLAVOURS);
  return {std::istream_iterator<std::string>(words), {}};
}

std::vector<MpiProgram> for_each_mpi(const std::vector<std::string>& lines) {
  std::vector<MpiProgram> programs;
  for (const std::string& flavour : mpi_flavours()) {
    for (const std::string& line : lines) programs.push_back({flavour, line});
  }
  return programs;
}

std::vector<std::string> all_calls() {
  const std::string command = program_path(mpi_flavours().front()) + "calls --list";
  std::string text;
  if (std::FILE* pipe = ::popen(command.c_str(), "r")) {
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    ::pclose(pipe);
  }
  return lines_of(text);
}

int replays() {
  const char* number = std::getenv("LIGHTCONE_REPLAYS");
  return number != nullptr ? std::atoi(number) : 2;
}

RankLines lines_by_rank(const std::string& out) {
  RankLines lines;
  for (const std::string& line : lines_of(out)) {
    if (line.empty() || !std::isdigit(static_cast<unsigned char>(line[0]))) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space > 3) continue;
    lines[line.substr(0, space)].push_back(line.substr(space + 1));
  }
  return lines;
}

std::string MpiRun::program() const { return program_path(GetParam().flavour) + GetParam().line; }

std::string MpiRun::launch() const { return "mpirun." + GetParam().flavour + " -n 4 " + program(); }

Shell::Result MpiRun::plain() const { return run(mpi_environment() + "timeout 60 " + launch()); }

Shell::Result MpiRun::record(const std::string& options) const {
  return run(mpi_environment() +
             ("rm -rf rec; timeout 60 lightcone record --out rec " + options + " -- " + launch()));
}

Shell::Result MpiRun::replay(const std::string& options) const {
  return run(mpi_environment() + "timeout 60 lightcone replay rec " + options + " -- " + launch());
}

void MpiRun::expect_same_replays(const Result& recorded) const {
  const RankLines before = lines_by_rank(recorded.out);
  EXPECT_FALSE(before.empty()) << recorded.out << recorded.err;
  for (int i = 0; i < replays() && !HasFailure(); ++i) {
    const Result again = replay();
    EXPECT_EQ(again.status, recorded.status) << again.err;
    EXPECT_EQ(lines_by_rank(again.out), before) << "replay " << i + 1 << ": " << again.err;
  }
}

}  // namespace lightcone
