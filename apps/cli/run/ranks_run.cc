// Finds out from the environment which MPI started the program, and loads its library.
#include "run/ranks_run.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <lightcone/lattice/workers/worker_service.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string_view>

#include "program.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

Workers* workers_of_this_run = nullptr;

/// How an MPI tells its processes how many they are, and which.
struct Launcher {
  std::string_view name;    ///< in the name of the library that knows it
  const char *size, *rank;  ///< variables of the environment
};
constexpr Launcher launchers[] = {
    {"openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpich", "PMI_SIZE", "PMI_RANK"},
};

[[nodiscard]] int number_in_environment(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

[[nodiscard]] const Launcher* launcher_of_several() {
  for (const Launcher& launcher : launchers) {
    if (number_in_environment(launcher.size) > 1) return &launcher;
  }
  return nullptr;
}

/// Where the library may be: beside a program that was built, or where it was installed.
[[nodiscard]] fs::path library_of(const Launcher& launcher) {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::string name = fmt::format("liblightcone-ranks-{}.so", launcher.name);
  if (fs::path built = folder / "mpi" / name; fs::exists(built, ignored)) return built;
  return folder / ".." / LIGHTCONE_LIBDIR / "lightcone" / name;
}

[[nodiscard]] Expected<std::unique_ptr<Workers>> join(const Launcher& launcher) {
  // Open MPI's own parts look for its symbols among those of the program.
  void* library = ::dlopen(library_of(launcher).c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* symbol = library == nullptr ? nullptr : ::dlsym(library, join_workers_name);
  if (symbol == nullptr) {
    return failure(fmt::format("cannot run on several ranks: {}", ::dlerror()), {}, 0,
                   "was Lightcone built where this MPI is installed?");
  }
  return std::unique_ptr<Workers>(reinterpret_cast<JoinWorkers*>(symbol)());
}

[[nodiscard]] Error not_on_ranks(const Command& command, const Launcher& launcher) {
  std::string others;
  for (const Command& other : commands()) {
    if (other.runs_on_ranks)
      others += fmt::format("{}`{}`", others.empty() ? "" : " and ", other.name);
  }
  return {fmt::format("`{}` does not run on several ranks", command.name),
          {},
          0,
          fmt::format("only {} do; `env -u {} lightcone {} ...` runs it in each of them by itself",
                      others, launcher.size, command.name)};
}

/// Works for worker 0. Without memory there is no way on for any of them: MPI ends those that wait
/// for a process which has left.
[[nodiscard]] int serve_or_end(Workers& first) {
  try {
    return serve(first);
  } catch (const std::bad_alloc&) {
    report({fmt::format("not enough memory on rank {}", first.number()), {}, 0, {}});
    std::_Exit(static_cast<int>(Status::limit));
  }
}

[[nodiscard]] int run_with(Workers& all, const std::vector<std::string>& arguments) {
  if (all.number() != 0) return serve_or_end(all);
  workers_of_this_run = &all;
  const int status = run_program(arguments);
  workers_of_this_run = nullptr;
  dismiss(all, status);
  return status;
}

}  // namespace

Workers* workers() { return workers_of_this_run; }

int run_on_ranks(const std::vector<std::string>& arguments) {
  const Launcher* launcher = launcher_of_several();
  if (launcher == nullptr) return run_program(arguments);
  ::setenv("TERM", "dumb", 1);  // what is printed goes to the launcher, whatever it looks like
  const bool is_first = number_in_environment(launcher->rank) == 0;
  const Command* command = arguments.empty() ? nullptr : find_command(arguments.front());
  if (command == nullptr) return is_first ? run_program(arguments) : 0;
  // A launcher ends all of them when one fails, so that the first must be the one to do so.
  const auto fail = [&](const Error& error) {
    return is_first ? static_cast<int>(report(error)) : 0;
  };
  if (!command->runs_on_ranks) return fail(not_on_ranks(*command, *launcher));
  const auto all = join(*launcher);
  return all ? run_with(**all, arguments) : fail(all.error());
}

}  // namespace lightcone::cli
