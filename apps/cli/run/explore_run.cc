// A program of several processes is run once for each execution, under a controller. A simulated
// one goes through all of them by itself, in one run.
#include "run/explore_run.h"

#include <fmt/format.h>
#include <lightcone/base/working_folder.h>
#include <lightcone/explore/controller.h>
#include <lightcone/explore/exploration.h>
#include <lightcone/explore/recorded_guide.h>
#include <lightcone/explore/shrinking.h>
#include <lightcone/recording.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "run/child_program.h"
#include "run/launch.h"
#include "run/property_check.h"
#include "run/recording_signature.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// So many runs at the most to make a failure simple: each takes a while.
constexpr std::uint64_t most_shrinking_runs = 200;
/// What a simulation that is ended may take to say what it found.
constexpr milliseconds time_for_report{3000};

/// How one run of the program ended.
struct FinishedRun {
  ControlledEnd end;
  int status = 0;
  bool used = false;                             ///< some process has used Lightcone
  std::optional<std::string> why;                ///< it failed
  std::optional<ExplorationReport> report = {};  ///< the program is a simulation
};

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
  /// One has come another way.
  void note() { came_ = 1; }
  [[nodiscard]] bool has_come() const { return came_ != 0; }

 private:
  static constexpr std::array<int, 4> signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  static inline volatile std::sig_atomic_t came_ = 0;
  std::array<struct sigaction, 4> before_ = {};
};

class ProgramExploration {
 public:
  ProgramExploration(const ExplorePlan& plan, const std::string& folder, ControlSocket controller,
                     std::optional<ControlSocket> checker, std::optional<PropertyCheck> check)
      : plan_(plan),
        folder_(folder),
        controller_(std::move(controller)),
        checker_(std::move(checker)),
        check_(std::move(check)) {}

  [[nodiscard]] Expected<ExplorationReport> run() {
    auto first = first_guide();
    if (!first) return failure(first.error());
    acknowledges_ = plan_.unbuffered;
    for (;;) {
      auto again = explore_all(*first);
      if (!again) return failure(again.error());
      if (!*again) return found_;
      if (auto gone = forget_all(); !gone) return failure(gone.error());
      acknowledges_ = true;
    }
  }

 private:
  /// Runs all executions. True if they are to be run again, with acknowledgements.
  [[nodiscard]] Expected<bool> explore_all(const NamedGuide& first) {
    Exploration exploration(options(), first.guide);
    Controller controller(exploration, controller_, plan_.patience, first.names);
    while ((plan_.most_runs == 0 || found_.executions < plan_.most_runs) && exploration.begin()) {
      auto run = run_once(controller);
      if (!run) return failure(run.error());
      if (run->end.why == ControlledEnd::Why::interrupted) return interrupted(run->report);
      if (run->report) return of_simulation(std::move(*run->report));
      used_ = used_ || run->used;
      if (run->end.why == ControlledEnd::Why::needs_acknowledgements) return true;
      if (!used_ && run->end.why != ControlledEnd::Why::refused) return no_process();
      if (run->end.why == ControlledEnd::Why::trouble) return failure(run->end.text);
      if (auto done = finish(*run, exploration, controller); !done) return failure(done.error());
      if (interruption_.has_come()) return interrupted({});
      if (plan_.progress) plan_.progress("exploring executions", found_.executions, 0);
    }
    for (const std::string& left_out : controller.left_out()) leave_out(left_out);
    found_.complete = exploration.complete() && !unknown_ && found_.not_explored.empty();
    return false;
  }

  /// An execution is over.
  [[nodiscard]] Expected<void> finish(FinishedRun& run, Exploration& exploration,
                                      const Controller& controller) {
    const bool cut_short =
        run.end.why == ControlledEnd::Why::hangs || run.end.why == ControlledEnd::Why::refused;
    if (cut_short) leave_out(run.end.text);
    exploration.end(cut_short);
    ++found_.executions;
    if (!run.why) return {};
    return keep(run, {controller.names(), exploration.guide()});
  }

  /// Something that is not explored, once.
  void leave_out(const std::string& what) {
    auto& all = found_.not_explored;
    if (std::find(all.begin(), all.end(), what) == all.end()) all.push_back(what);
  }

  /// Someone has ended the exploration; a simulation may have said what it found.
  [[nodiscard]] Expected<bool> interrupted(std::optional<ExplorationReport> report) {
    if (report) {
      if (auto done = of_simulation(std::move(*report)); !done) return done;
    }
    found_.complete = false;
    found_.interrupted = true;
    return false;
  }

  /// What was found does not count: the executions begin anew.
  [[nodiscard]] Expected<void> forget_all() {
    for (const auto& failed : found_.failures) {
      const std::string path = fmt::format("{}/{}", plan_.out, failed.execution);
      std::error_code error;
      fs::remove_all(path, error);
      if (error) return failure("cannot be removed: " + error.message(), path);
    }
    found_ = {};
    kinds_.clear();
    return {};
  }

  [[nodiscard]] ExplorationOptions options() const {
    return {.fifo = plan_.fifo, .empty_polls = plan_.empty_polls};
  }
  [[nodiscard]] std::string recording() const { return folder_ + "/run"; }

  [[nodiscard]] tl::unexpected<Error> no_process() const {
    return failure(fmt::format("no process of `{}` has used Lightcone", plan_.command.front()), {},
                   0, "explore a program that links Lightcone");
  }

  [[nodiscard]] Expected<NamedGuide> first_guide() const {
    if (plan_.first.empty()) return NamedGuide();
    return recorded_guide(plan_.first);
  }

  [[nodiscard]] RunOrders orders() const {
    ExploreOrders orders;
    orders.controller = controller_.path();
    if (checker_) orders.checker = checker_->path();
    orders.first = plan_.first;
    orders.most_runs = plan_.most_runs;
    orders.empty_polls = plan_.empty_polls;
    orders.failures = plan_.out;
    orders.reports = folder_;
    orders.acknowledges = acknowledges_;
    orders.unbuffered = plan_.unbuffered;
    return {recording(), orders};
  }

  [[nodiscard]] Expected<FinishedRun> run_once(Controller& controller) {
    std::error_code ignored;
    fs::remove_all(recording(), ignored);
    fs::create_directories(recording(), ignored);
    const auto launch = launch_of(plan_.command, orders());
    if (!launch) return failure(launch.error());
    auto program = ChildProgram::start(
        {launch->words, launch->variables, plan_.shows_output, !plan_.shows_output});
    if (!program) return failure(program.error());
    FinishedRun run;
    std::optional<int> status;
    const auto is_interrupted = [&] {
      if (!status) status = program->wait(milliseconds(0));
      if (program->interrupted()) interruption_.note();
      return interruption_.has_come();
    };
    const auto is_running = [&] {
      answer_checks();
      if (!status) status = program->wait(milliseconds(0));
      return !status;
    };
    run.end = controller.run(is_running, is_interrupted);
    if (run.end.why == ControlledEnd::Why::ended && !status)
      status = wait_for_end(*program, run.end);
    if (run.end.why == ControlledEnd::Why::interrupted) program->wait_for_rest(time_for_report);
    program->end();
    if (program->interrupted()) interruption_.note();
    if (interruption_.has_come()) run.end.why = ControlledEnd::Why::interrupted;
    run.status = status.value_or(0);
    run.used = controller.has_met_someone();
    run.report = ExplorationReport::read(folder_);
    if (!run.report && run.end.why != ControlledEnd::Why::interrupted) {
      if (auto judged = judge(run); !judged) return failure(judged.error());
    }
    return run;
  }

  /// All processes have ended; so does the program, soon.
  [[nodiscard]] std::optional<int> wait_for_end(ChildProgram& program, ControlledEnd& end) const {
    const auto deadline = std::chrono::steady_clock::now() + plan_.patience;
    std::optional<int> status;
    while (!status && !program.interrupted() && std::chrono::steady_clock::now() < deadline) {
      status = program.wait(milliseconds(50));
    }
    if (!status)
      end = {ControlledEnd::Why::hangs, "all its processes ended, but the program did not"};
    return status;
  }

  /// What a simulation that goes through its executions wants to know of them.
  void answer_checks() {
    if (!checker_) return;
    if (!asker_) asker_ = checker_->accept();
    while (asker_ && asker_->has_news(milliseconds(2))) {
      const auto question = asker_->hear();
      if (!question) {
        asker_.reset();
        return;
      }
      const auto* const checks = std::get_if<control::Checks>(&*question);
      if (checks == nullptr) continue;
      const auto result = check_->check(checks->recording);
      if (!result && !check_error_) check_error_ = result.error();
      if (result && result->unknown) unknown_ = true;
      asker_->say(control::Checked{result && !result->failed.empty() ? result->failed + " failed"
                                                                     : std::string()});
    }
  }

  /// Decides whether a run failed, and why.
  [[nodiscard]] Expected<void> judge(FinishedRun& run) {
    if (run.end.why == ControlledEnd::Why::deadlock) {
      run.why = run.end.text;
    } else if (run.end.why != ControlledEnd::Why::ended) {
      return {};  // it is not known
    } else if (run.status > 128) {
      run.why = fmt::format("died of signal {}", run.status - 128);
    } else if (run.status != 0) {
      run.why = fmt::format("exited with {}", run.status);
    } else if (check_) {
      const auto result = check_->check(recording());
      if (!result) return failure(result.error());
      if (result->unknown) unknown_ = true;
      if (!result->failed.empty()) run.why = result->failed + " failed";
    }
    return {};
  }

  /// Keeps the recording of a failing run; the first of each kind is made as simple as it gets.
  [[nodiscard]] Expected<void> keep(FinishedRun& run, const NamedGuide& guide) {
    ++found_.failed;
    if (found_.failures.size() == most_recordings) return {};
    ExplorationReport::Failure failed{found_.executions, *run.why, {}};
    const std::string to = fmt::format("{}/{}", plan_.out, failed.execution);
    if (auto copied = copy_recording(to); !copied) return copied;
    if (kinds_.insert(*run.why).second) {
      const auto flips = make_simple(run, guide);
      if (!flips) return failure(flips.error());
      failed.flips = *flips;
      if (*flips) {
        if (auto copied = copy_recording(to); !copied) return copied;
      }
    }
    Recording recording{plan_.command, JournalKind::full, false, {}};
    recording.unbuffered = plan_.unbuffered;
    recording.failed = failed.why;
    found_.failures.push_back(std::move(failed));
    return write_signed(std::move(recording), to);
  }

  /// Copies what the last run left.
  [[nodiscard]] Expected<void> copy_recording(const std::string& to) const {
    std::error_code error;
    fs::remove_all(to, error);
    if (!error) fs::copy(recording(), to, fs::copy_options::recursive, error);
    if (error) return failure("cannot be kept: " + error.message(), to);
    return {};
  }

  /// Leaves the recording of the simplest failing run that was found; the number of its flips.
  [[nodiscard]] Expected<std::optional<std::uint64_t>> make_simple(const FinishedRun& failed,
                                                                   const NamedGuide& guide) {
    const auto run_by = [&](const Guide& tried) -> Expected<std::optional<FailedRun>> {
      if (interruption_.has_come()) return std::nullopt;
      Exploration exploration(options(), tried);
      Controller controller(exploration, controller_, plan_.patience, guide.names);
      static_cast<void>(exploration.begin());
      const auto run = run_once(controller);
      if (!run) return failure(run.error());
      if (!run->why || *run->why != *failed.why) return std::nullopt;
      return FailedRun{*run->why, exploration.guide()};
    };
    const auto shrunk = shrink(guide.guide, run_by, most_shrinking_runs);
    // It may not fail again, if what it did does not depend on its answers alone.
    if (!shrunk) return std::nullopt;
    const auto best = run_by(shrunk->run.guide);
    if (!best) return failure(best.error());
    if (!*best) return std::nullopt;
    return std::optional(shrunk->count);
  }

  [[nodiscard]] Expected<bool> of_simulation(ExplorationReport report) {
    if (!report.error.empty()) return failure(report.error);
    if (check_error_) return failure(*check_error_);
    report.complete = report.complete && !unknown_;
    for (const auto& failed : report.failures) {
      const std::string to = fmt::format("{}/{}", plan_.out, failed.execution);
      Recording recording{plan_.command, JournalKind::full, false, {}};
      recording.failed = failed.why;
      if (auto written = write_signed(std::move(recording), to); !written) {
        return failure(written.error());
      }
    }
    found_ = std::move(report);
    return false;
  }

  const ExplorePlan& plan_;
  std::string folder_;
  ControlSocket controller_;
  std::optional<ControlSocket> checker_;
  std::optional<ControlChannel> asker_;
  std::optional<PropertyCheck> check_;
  std::optional<Error> check_error_;
  bool unknown_ = false, used_ = false;
  bool acknowledges_ = false;  // receivers tell senders when they take a message
  Interruption interruption_;
  std::set<std::string> kinds_;
  ExplorationReport found_;
};

}  // namespace

Expected<ExplorationReport> explore(const ExplorePlan& plan) {
  std::optional<PropertyCheck> check;
  if (!plan.properties.empty()) {
    auto read = PropertyCheck::read(plan.properties);
    if (!read) return failure(read.error());
    check.emplace(std::move(*read));
  }
  const auto folder = WorkingFolder::make((fs::temp_directory_path() / "lightcone-").string());
  if (!folder) return failure(folder.error());
  auto controller = ControlSocket::listen(folder->path() + "/controller");
  if (!controller) return failure(controller.error());
  std::optional<ControlSocket> checker;
  if (check) {
    auto listening = ControlSocket::listen(folder->path() + "/checker");
    if (!listening) return failure(listening.error());
    checker.emplace(std::move(*listening));
  }
  return ProgramExploration(plan, folder->path(), std::move(*controller), std::move(checker),
                            std::move(check))
      .run();
}

}  // namespace lightcone::cli
