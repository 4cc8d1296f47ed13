// What processes say in a replay, and what it amounts to.
#include "replay_verdict.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace lightcone::cli {
namespace {

using Why = RunReport::Why;

[[nodiscard]] JournalSummary recorded(const std::string& process, bool ended) {
  JournalSummary journal;
  journal.process = process;
  journal.ended = ended;
  return journal;
}

[[nodiscard]] RunReport said(const std::string& process, Why why, std::int64_t pid = ::getpid()) {
  return {process, why, 5, "text", pid};
}

constexpr std::int64_t no_one = 1 << 30;  // no process has so large a number

TEST(ReplayVerdict, WaitingIsADivergenceUnlessTheRecordingEnds) {
  const std::vector<JournalSummary> both = {recorded("a", false), recorded("b", false)};
  const auto cut =
      ReplayVerdict::of(both, {said("a", Why::waits), said("b", Why::recording_ended)}, false);
  EXPECT_TRUE(cut.same && cut.is_cut_off);
  const auto stuck = ReplayVerdict::of(both, {said("a", Why::ended), said("b", Why::waits)}, false);
  EXPECT_FALSE(stuck.same || stuck.is_cut_off);
  EXPECT_EQ(stuck.parts[0].process, "b");
  const auto worse =
      ReplayVerdict::of(both, {said("a", Why::waits), said("b", Why::diverged)}, false);
  EXPECT_FALSE(worse.same);
  EXPECT_EQ(worse.parts[0].process, "b");
}

TEST(ReplayVerdict, WhoSaysNothingHasCrashedOrWasNotThere) {
  const auto verdict_of = [](bool ended, const std::vector<RunReport>& reports, bool over) {
    return ReplayVerdict::of({recorded("a", ended)}, reports, over);
  };
  EXPECT_FALSE(verdict_of(true, {}, true).same);
  EXPECT_FALSE(verdict_of(false, {}, true).same);
  EXPECT_FALSE(verdict_of(true, {said("a", Why::runs)}, true).same);
  EXPECT_TRUE(verdict_of(true, {said("a", Why::runs)}, false).same);
  EXPECT_FALSE(verdict_of(true, {said("a", Why::runs, no_one)}, false).same);
  EXPECT_TRUE(verdict_of(false, {said("a", Why::runs)}, true).is_cut_off);
  EXPECT_FALSE(verdict_of(true, {said("a", Why::ended), said("b", Why::diverged)}, true).same);
}

TEST(ReplayVerdict, StandingDependsOnAll) {
  const std::vector<JournalSummary> both = {recorded("a", true), recorded("b", true)};
  const auto standing = [&](Why a, Why b, std::int64_t pid = ::getpid()) {
    return standing_of(both, {said("a", a), said("b", b, pid)});
  };
  EXPECT_EQ(standing(Why::ended, Why::ended), Standing::no);
  EXPECT_EQ(standing(Why::waits, Why::runs), Standing::no);
  EXPECT_EQ(standing(Why::waits, Why::ended), Standing::waiting);
  EXPECT_EQ(standing(Why::waits, Why::runs, no_one), Standing::doubtful);
  EXPECT_EQ(standing(Why::diverged, Why::ended), Standing::surely);
  EXPECT_EQ(standing(Why::diverged, Why::waits), Standing::waiting);
  EXPECT_EQ(standing(Why::recording_ended, Why::runs), Standing::stuck);
  EXPECT_EQ(standing_of(both, {said("a", Why::waits)}), Standing::doubtful);
  EXPECT_EQ(standing_of(both, {}), Standing::no);
}

}  // namespace
}  // namespace lightcone::cli
