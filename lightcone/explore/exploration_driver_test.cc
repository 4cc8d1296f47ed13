// However many programs explore at a time, the report is the same, and each execution is run once.
#include <lightcone/explore/exploration_driver.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "interleavings.h"
#include "temporary_folder.h"

namespace lightcone {
namespace {

using interleavings::Behaviour;
using interleavings::InterleavedProgram;

/// Senders to one receiver, which tells their orders apart.
[[nodiscard]] InterleavedProgram many_to_one(std::uint32_t senders) {
  InterleavedProgram program;
  program.processes = senders + 1;
  program.behaviour = [senders](std::uint32_t p, const interleavings::History& history) {
    Behaviour now;
    if (p != 0) now.sends.push_back({0});
    if (p == 0 && history.size() <= senders) now.waiting = {Waiting::What::receives, 0};
    return now;
  };
  return program;
}

/// What several of them have seen together.
struct SeenByAll {
  std::mutex mutex;
  std::multiset<std::string> executions;
  std::set<std::thread::id> threads;
};

/// Runs a model program. Some executions fail, in three ways.
class ModelProgram : public ExplorableProgram {
 public:
  ModelProgram(const InterleavedProgram& program, SeenByAll& seen)
      : program_(program), seen_(seen) {}

  Expected<ProgramRun> run(NamedExploration& guide, const std::function<bool()>&) override {
    for (std::uint32_t p = 0; p < program_.processes; ++p) {
      static_cast<void>(guide.names().process("p" + std::to_string(p)));
    }
    interleavings::run(program_, guide.exploration());
    last_ = interleavings::text(guide.exploration().guide());
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const std::lock_guard lock(seen_.mutex);
    seen_.executions.insert(last_);
    seen_.threads.insert(std::this_thread::get_id());
    const std::size_t kind = std::hash<std::string>()(last_) % 20;
    if (kind > 2) return ProgramRun();
    return ProgramRun{.end = ProgramRun::End::failed, .text = "failure " + std::to_string(kind)};
  }
  Expected<RunVerdict> verdict() override { return RunVerdict(); }
  Expected<void> keep(const NamedGuide& guide, const std::string& why,
                      const std::string& directory) override {
    std::filesystem::create_directories(directory);
    std::ofstream(directory + "/why") << why << '\n' << interleavings::text(guide.guide) << '\n';
    return {};
  }

 protected:
  const InterleavedProgram& program_;
  SeenByAll& seen_;
  std::string last_;
};

[[nodiscard]] std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All that a report says, and what the recordings hold.
[[nodiscard]] std::string text_of(const ExplorationReport& report, const std::string& out) {
  std::string text = std::to_string(report.executions) + ' ' + std::to_string(report.failed) +
                     (report.complete ? " complete\n" : "\n");
  for (const std::string& what : report.not_explored) text += what + '\n';
  for (const FailedExecution& failed : report.failures) {
    text += std::to_string(failed.execution) + ' ' + failed.why + ' ' +
            interleavings::text(failed.guide.guide);
    text += failed.flips ? ' ' + std::to_string(*failed.flips) + '\n' : "\n";
    text += content_of(out + '/' + std::to_string(failed.execution) + "/why");
  }
  std::size_t directories = 0;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    if (entry.is_directory()) ++directories;
  }
  EXPECT_EQ(directories, report.failures.size()) << "only those that are reported";
  return text;
}

class DrivenPrograms : public testing::Test {
 protected:
  template <class Model = ModelProgram>
  [[nodiscard]] Expected<ExplorationReport> explore(const InterleavedProgram& program,
                                                    std::size_t jobs, DriverOptions options = {}) {
    std::vector<std::unique_ptr<Model>> models;
    std::vector<ExplorableProgram*> programs;
    for (std::size_t i = 0; i < jobs; ++i) {
      models.push_back(std::make_unique<Model>(program, seen));
      programs.push_back(models.back().get());
    }
    return ExplorationDriver(std::move(options), std::move(programs)).run();
  }
  SeenByAll seen;
};

TEST_F(DrivenPrograms, TellTheSameHoweverManyRunAtATime) {
  const InterleavedProgram program = many_to_one(6);
  std::string expected;
  for (const std::size_t jobs : {1U, 2U, 3U, 8U}) {
    const TemporaryFolder out;
    const auto report = explore(program, jobs, {.most_failures = 20, .out = out.path()});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->executions, 720U);
    EXPECT_TRUE(report->complete);
    EXPECT_EQ(report->failures.size(), 20U);
    EXPECT_EQ(seen.executions.size(), 720U);
    EXPECT_EQ(std::set(seen.executions.begin(), seen.executions.end()).size(), 720U);
    EXPECT_EQ(seen.threads.size(), jobs) << "all of them have something to do";
    if (jobs == 1) expected = text_of(*report, out.path());
    EXPECT_EQ(text_of(*report, out.path()), expected) << jobs << " at a time";
    seen.executions.clear();
    seen.threads.clear();
  }
}

TEST_F(DrivenPrograms, MakeTheFirstFailureOfEachKindSimple) {
  const InterleavedProgram program = many_to_one(4);
  std::string expected;
  for (const std::size_t jobs : {1U, 3U}) {
    const TemporaryFolder out;
    const auto report = explore(program, jobs, {.most_shrinking_runs = 100, .out = out.path()});
    ASSERT_TRUE(report);
    std::set<std::string> kinds;
    for (const FailedExecution& failed : report->failures) {
      EXPECT_EQ(failed.flips.has_value(), kinds.insert(failed.why).second) << failed.why;
    }
    EXPECT_FALSE(kinds.empty());
    if (jobs == 1) expected = text_of(*report, out.path());
    EXPECT_EQ(text_of(*report, out.path()), expected);
  }
}

TEST_F(DrivenPrograms, StopAfterSoManyRunsOrWhenTheyAreToldTo) {
  const InterleavedProgram program = many_to_one(5);
  for (const std::size_t jobs : {1U, 4U}) {
    const auto some = explore(program, jobs, {.most_runs = 50});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->executions, 50U);
    EXPECT_FALSE(some->complete);
    EXPECT_FALSE(some->interrupted);
    std::atomic<int> asked = 0;
    const auto ended = explore(program, jobs, {.is_over = [&] { return ++asked > 30; }});
    ASSERT_TRUE(ended);
    EXPECT_TRUE(ended->interrupted);
    EXPECT_FALSE(ended->complete);
    EXPECT_GT(ended->executions, 0U);
    EXPECT_LT(ended->executions, 120U);
  }
}

/// Needs another way of running, which it finds out late.
class StartsOver final : public ModelProgram {
 public:
  using ModelProgram::ModelProgram;
  Expected<ProgramRun> run(NamedExploration& guide, const std::function<bool()>& is_over) override {
    auto run = ModelProgram::run(guide, is_over);
    const std::lock_guard lock(seen_.mutex);
    if (seen_.executions.size() == 40) {
      return ProgramRun{.end = ProgramRun::End::starts_over};
    }
    if (run) run->outcome.emplace();
    return run;
  }
};

TEST_F(DrivenPrograms, ForgetWhatTheyFoundIfTheyStartOver) {
  const InterleavedProgram program = many_to_one(5);
  const TemporaryFolder out;
  const auto report = explore<StartsOver>(program, 3, {.out = out.path()});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->executions, 120U);
  EXPECT_TRUE(report->complete);
  EXPECT_NE(text_of(*report, out.path()), "");
  std::uint64_t with_outcome = 0;
  for (const ProgramOutcome& outcome : report->outcomes) with_outcome += outcome.executions;
  EXPECT_EQ(with_outcome, 120U);
}

/// Cannot be run after a while.
class Breaks final : public ModelProgram {
 public:
  using ModelProgram::ModelProgram;
  Expected<ProgramRun> run(NamedExploration& guide, const std::function<bool()>& is_over) override {
    if (seen_.executions.size() > 20) return failure("it cannot be run");
    return ModelProgram::run(guide, is_over);
  }
};

TEST_F(DrivenPrograms, EndWithTheFirstError) {
  const TemporaryFolder out;
  const auto report = explore<Breaks>(many_to_one(5), 1, {.out = out.path()});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().what, "it cannot be run");
  EXPECT_TRUE(std::filesystem::is_empty(out.path())) << "no recording is left without a number";
}

/// Hangs in some executions.
class Hangs final : public ModelProgram {
 public:
  using ModelProgram::ModelProgram;
  Expected<ProgramRun> run(NamedExploration& guide, const std::function<bool()>& is_over) override {
    static_cast<void>(ModelProgram::run(guide, is_over));
    if (std::hash<std::string>()(last_) % 9 != 0) return ProgramRun{.left_out = {"locks"}};
    return ProgramRun{.end = ProgramRun::End::unknown, .text = "it hangs", .cut_short = true};
  }
};

TEST_F(DrivenPrograms, SayWhatWasNotExplored) {
  const auto report = explore<Hangs>(many_to_one(4), 2);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->complete);
  EXPECT_EQ(report->not_explored, (std::vector<std::string>{"it hangs", "locks"}));
  EXPECT_EQ(report->failed, 0U);
}

}  // namespace
}  // namespace lightcone
