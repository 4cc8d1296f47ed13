// Each run leaves a recording in the working folder, which the next run replaces.
#include <lightcone/explore/launched_program.h>

#include <fmt/format.h>
#include <lightcone/base/utf8.h>
#include <lightcone/trace/digest.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Why = ControlledEnd::Why;

/// What a launcher may take to notice that a process was killed.
constexpr milliseconds time_to_die{1000};
/// What a simulation that is ended may take to say what it found.
constexpr milliseconds time_to_report{3000};

/// What is shown of what a program prints: whole characters.
[[nodiscard]] std::string beginning_of(const std::string& printed) {
  constexpr std::size_t most_shown = 1000;
  std::string shown = printed.substr(0, most_shown);
  for (int i = 0; i < 4 && !is_utf8(shown); ++i) shown.pop_back();
  if (is_utf8(shown)) return shown;
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return shown;
}

/// A program that ends with a usage message never comes to use Lightcone.
[[nodiscard]] Error without_lightcone(const std::vector<std::string>& command,
                                      std::optional<int> status) {
  std::string what = fmt::format("no process of `{}` has used Lightcone", command.front());
  if (!status || *status == 0) return {what, {}, 0, "explore a program that links Lightcone"};
  what += fmt::format("; it ended with status {}", *status);
  return {what, {}, 0, "run it alone: it may say what is wrong with its arguments"};
}

/// Processes print in any order, so lines are compared without their order.
[[nodiscard]] ProgramOutcome outcome_of(int status, std::string_view printed) {
  std::vector<std::string_view> lines;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    lines.push_back(printed.substr(0, end));
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  std::ranges::sort(lines);
  ProgramOutcome outcome{status};
  std::string all;
  for (const std::string_view line : lines) all.append(line) += '\n';
  outcome.digest = digest_of(all);
  outcome.printed = beginning_of(all);
  return outcome;
}

}  // namespace

Expected<std::unique_ptr<LaunchedProgram>> LaunchedProgram::make(const LaunchPlan& plan,
                                                                 LaunchKnowledge& known,
                                                                 ProgramStarter& starter,
                                                                 std::string folder) {
  auto controller = ControlSocket::listen(folder + "/controller");
  if (!controller) return failure(controller.error());
  std::unique_ptr<LaunchedProgram> program(
      new LaunchedProgram(plan, known, starter, std::move(folder), std::move(*controller)));
  if (!plan.check) return program;
  auto checker = ControlSocket::listen(program->folder_ + "/checker");
  if (!checker) return failure(checker.error());
  program->checker_.emplace(std::move(*checker));
  return program;
}

RunOrders LaunchedProgram::orders(bool is_first) const {
  ExploreOrders orders;
  orders.controller = controller_.path();
  if (checker_) orders.checker = checker_->path();
  if (is_first) orders.first = plan_.first;
  orders.most_runs = plan_.most_runs;
  orders.empty_polls = plan_.empty_polls;
  orders.failures = plan_.out;
  orders.reports = folder_;
  orders.acknowledges = known_.acknowledges;
  orders.unbuffered = plan_.unbuffered;
  return {recording(), orders};
}

Expected<ProgramRun> LaunchedProgram::run(NamedExploration& exploration,
                                          const std::function<bool()>& is_over) {
  std::error_code ignored;
  fs::remove_all(recording(), ignored);
  fs::create_directories(recording(), ignored);
  Controller controller(exploration, controller_, plan_.patience);
  const RunOrders orders = this->orders(known_.is_first.exchange(false));
  if (auto started = starter_.start(orders); !started) return failure(started.error());
  const ControlledEnd end = control(controller, is_over);
  if (controller.has_met_someone()) known_.uses_lightcone = true;
  ProgramRun run = run_of(end);
  if (auto printed = starter_.printed(); printed && end.why == Why::ended && status_) {
    run.outcome = outcome_of(*status_, *printed);
  }
  run.left_out.assign(controller.left_out().begin(), controller.left_out().end());
  // A simulated program explores itself: it has run all its executions, and left a report on them.
  if ((run.report = ExplorationReport::read(folder_))) {
    if (auto described = describe(*run.report); !described) return failure(described.error());
    return run;
  }
  if (end.why == Why::needs_acknowledgements) known_.acknowledges = known_.is_first = true;
  if (end.why == Why::needs_acknowledgements && orders.explore()->acknowledges) {
    return failure("a process waits for acknowledgements that it gets", plan_.command.front());
  }
  if (!known_.uses_lightcone && end.why != Why::interrupted && end.why != Why::refused) {
    return failure(without_lightcone(plan_.command, status_));
  }
  if (end.why == Why::trouble) return failure(end.text);
  return run;
}

/// Runs the program to its end.
ControlledEnd LaunchedProgram::control(Controller& controller,
                                       const std::function<bool()>& is_over) {
  status_.reset();
  const auto is_running = [&] {
    answer_checks();
    if (!status_) status_ = starter_.wait(milliseconds(0));
    return !status_;
  };
  ControlledEnd end = controller.run(is_running, is_over);
  if (end.why == Why::deadlock && end.someone_is_gone) {
    // The others wait for one that was killed, perhaps: then the program ends by itself.
    if (!status_) status_ = starter_.wait(time_to_die);
    if (status_.value_or(0) != 0) end = {};
  }
  // All its processes have ended; so does the program, soon.
  const auto deadline = std::chrono::steady_clock::now() + plan_.patience;
  while (end.why == Why::ended && !status_) {
    status_ = starter_.wait(milliseconds(50));
    if (status_) break;
    if (is_over()) end = {Why::interrupted, "it was interrupted"};
    if (end.why == Why::ended && std::chrono::steady_clock::now() > deadline) {
      end = {Why::hangs, "all its processes ended, but the program did not"};
    }
  }
  starter_.end(end.why == Why::interrupted ? time_to_report : milliseconds(0));
  if (end.why != Why::interrupted && is_over()) end = {Why::interrupted, "it was interrupted"};
  return end;
}

/// Decides whether a run failed, as far as its end shows that.
ProgramRun LaunchedProgram::run_of(const ControlledEnd& end) const {
  using End = ProgramRun::End;
  switch (end.why) {
    case Why::deadlock:
    case Why::died: return {.end = End::failed, .text = end.text};
    case Why::hangs:
    case Why::refused: return {.end = End::unknown, .text = end.text, .cut_short = true};
    case Why::interrupted: return {.end = End::interrupted, .text = end.text};
    case Why::needs_acknowledgements: return {.end = End::starts_over, .text = end.text};
    case Why::trouble: return {.end = End::unknown, .text = end.text, .cut_short = true};
    case Why::ended: break;
  }
  const int status = status_.value_or(0);
  if (status > 128) {
    return {.end = End::failed, .text = fmt::format("died of signal {}", status - 128)};
  }
  if (status != 0) return {.end = End::failed, .text = fmt::format("exited with {}", status)};
  return {};
}

Expected<RunVerdict> LaunchedProgram::verdict() {
  if (!plan_.check) return RunVerdict();
  return plan_.check(recording());
}

/// What a simulation that goes through its executions wants to know of them.
void LaunchedProgram::answer_checks() {
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
    const auto verdict = plan_.check(checks->recording);
    if (!verdict && !check_error_) check_error_ = verdict.error();
    if (verdict && verdict->unknown) unknown_ = true;
    asker_->say(control::Checked{verdict ? verdict->why.value_or(std::string()) : std::string()});
  }
}

Expected<void> LaunchedProgram::keep(const NamedGuide&, const std::string& why,
                                     const std::string& directory) {
  std::error_code error;
  fs::remove_all(directory, error);
  if (!error) fs::create_directories(fs::path(directory).parent_path(), error);
  if (!error) fs::copy(recording(), directory, fs::copy_options::recursive, error);
  if (error) return failure("cannot be kept: " + error.message(), directory);
  return describe(why, directory);
}

Expected<void> LaunchedProgram::describe(const std::string& why,
                                         const std::string& directory) const {
  Recording recording{plan_.command, JournalKind::full, false, {}};
  recording.unbuffered = plan_.unbuffered;
  recording.failed = why;
  return plan_.describe(recording, directory);
}

/// What a simulation has found, and left as recordings.
Expected<void> LaunchedProgram::describe(ExplorationReport& report) {
  if (!report.error.empty()) return failure(report.error);
  if (check_error_) return failure(*check_error_);
  report.complete = report.complete && !unknown_;
  for (const FailedExecution& failed : report.failures) {
    const std::string directory = fmt::format("{}/{}", plan_.out, failed.execution);
    if (auto described = describe(failed.why, directory); !described) return described;
  }
  return {};
}

}  // namespace lightcone
