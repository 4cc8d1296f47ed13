// What processes say in a replay, and what it amounts to.
#include "run/replay_verdict.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace lightcone::cli {
namespace {

using Why = RunReport::Why;

[[nodiscard]] JournalSummary recorded(const std::string& process, bool ended,
                                      std::uint64_t events = 5) {
  JournalSummary journal;
  journal.process = process;
  journal.events = events;
  journal.ended = ended;
  return journal;
}

[[nodiscard]] RunReport said(const std::string& process, Why why, std::int64_t pid = ::getpid(),
                             std::uint64_t event = 5) {
  return {process, why, event, "text", pid};
}

constexpr std::int64_t no_one = 1 << 30;  // no process has so large a number
constexpr ReplayEnd stands = ReplayEnd::stands, over = ReplayEnd::ended,
                    interrupted = ReplayEnd::interrupted;

TEST(ReplayVerdict, WaitingIsADivergenceUnlessTheRecordingEnds) {
  const std::vector<JournalSummary> both = {recorded("a", false), recorded("b", false, 6)};
  const auto cut =
      ReplayVerdict::of(both, {said("a", Why::waits), said("b", Why::recording_ended)}, stands);
  EXPECT_TRUE(cut.same && cut.is_cut_off);
  const auto stuck =
      ReplayVerdict::of(both, {said("a", Why::ended), said("b", Why::waits)}, stands);
  EXPECT_FALSE(stuck.same);
  EXPECT_EQ(stuck.parts[0].process, "b");
  const auto worse =
      ReplayVerdict::of(both, {said("a", Why::waits), said("b", Why::diverged)}, stands);
  EXPECT_FALSE(worse.same);
  EXPECT_EQ(worse.parts[0].process, "b");
}

// Each has made all events that were recorded of it, and waits: as far as it is known, as then.
TEST(ReplayVerdict, WaitingWhereTheRecordingEndsIsTheSame) {
  const std::vector<RunReport> all_wait = {said("a", Why::waits), said("b", Why::waits)};
  const auto verdict_of = [&](bool ended, std::uint64_t events) {
    return ReplayVerdict::of({recorded("a", ended, events), recorded("b", true, 7)}, all_wait,
                             stands);
  };
  EXPECT_TRUE(verdict_of(false, 5).same);
  EXPECT_TRUE(verdict_of(false, 5).is_cut_off);
  EXPECT_FALSE(verdict_of(false, 6).same);
  EXPECT_FALSE(verdict_of(true, 5).same);
}

TEST(ReplayVerdict, WhoSaysNothingHasCrashedOrWasNotThere) {
  const auto verdict_of = [](bool ended, const std::vector<RunReport>& reports, ReplayEnd end) {
    return ReplayVerdict::of({recorded("a", ended)}, reports, end);
  };
  EXPECT_FALSE(verdict_of(true, {}, over).same);
  EXPECT_FALSE(verdict_of(false, {}, over).same);
  EXPECT_FALSE(verdict_of(true, {said("a", Why::runs)}, over).same);
  EXPECT_TRUE(verdict_of(true, {said("a", Why::runs)}, stands).same);
  EXPECT_FALSE(verdict_of(true, {said("a", Why::runs, no_one)}, stands).same);
  EXPECT_TRUE(verdict_of(false, {said("a", Why::runs)}, over).is_cut_off);
  EXPECT_FALSE(verdict_of(true, {said("a", Why::ended), said("b", Why::diverged)}, over).same);
}

TEST(ReplayVerdict, AnEarlyDeathIsADivergence) {
  const auto alone = [](std::uint64_t recorded_events, Why why = Why::runs) {
    return ReplayVerdict::of({recorded("a", false, recorded_events)}, {said("a", why)}, over);
  };
  EXPECT_TRUE(alone(5).same);
  EXPECT_FALSE(alone(6).same);
  EXPECT_EQ(alone(6).parts[0].why, Why::diverged);
  EXPECT_EQ(alone(6).parts[0].text, "recorded: at least 6 events; came: it died after event 5");
  EXPECT_TRUE(alone(6, Why::stopped).told_to_end);
  EXPECT_TRUE(alone(5, Why::stopped).same);
}

TEST(ReplayVerdict, WhoDiesTakesOthersAlong) {
  const std::vector<JournalSummary> both = {recorded("a", false, 9), recorded("b", false, 5)};
  const auto with = [&](const RunReport& b) {
    return ReplayVerdict::of(both, {said("a", Why::runs), b}, over);
  };
  EXPECT_TRUE(with(said("b", Why::breaks_off)).same);
  EXPECT_FALSE(with(said("b", Why::ended)).same);
  const auto unknown = with(said("b", Why::runs));  // it may have died first, as it did
  EXPECT_FALSE(unknown.same || unknown.is_known);
  const auto early = with(said("b", Why::runs, ::getpid(), 4));
  EXPECT_TRUE(!early.same && early.is_known);
  const auto told = with(said("b", Why::stopped, ::getpid(), 4));
  EXPECT_TRUE(!told.same && told.is_known && !told.told_to_end);
  EXPECT_EQ(told.parts[0].process, "a");
}

TEST(ReplayVerdict, AfterAnInterruptionOnlyDifferencesCount) {
  const std::vector<JournalSummary> both = {recorded("a", true, 9), recorded("b", true, 9)};
  const auto with = [&](Why why) {
    return ReplayVerdict::of(both, {said("a", why, no_one)}, interrupted);
  };
  for (const Why why : {Why::runs, Why::waits, Why::ended, Why::stopped}) {
    EXPECT_FALSE(with(why).same || with(why).is_known);
  }
  EXPECT_TRUE(with(Why::diverged).is_known);
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
  EXPECT_EQ(standing(Why::breaks_off, Why::runs), Standing::no);
  EXPECT_EQ(standing(Why::breaks_off, Why::stopped), Standing::doubtful);
  EXPECT_EQ(standing(Why::ended, Why::runs, no_one), Standing::doubtful);
  EXPECT_EQ(standing_of(both, {said("a", Why::waits)}), Standing::doubtful);
  EXPECT_EQ(standing_of(both, {}), Standing::no);
}

}  // namespace
}  // namespace lightcone::cli
