// Watches the reports of a replay: which processes wait, and whether any can still move.
#include "run/replay_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <utility>

#include "print/terminal.h"
#include "program.h"
#include "run/child_program.h"
#include "run/launch.h"

namespace lightcone::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Why = RunReport::Why;

constexpr milliseconds step{50}, time_of_rest{2000};
// How many times as long we look at processes that may never begin, and at those that seem to do
// nothing: one that sends to a process which stands still may be held up for good.
constexpr int doubt = 5, more_doubt = 20;

/// Returns how long a process has kept the machine busy, in a unit of the system's; 0 if that is
/// not known.
[[nodiscard]] std::uint64_t busy_time(std::int64_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  std::istringstream words(line.substr(std::min(line.rfind(')'), line.size() - 1) + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) words >> skipped;  // up to the times that the process has used
  std::uint64_t user = 0, system = 0;
  words >> user >> system;
  return user + system;
}

/// Says when nothing more happens. A message that is under way moves those who wait for it, so it
/// is not enough that all of them do: it must stay like that for a while.
class Watch {
 public:
  explicit Watch(const ReplayPlan& plan) : plan_(plan) {}

  [[nodiscard]] bool is_over(const std::vector<RunReport>& reports) {
    const auto now = Clock::now();
    note_quiet(reports, now);
    if (changed(reports)) still_since_ = now;
    const bool diverged = std::any_of(reports.begin(), reports.end(), [](const RunReport& report) {
      return report.why == Why::diverged;
    });
    if (diverged && !diverged_since_) diverged_since_ = now;
    const milliseconds patience = plan_.orders.patience;
    if (diverged_since_ && now - *diverged_since_ > doubt * patience) return true;
    switch (standing_of(plan_.recorded, reports)) {
      case Standing::no: still_since_ = now; return false;
      case Standing::surely: return true;
      case Standing::waiting: return now - still_since_ > patience;
      case Standing::doubtful: return now - still_since_ > (diverged ? patience : doubt * patience);
      case Standing::stuck: return now - still_since_ > more_doubt * patience;
    }
    return false;
  }

 private:
  [[nodiscard]] static std::string line_of(const RunReport& report) {
    return fmt::format("{} {} {}\n", report.process, report.event, static_cast<int>(report.why));
  }

  [[nodiscard]] bool changed(const std::vector<RunReport>& reports) {
    std::string all;
    for (const RunReport& report : reports) {
      all += line_of(report);
      if (report.why == Why::runs) all += fmt::format("{}\n", busy_time(report.pid));
    }
    return std::exchange(seen_, all) != all;
  }

  /// Says which processes the replay waits for, if more may still come.
  void note_quiet(const std::vector<RunReport>& reports, Clock::time_point now) {
    std::string all;
    for (const RunReport& report : reports) all += line_of(report);
    if (std::exchange(events_seen_, all) != all) {
      quiet_since_ = now;
      is_noted_ = false;
    }
    if (is_noted_ || now - quiet_since_ <= doubt * plan_.orders.patience) return;
    is_noted_ = true;
    report_note(
        fmt::format("no event since {} s: {}; interrupt to end the replay",
                    std::chrono::duration_cast<std::chrono::seconds>(now - quiet_since_).count(),
                    waited_for(plan_.recorded, reports)));
  }

  const ReplayPlan& plan_;
  std::string seen_, events_seen_;
  Clock::time_point quiet_since_ = Clock::now();
  bool is_noted_ = false;
  Clock::time_point still_since_ = Clock::now();
  std::optional<Clock::time_point> diverged_since_;
};

/// The process that stands where it was told to.
[[nodiscard]] const RunReport* stopped(const std::vector<RunReport>& reports) {
  const auto it = std::find_if(reports.begin(), reports.end(),
                               [](const RunReport& report) { return report.why == Why::until; });
  return it == reports.end() ? nullptr : &*it;
}

/// Leaves the process to the user, or to the debugger.
[[nodiscard]] Expected<std::optional<int>> hand_over(const ReplayPlan& plan, ChildProgram& program,
                                                     const RunReport& report) {
  fmt::print(stderr, "lightcone: {} stopped after event {}: pid {}\n", printable(report.process),
             report.event, report.pid);
  if (!plan.debugger.empty()) {
    auto status =
        program.run_beside({plan.debugger, "-p", std::to_string(report.pid), "-ex", "continue"});
    if (!status) return failure(status.error());
    return std::optional<int>();
  }
  fmt::print(stderr, "  gdb -p {} -ex continue   attaches to it; interrupt to end the replay\n",
             report.pid);
  std::optional<int> status;
  while (!status && !program.interrupted()) status = program.wait(step);
  return program.interrupted() ? 128 + *program.interrupted() : status;
}

/// The signal by which someone has ended the program. Whoever interrupts at the terminal means the
/// program, and only it gets the signal.
[[nodiscard]] std::optional<int> signal_of(const ChildProgram& program,
                                           const ReplayOutcome& outcome) {
  if (program.interrupted()) return program.interrupted();
  if (outcome.verdict.same || !outcome.exit) return std::nullopt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    if (*outcome.exit == 128 + signal) return signal;
  }
  return outcome.verdict.told_to_end ? std::optional(SIGTERM) : std::nullopt;
}

/// `reports`: from before it ended. What processes say once they were interrupted follows from
/// that.
void judge(const ReplayPlan& plan, const ChildProgram& program,
           const std::vector<RunReport>& reports, ReplayOutcome& outcome) {
  outcome.verdict = ReplayVerdict::of(plan.recorded, RunReport::read_all(plan.orders.reports),
                                      outcome.exit ? ReplayEnd::ended : ReplayEnd::stands);
  outcome.interrupted = signal_of(program, outcome);
  if (!outcome.interrupted) return;
  outcome.verdict = ReplayVerdict::of(plan.recorded, reports, ReplayEnd::interrupted);
}

}  // namespace

Expected<ReplayOutcome> run_replay(const ReplayPlan& plan) {
  const RunOrders orders{plan.directory, plan.orders};
  const auto launch = plan.alone.empty() ? launch_of(plan.command, orders)
                                         : launch_alone(plan.command, orders, plan.alone);
  if (!launch) return failure(launch.error());
  auto program = ChildProgram::start({launch->words, launch->variables, plan.keep_output});
  if (!program) return failure(program.error());
  Watch watch(plan);
  ReplayOutcome outcome;
  std::vector<RunReport> reports;
  while (!outcome.exit && !program->interrupted()) {
    reports = RunReport::read_all(plan.orders.reports);
    if (const RunReport* report = stopped(reports)) {
      auto handed = hand_over(plan, *program, *report);
      if (!handed) return failure(handed.error());
      outcome.exit = *handed;
      outcome.stopped = true;
      outcome.verdict.parts = {{report->process, report->event, report->why, report->text}};
      return outcome;
    }
    if (watch.is_over(reports)) break;
    outcome.exit = program->wait(step);
  }
  if (outcome.exit && !program->interrupted()) program->wait_for_rest(time_of_rest);
  judge(plan, *program, reports, outcome);
  program->end();
  return outcome;
}

}  // namespace lightcone::cli
