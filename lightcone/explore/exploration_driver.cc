// Programs take parts of the exploration from one list. One that begins an execution gives a part
// away as long as others have none.
#include <lightcone/explore/exploration_driver.h>

#include <lightcone/explore/shrinking.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>
#include <thread>

namespace lightcone {
namespace {

using RunEnd = ProgramRun::End;

}  // namespace

Expected<ExplorationDriver::JudgedRun> ExplorationDriver::run_once(
    ExplorableProgram& program, NamedExploration& exploration,
    const std::function<bool()>& is_over) {
  auto run = program.run(
      exploration, is_over ? is_over : [] { return false; });
  if (!run) return failure(run.error());
  JudgedRun judged{std::move(*run)};
  if (!judged.counts()) return judged;
  exploration.exploration().end(judged.run.cut_short);
  if (exploration.exploration().trouble()) {
    return failure(exploration.trouble(), {}, 0, "explore a program without that");
  }
  if (judged.run.end == RunEnd::failed) {
    judged.verdict.why = judged.run.text;
  } else if (judged.run.end == RunEnd::unknown) {
    judged.verdict.unknown = true;
  } else {
    auto verdict = program.verdict();
    if (!verdict) return failure(verdict.error());
    judged.verdict = std::move(*verdict);
  }
  return judged;
}

Expected<ShrunkFailure> ExplorationDriver::shrink(ExplorableProgram& program,
                                                  const NamedGuide& guide,
                                                  const ExplorationOptions& options,
                                                  std::uint64_t most_runs,
                                                  const std::function<bool()>& is_over) {
  const auto run_by = [&](const NamedGuide& tried) -> Expected<std::optional<FailedExecution>> {
    if (is_over && is_over()) return std::nullopt;
    NamedExploration exploration(options, tried);
    static_cast<void>(exploration.exploration().begin());
    const auto judged = run_once(program, exploration, is_over);
    if (!judged) return failure(judged.error());
    if (!judged->verdict.why) return std::nullopt;
    return FailedExecution{0, *judged->verdict.why, exploration.guide()};
  };
  auto shrunk = shrink_guide(guide, run_by, most_runs);
  if (!shrunk) return shrunk;
  auto best = run_by(shrunk->failure.guide);
  if (!best) return failure(best.error());
  // It may not fail again, if what it does does not depend on its answers alone.
  if (!*best || (*best)->why != shrunk->failure.why) return failure("it does not fail again");
  shrunk->failure = std::move(**best);
  return shrunk;
}

void ExplorationDriver::stop(std::optional<Error> error) {
  const std::lock_guard lock(mutex_);
  if (error && !error_) error_ = std::move(error);
  stops_ = true;
  news_.notify_all();
}

bool ExplorationDriver::is_over() { return stops_ || (options_.is_over && options_.is_over()); }

/// With one program there is no other thread.
void ExplorationDriver::for_each_program(const std::function<void(ExplorableProgram&)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < programs_.size(); ++i) {
    threads.emplace_back([&, i] { work(*programs_[i]); });
  }
  work(*programs_.front());
}

std::optional<NamedExploration> ExplorationDriver::next_part() {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [&] { return stops_ || !parts_.empty() || busy_ == 0; });
  if (stops_ || parts_.empty()) return std::nullopt;
  NamedExploration part = std::move(parts_.back());
  parts_.pop_back();
  ++busy_;
  return part;
}

void ExplorationDriver::leave_part(const NamedExploration& part) {
  const std::lock_guard lock(mutex_);
  if (!part.exploration().complete()) found_.incomplete = true;
  if (part.exploration().has_limited_polls()) found_.limited_polls = true;
  --busy_;
  news_.notify_all();
}

bool ExplorationDriver::begin(NamedExploration& part) {
  const std::lock_guard lock(mutex_);
  if (stops_ || found_.begun == options_.most_runs) return false;
  if (!part.exploration().begin()) return false;
  ++found_.begun;
  return true;
}

void ExplorationDriver::share(NamedExploration& part) {
  if (programs_.size() == 1) return;
  const std::lock_guard lock(mutex_);
  while (parts_.size() + busy_ < programs_.size()) {
    auto rest = part.split();
    if (!rest) return;
    parts_.push_back(std::move(*rest));
    news_.notify_one();
  }
}

void ExplorationDriver::work(ExplorableProgram& program) {
  while (auto part = next_part()) {
    bool goes_on = true;
    while (goes_on && begin(*part)) {
      share(*part);
      auto done = explore_one(program, *part);
      if (!done) stop(std::move(done.error()));
      goes_on = done && *done;
    }
    leave_part(*part);
  }
}

Expected<bool> ExplorationDriver::explore_one(ExplorableProgram& program, NamedExploration& part) {
  auto judged = run_once(program, part, [this] { return is_over(); });
  if (!judged) return failure(judged.error());
  const ProgramRun& run = judged->run;
  if (!judged->counts()) {
    note_last(std::move(judged->run));
    return false;
  }
  {
    const std::lock_guard lock(mutex_);
    ++found_.ended;
    found_.ended_of[part.place()] = part.exploration().executions();
    if (judged->verdict.unknown) found_.incomplete = true;
    found_.left_out.insert(run.left_out.begin(), run.left_out.end());
    if (run.outcome) ++found_.outcomes[*run.outcome];
    if (run.end == RunEnd::unknown) found_.left_out.insert(run.text);
    if (options_.progress) options_.progress("exploring executions", found_.ended, 0);
  }
  if (judged->verdict.why) {
    if (auto kept = keep(program, part, *judged->verdict.why); !kept) return failure(kept.error());
  }
  if (!options_.is_over || !options_.is_over()) return true;
  note_last({.end = RunEnd::interrupted});
  return false;
}

/// After this run no other begins. Those that are under way are interrupted.
void ExplorationDriver::note_last(ProgramRun run) {
  const std::lock_guard lock(mutex_);
  if (run.end == RunEnd::starts_over) starts_over_ = true;
  if (run.end == RunEnd::interrupted && !stops_) interrupted_ = true;
  if (run.report) own_report_ = std::move(run.report);
  stops_ = true;
  news_.notify_all();
}

/// The first ones are kept, in the order of an exploration that is not split.
Expected<void> ExplorationDriver::keep(ExplorableProgram& program, const NamedExploration& part,
                                       const std::string& why) {
  const ExecutionPlace place{part.place(), part.exploration().executions()};
  const auto is_late = [&] {
    return found_.failures.size() >= options_.most_failures &&
           found_.failures.rbegin()->first < place;
  };
  std::string directory;
  {
    const std::lock_guard lock(mutex_);
    ++found_.failed;
    if (is_late()) return {};
    directory = new_directory();
  }
  KeptFailure kept{{0, why, part.guide()}, directory};
  if (!directory.empty()) {
    if (auto done = program.keep(kept.failure.guide, why, directory); !done) return done;
  }
  const std::lock_guard lock(mutex_);
  found_.failures.emplace(place, std::move(kept));
  if (found_.failures.size() <= options_.most_failures) return {};
  remove(found_.failures.rbegin()->second);
  found_.failures.erase(std::prev(found_.failures.end()));
  return {};
}

std::string ExplorationDriver::new_directory() {
  if (options_.out.empty()) return {};
  return fmt::format("{}/{}/{}", options_.out, unnumbered_recordings, ++directories_);
}

void ExplorationDriver::remove(const KeptFailure& kept) const {
  std::error_code ignored;
  if (!kept.directory.empty()) std::filesystem::remove_all(kept.directory, ignored);
}

void ExplorationDriver::explore_all() {
  parts_.clear();
  parts_.emplace_back(options_.exploration, options_.first);
  for_each_program([this](ExplorableProgram& program) { work(program); });
  if (!parts_.empty()) found_.incomplete = true;
}

void ExplorationDriver::make_simple(ExplorableProgram& program, KeptFailure& kept) {
  FailedExecution& failed = kept.failure;
  auto shrunk = shrink(program, failed.guide, options_.exploration, options_.most_shrinking_runs,
                       [this] { return is_over(); });
  if (!shrunk || shrunk->failure.why != failed.why) return;
  if (!kept.directory.empty() && !program.keep(shrunk->failure.guide, failed.why, kept.directory)) {
    return;
  }
  failed.guide = std::move(shrunk->failure.guide);
  failed.flips = shrunk->count;
}

/// The first failure of each kind.
void ExplorationDriver::make_simple() {
  if (options_.most_shrinking_runs == 0) return;
  std::set<std::string> kinds;
  std::vector<KeptFailure*> left;
  for (auto& [place, kept] : found_.failures) {
    if (kinds.insert(kept.failure.why).second) left.push_back(&kept);
  }
  for_each_program([&](ExplorableProgram& program) {
    for (;;) {
      KeptFailure* kept = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (left.empty()) return;
        kept = left.back();
        left.pop_back();
      }
      make_simple(program, *kept);
    }
  });
}

/// Executions get their numbers, and recordings their names.
Expected<ExplorationReport> ExplorationDriver::report() {
  ExplorationReport report;
  report.executions = found_.ended;
  report.failed = found_.failed;
  report.interrupted = interrupted_;
  report.not_explored.assign(found_.left_out.begin(), found_.left_out.end());
  report.complete = !found_.incomplete && !interrupted_ && found_.left_out.empty();
  report.limited_polls = found_.limited_polls;
  for (const auto& [outcome, executions] : found_.outcomes) {
    report.outcomes.push_back(outcome);
    report.outcomes.back().executions = executions;
  }
  std::ranges::stable_sort(report.outcomes, std::greater(), &ProgramOutcome::executions);
  std::map<NamedExploration::PartPlace, std::uint64_t> before;
  std::uint64_t sum = 0;
  for (const auto& [place, executions] : found_.ended_of) {
    before[place] = sum;
    sum += executions;
  }
  for (auto& [place, kept] : found_.failures) {
    FailedExecution& failed = report.failures.emplace_back(std::move(kept.failure));
    failed.execution = before[place.first] + place.second;
    if (kept.directory.empty()) continue;
    const std::string to = fmt::format("{}/{}", options_.out, failed.execution);
    std::error_code error;
    std::filesystem::rename(kept.directory, to, error);
    if (error) return failure("cannot be kept: " + error.message(), to);
  }
  return report;
}

Expected<ExplorationReport> ExplorationDriver::run() {
  auto report = explore_and_report();
  std::error_code ignored;
  if (!options_.out.empty()) {
    std::filesystem::remove_all(options_.out + '/' + unnumbered_recordings, ignored);
  }
  return report;
}

Expected<ExplorationReport> ExplorationDriver::explore_and_report() {
  for (;;) {
    explore_all();
    if (error_ || !starts_over_) break;
    for (const auto& [place, kept] : found_.failures) remove(kept);
    found_ = {};
    starts_over_ = stops_ = false;
  }
  if (error_) return failure(*error_);
  if (own_report_) {
    own_report_->interrupted = interrupted_;
    if (interrupted_) own_report_->complete = false;
    return std::move(*own_report_);
  }
  stops_ = false;
  make_simple();
  return report();
}

}  // namespace lightcone
