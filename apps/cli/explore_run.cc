// A program of several processes is run once for each execution, under a controller. A simulated
// one goes through all of them by itself, in one run.
#include "explore_run.h"

#include <fmt/format.h>
#include <lightcone/choices/exploration.h>
#include <lightcone/choices/recording.h>
#include <lightcone/choices/shrinking.h>
#include <lightcone/live/controller.h>
#include <lightcone/live/recorded_guide.h>
#include <lightcone/live/run_orders.h>

#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "child_program.h"
#include "launch.h"
#include "property_check.h"
#include "working_folder.h"

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// So many runs at the most to make a failure simple: each takes a while.
constexpr std::uint64_t most_shrinking_runs = 200;

/// How one run of the program ended.
struct Run {
  ControlledEnd end;
  int status = 0;
  bool used = false;                             ///< some process has used Lightcone
  std::optional<std::string> why;                ///< it failed
  std::optional<ExplorationReport> report = {};  ///< the program is a simulation
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
    Exploration exploration(options(), std::move(first->guide));
    Controller controller(exploration, controller_, plan_.patience, first->names);
    bool used = false;
    while ((plan_.most_runs == 0 || found_.executions < plan_.most_runs) && exploration.begin()) {
      auto run = run_once(controller);
      if (!run) return failure(run.error());
      if (run->report) return of_simulation(std::move(*run->report));
      used = used || run->used;
      if (!used) return no_process();
      if (run->end.why == ControlledEnd::Why::trouble) return failure(run->end.text);
      exploration.end(run->end.why == ControlledEnd::Why::hangs);
      ++found_.executions;
      if (run->why) {
        if (auto kept = keep(*run, {controller.names(), exploration.guide()}); !kept)
          return failure(kept.error());
      }
      if (plan_.progress) plan_.progress("exploring executions", found_.executions, 0);
    }
    found_.complete = exploration.complete() && !unknown_;
    return found_;
  }

 private:
  [[nodiscard]] ExplorationOptions options() const {
    return {.fifo = plan_.fifo, .empty_polls = plan_.empty_polls};
  }
  [[nodiscard]] std::string recording() const { return folder_ + "/run"; }

  [[nodiscard]] tl::unexpected<Error> no_process() const {
    return failure(fmt::format("no process of `{}` has used Lightcone", plan_.command.front()), {},
                   0, "explore a program that links it");
  }

  [[nodiscard]] Expected<NamedGuide> first_guide() const {
    if (plan_.first.empty()) return NamedGuide();
    return recorded_guide(plan_.first);
  }

  [[nodiscard]] RunOrders orders() const {
    RunOrders orders;
    orders.mode = RunOrders::Mode::explore;
    orders.directory = recording();
    orders.traces = plan_.out;
    orders.reports = folder_;
    orders.controller = controller_.path();
    if (checker_) orders.checker = checker_->path();
    orders.first = plan_.first;
    orders.most_runs = plan_.most_runs;
    orders.empty_polls = plan_.empty_polls;
    return orders;
  }

  [[nodiscard]] Expected<Run> run_once(Controller& controller) {
    std::error_code ignored;
    fs::remove_all(recording(), ignored);
    fs::create_directories(recording(), ignored);
    const auto launch = launch_of(plan_.command, orders());
    if (!launch) return failure(launch.error());
    auto program = ChildProgram::start(
        {launch->words, launch->variables, plan_.shows_output, !plan_.shows_output});
    if (!program) return failure(program.error());
    std::optional<int> status;
    Run run;
    run.end = controller.run([&] {
      answer_checks();
      if (!status) status = program->wait(milliseconds(0));
      return !status;
    });
    if (run.end.why != ControlledEnd::Why::ended) {
      program->end();
    } else {
      if (!status) status = program->wait(plan_.patience);
      if (!status) run.end = {ControlledEnd::Why::hangs, "all its processes ended, but not it"};
      program->end();
    }
    run.status = status.value_or(0);
    run.used = controller.has_met_someone();
    run.report = ExplorationReport::read(folder_);
    if (!run.report) {
      if (auto judged = judge(run); !judged) return failure(judged.error());
    }
    return run;
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
      const auto result = check_->check(question->name);
      if (!result && !check_error_) check_error_ = result.error();
      if (result && result->unknown) unknown_ = true;
      asker_->say(
          {.what = ControlMessage::What::go_on,
           .name = result && !result->failed.empty() ? result->failed + " failed" : std::string()});
    }
  }

  /// Whether a run failed, and why.
  [[nodiscard]] Expected<void> judge(Run& run) {
    if (run.end.why != ControlledEnd::Why::ended) {
      run.why = run.end.text;
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
  [[nodiscard]] Expected<void> keep(Run& run, const NamedGuide& guide) {
    ++found_.failed;
    if (found_.failures.size() == most_recordings) return {};
    ExplorationReport::Failure failed{found_.executions, *run.why, {}};
    if (kinds_.insert(*run.why).second) {
      const auto flips = make_simple(run, guide);
      if (!flips) return failure(flips.error());
      failed.flips = *flips;
    }
    const std::string to = fmt::format("{}/{}", plan_.out, failed.execution);
    std::error_code error;
    fs::copy(recording(), to, fs::copy_options::recursive, error);
    if (error) return failure("cannot be kept: " + error.message(), to);
    Recording recording{plan_.command, JournalKind::full, false, {}};
    recording.failed = failed.why;
    found_.failures.push_back(std::move(failed));
    return recording.write(to);
  }

  /// Leaves the recording of the simplest failing run that was found; the number of its flips.
  [[nodiscard]] Expected<std::optional<std::uint64_t>> make_simple(const Run& failed,
                                                                   const NamedGuide& guide) {
    const auto run_by = [&](const Guide& tried) -> Expected<std::optional<FailedRun>> {
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
    if (const auto best = run_by(shrunk->run.guide); !best) return failure(best.error());
    return std::optional(shrunk->count);
  }

  [[nodiscard]] Expected<ExplorationReport> of_simulation(ExplorationReport report) {
    if (!report.error.empty()) return failure(report.error);
    if (check_error_) return failure(*check_error_);
    report.complete = report.complete && !unknown_;
    for (const auto& failed : report.failures) {
      const std::string to = fmt::format("{}/{}", plan_.out, failed.execution);
      Recording recording{plan_.command, JournalKind::full, false, {}};
      recording.failed = failed.why;
      if (auto written = recording.write(to); !written) return failure(written.error());
    }
    return report;
  }

  const ExplorePlan& plan_;
  std::string folder_;
  ControlSocket controller_;
  std::optional<ControlSocket> checker_;
  std::optional<ControlChannel> asker_;
  std::optional<PropertyCheck> check_;
  std::optional<Error> check_error_;
  bool unknown_ = false;
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
