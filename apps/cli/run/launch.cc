// Finds out which MPI a command runs with, and where the library for it is.
#include "run/launch.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

/// The file that a shell would run; empty if there is none.
[[nodiscard]] fs::path file_of(const std::string& word) {
  std::error_code error;
  if (word.find('/') != std::string::npos) return fs::canonical(word, error);
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path file = fs::canonical(fs::path(folder) / word, error);
    if (!error) return file;
  }
  return {};
}

/// Open MPI and MPICH by the names of their launchers.
[[nodiscard]] std::string mpi_of_launcher(const std::string& name) {
  for (const auto* part : {"orterun", "openmpi", "prterun"}) {
    if (name.find(part) != std::string::npos) return "openmpi";
  }
  for (const auto* part : {"hydra", "mpich"}) {
    if (name.find(part) != std::string::npos) return "mpich";
  }
  return {};
}

/// The MPI library whose name a program holds, as programs do that need it.
[[nodiscard]] std::string mpi_needed_by(const fs::path& file) {
  constexpr std::uintmax_t largest = 256 << 20;
  constexpr std::string_view beginning =
      "\x7f"
      "ELF";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size < beginning.size() || size > largest) return {};
  std::ifstream in(file, std::ios::binary);
  std::string bytes(beginning.size(), '\0');
  if (!in.read(bytes.data(), beginning.size()) || bytes != beginning) return {};
  bytes.resize(size);
  in.read(bytes.data() + beginning.size(), static_cast<std::streamsize>(size - beginning.size()));
  if (bytes.find("libmpi.so.40") != std::string::npos) return "openmpi";
  if (bytes.find("libmpich.so.12") != std::string::npos) return "mpich";
  return {};
}

/// Beside the program, or where it was installed.
[[nodiscard]] fs::path library_for(const std::string& mpi) {
  std::error_code error;
  const fs::path here = fs::canonical("/proc/self/exe", error).parent_path();
  const std::string name = fmt::format("liblightcone-{}.so", mpi);
  for (const fs::path& folder : {here, here / ".." / LIGHTCONE_LIBDIR / "lightcone"}) {
    fs::path file = fs::canonical(folder / name, error);
    if (!error) return file;
  }
  return {};
}

}  // namespace

std::string mpi_of(const std::vector<std::string>& command) {
  if (std::string mpi = mpi_of_launcher(file_of(command.front()).filename()); !mpi.empty()) {
    return mpi;
  }
  for (const std::string& word : command) {
    if (std::string mpi = mpi_needed_by(file_of(word)); !mpi.empty()) return mpi;
  }
  return {};
}

Expected<void> not_for_mpi(const std::vector<std::string>& command,
                           const std::vector<OptionGiven>& options) {
  for (const OptionGiven& option : options) {
    if (!option.given) continue;
    if (mpi_of(command).empty()) return {};
    return failure(fmt::format("{} is not for MPI programs", option.name), command.front(), 0,
                   "docs/guides/mpi.md says what is");
  }
  return {};
}

bool is_launcher(const std::vector<std::string>& command) {
  for (const fs::path& file : {fs::path(command.front()), file_of(command.front())}) {
    const std::string name = file.filename();
    for (const auto* beginning : {"mpirun", "mpiexec", "orterun", "prterun", "hydra", "srun"}) {
      if (name.starts_with(beginning)) return true;
    }
  }
  return false;
}

namespace {

/// What to run with the library for an MPI preloaded.
[[nodiscard]] Expected<Launch> preloaded(const std::vector<std::string>& command,
                                         const RunOrders& orders, const std::string& mpi) {
  Launch launch{command, {fmt::format("{}={}", RunOrders::variable, orders.text())}};
  const fs::path library = library_for(mpi);
  if (library.empty()) {
    return failure(fmt::format("there is no liblightcone-{}.so to record it with", mpi),
                   command.front(), 0, "build Lightcone where the MPI's packages are installed");
  }
  const char* const others = std::getenv("LD_PRELOAD");
  const bool has_others = others != nullptr && *others != '\0';
  launch.variables.push_back(fmt::format("LD_PRELOAD={}{}{}", library.string(),
                                         has_others ? ":" : "", has_others ? others : ""));
  return launch;
}

}  // namespace

Expected<Launch> launch_alone(const std::vector<std::string>& command, const RunOrders& orders,
                              const std::string& recorded) {
  if (is_launcher(command)) {
    return failure("--only runs one rank without a launcher", command.front(), 0,
                   "name the program itself, after --");
  }
  const std::string mpi = mpi_of(command);
  auto launch = preloaded(command, orders, mpi.empty() ? recorded : mpi);
  if (!launch) return launch;
  // Open MPI starts no daemon, and opens no network.
  for (const char* const variable : {"OMPI_MCA_ess_singleton_isolated=1", "OMPI_MCA_pml=ob1",
                                     "OMPI_MCA_btl=self", "OMPI_MCA_osc=^ucx"}) {
    launch->variables.emplace_back(variable);
  }
  return launch;
}

Expected<Launch> launch_of(const std::vector<std::string>& command, const RunOrders& orders) {
  return launch_of(command, orders, mpi_of(command));
}

Expected<Launch> launch_of(const std::vector<std::string>& command, const RunOrders& orders,
                           const std::string& mpi) {
  if (mpi.empty()) {
    return Launch{command, {fmt::format("{}={}", RunOrders::variable, orders.text())}};
  }
  auto launch = preloaded(command, orders, mpi);
  if (launch && mpi == "openmpi" && is_launcher(command)) {
    // It passes its own environment on to this machine only.
    const std::vector<std::string> exported = {"-x", "LD_PRELOAD", "-x", RunOrders::variable};
    launch->words.insert(launch->words.begin() + 1, exported.begin(), exported.end());
  }
  return launch;
}

}  // namespace lightcone::cli
