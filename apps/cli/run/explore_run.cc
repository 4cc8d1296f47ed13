// Gives the library what it needs to start programs, to check traces and to sign recordings.
#include "run/explore_run.h"

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/working_folder.h>
#include <lightcone/explore/exploration_driver.h>
#include <lightcone/explore/launched_program.h>
#include <lightcone/explore/recorded_guide.h>
#include <lightcone/explore/recorded_wishes.h>

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "run/launch.h"
#include "run/program_host.h"
#include "run/property_check.h"
#include "run/recording_signature.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// So many failing executions are kept as recordings.
constexpr std::uint64_t most_recordings = 100;
/// So many runs at the most to make a failure simple: each takes a while.
constexpr std::uint64_t most_shrinking_runs = 200;

/// So much room there must be in memory for what executions write.
constexpr std::uintmax_t enough_memory = std::uintmax_t{1} << 30;

/// Where folders to work in are made. In memory, if there is room: files of an execution are
/// removed before the next one, and a disk makes them wait. TMPDIR says where else.
[[nodiscard]] fs::path place_for_folders() {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  const bool is_usable = std::getenv("TMPDIR") == nullptr && fs::is_directory(memory, error) &&
                         ::access(memory.c_str(), W_OK | X_OK) == 0;
  if (is_usable && fs::space(memory, error).available >= enough_memory && !error) return memory;
  return fs::temp_directory_path();
}

/// While one lives, signals that want the command to end are taken note of.
class Interruption {
 public:
  Interruption() {
    came_ = 0;
    struct sigaction noting = {};
    noting.sa_handler = [](int) { came_ = 1; };
    sigemptyset(&noting.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &noting, &before_[i]);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
  }
  [[nodiscard]] static bool has_come() { return came_ != 0; }

 private:
  static constexpr std::array<int, 4> signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  static inline volatile std::sig_atomic_t came_ = 0;
  std::array<struct sigaction, 4> before_ = {};
};

/// Starts the program of a plan in a host.
class HostedProgram final : public ProgramStarter {
 public:
  HostedProgram(const ExplorePlan& plan, ProgramHost host, std::string folder)
      : plan_(plan),
        mpi_(mpi_of(plan.command)),
        host_(std::move(host)),
        folder_(std::move(folder)) {}

  [[nodiscard]] Expected<void> start(const RunOrders& orders) override {
    auto launch = launch_of(plan_.command, orders, mpi_);
    if (!launch) return failure(launch.error());
    // Open MPI would bind the first ranks of all executions to the same processors.
    if (plan_.jobs > 1) set_unless_given("OMPI_MCA_hwloc_base_binding_policy", "none", *launch);
    // MPIs ask hwloc what the machine has. To find graphics devices it loads their drivers in each
    // rank, which takes as much processor time as the rest of a start.
    if (!mpi_.empty()) set_unless_given("HWLOC_COMPONENTS", "-opencl,-gl", *launch);
    ChildProgram::Options options{launch->words, launch->variables};
    const bool shares = plan_.jobs > 1;  // standard error, with other executions
    keeps_ = shares || !plan_.shows_output;
    options.silent = !plan_.shows_output;
    options.keep_output = !keeps_;
    if (keeps_) options.output = output();
    return host_.start(options);
  }
  [[nodiscard]] std::optional<int> wait(milliseconds longest) override {
    return host_.wait(longest);
  }
  void end(milliseconds time_to_report) override {
    host_.end(time_to_report);
    if (plan_.shows_output && keeps_) print_output();
  }
  [[nodiscard]] std::optional<std::string> printed() override {
    if (!keeps_) return std::nullopt;
    auto file = InputFile::open_regular(output());
    if (!file) return std::nullopt;
    auto text = file->read_all();
    if (!text) return std::nullopt;
    return std::move(*text);
  }

 private:
  [[nodiscard]] std::string output() const { return folder_ + "/output"; }

  static void set_unless_given(const char* variable, const char* value, Launch& launch) {
    if (std::getenv(variable) != nullptr) return;
    launch.variables.push_back(fmt::format("{}={}", variable, value));
  }

  /// All that one execution printed, without what others print.
  void print_output() {
    static std::mutex one_at_a_time;
    const std::string text = printed().value_or(std::string());
    const std::lock_guard lock(one_at_a_time);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }

  const ExplorePlan& plan_;
  std::string mpi_;
  ProgramHost host_;
  std::string folder_;
  bool keeps_ = false;  // what the program prints, in a file
};

[[nodiscard]] Expected<LaunchPlan> launch_plan_of(const ExplorePlan& plan) {
  LaunchPlan launch{.command = plan.command,
                    .out = plan.out,
                    .first = plan.first,
                    .most_runs = plan.most_runs,
                    .empty_polls = plan.empty_polls,
                    .unbuffered = plan.unbuffered,
                    .patience = plan.patience};
  launch.describe = [](const Recording& recording, const std::string& directory) {
    return write_signed(recording, directory);
  };
  if (plan.properties.empty()) return launch;
  auto read = PropertyCheck::read(plan.properties);
  if (!read) return failure(read.error());
  const auto check = std::make_shared<const PropertyCheck>(std::move(*read));
  launch.check = [check](const std::string& trace) -> Expected<RunVerdict> {
    const auto result = check->check(trace);
    if (!result) return failure(result.error());
    RunVerdict verdict{.unknown = result->unknown};
    if (!result->failed.empty()) verdict.why = result->failed + " failed";
    return verdict;
  };
  return launch;
}

/// The ranks of an MPI program read their journals themselves, so it is told here what is wrong.
[[nodiscard]] Expected<void> check_ranks(const std::string& directory) {
  const auto names = Recording::processes(directory);
  if (!names) return failure(names.error());
  for (const std::string& name : *names) {
    const auto wishes = RecordedWishes::read(Recording::journal_path(directory, name));
    if (!wishes) return failure(wishes.error());
  }
  return {};
}

[[nodiscard]] Expected<DriverOptions> driver_options_of(const ExplorePlan& plan) {
  DriverOptions options{.exploration = {.fifo = plan.fifo, .empty_polls = plan.empty_polls},
                        .most_failures = most_recordings,
                        .most_shrinking_runs = most_shrinking_runs,
                        .out = plan.out,
                        .is_over = Interruption::has_come,
                        .progress = plan.progress};
  if (plan.most_runs != 0) options.most_runs = plan.most_runs;
  if (plan.first.empty()) return options;
  if (!mpi_of(plan.command).empty()) {
    if (auto usable = check_ranks(plan.first); !usable) return failure(usable.error());
    return options;
  }
  auto first = recorded_guide(plan.first);
  if (!first) return failure(first.error());
  options.first = std::move(*first);
  return options;
}

}  // namespace

Expected<ExplorationReport> explore_launched(const ExplorePlan& plan) {
  const auto launch = launch_plan_of(plan);
  if (!launch) return failure(launch.error());
  auto options = driver_options_of(plan);
  if (!options) return failure(options.error());
  const auto folder = WorkingFolder::make((place_for_folders() / "lightcone-").string());
  if (!folder) return failure(folder.error());
  auto hosts = ProgramHost::make(plan.jobs);
  if (!hosts) return failure(hosts.error());
  const Interruption interruption;
  LaunchKnowledge known;
  known.acknowledges = plan.unbuffered;
  std::vector<std::unique_ptr<HostedProgram>> hosted;
  std::vector<std::unique_ptr<LaunchedProgram>> programs;
  std::vector<ExplorableProgram*> explored;
  for (ProgramHost& host : *hosts) {
    const std::string own = fmt::format("{}/{}", folder->path(), hosted.size());
    std::error_code error;
    fs::create_directory(own, error);
    if (!error) fs::permissions(own, fs::perms::owner_all, error);
    if (error) return failure("cannot be made: " + error.message(), own);
    hosted.push_back(std::make_unique<HostedProgram>(plan, std::move(host), own));
    auto program = LaunchedProgram::make(*launch, known, *hosted.back(), own);
    if (!program) return failure(program.error());
    programs.push_back(std::move(*program));
    explored.push_back(programs.back().get());
  }
  return ExplorationDriver(std::move(*options), std::move(explored)).run();
}

}  // namespace lightcone::cli
