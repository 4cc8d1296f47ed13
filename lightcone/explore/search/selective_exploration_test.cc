// Receives that choose by sender, context and tag: an exploration meets what a search through all
// interleavings finds, each execution once.
#include <lightcone/explore/search/exploration.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "interleavings.h"

namespace lightcone {
namespace {

using namespace interleavings;
using ChoiceKind = Guide::Choice::Kind;
using What = Waiting::What;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t share = 8;
#else
constexpr std::uint64_t share = 1;
#endif

[[nodiscard]] std::vector<MessagePattern> arbitrary_patterns(QuickRandom& random,
                                                             std::uint32_t processes) {
  std::vector<MessagePattern> patterns;
  for (std::uint32_t i = 0; i < 3 && (i == 0 || random.below(3) == 0); ++i) {
    MessagePattern pattern;
    if (random.below(2) == 0) pattern.sender = random.below(processes);
    if (random.below(9) == 0) pattern.sender = outside;
    pattern.context = random.below(4) == 0 ? 1 : 0;
    if (random.below(2) == 0) pattern.tag = random.below(2);
    if (random.below(3) == 0) pattern.skip = 1 + random.below(2);
    patterns.push_back(pattern);
  }
  if (random.below(4) == 0) patterns.push_back(patterns.front());  // the same set
  if (random.below(2) == 0) std::ranges::reverse(patterns);
  return patterns;
}

/// A small program whose processes choose what they take; some of them take anything.
[[nodiscard]] InterleavedProgram arbitrary_program(std::uint64_t seed) {
  QuickRandom shape(seed * 0x9e3779b97f4a7c15ULL + 1);
  InterleavedProgram program;
  program.processes = 2 + shape.below(3);
  program.options.fifo = shape.below(2) == 0;
  program.options.empty_polls = shape.below(3);
  program.outside_sends = shape.below(4) == 0 ? 1 + shape.below(2) : 0;
  const std::uint32_t length = (program.processes == 2 ? 4 : 3) + shape.below(2);
  const std::uint32_t polls = shape.below(3), faults = shape.below(3), closing = shape.below(3);
  program.behaviour = [=, processes = program.processes](std::uint32_t p, const History& history) {
    QuickRandom random(hash(seed, p, history));
    Behaviour now;
    const bool decided = history.back().kind == ChoiceKind::branch;
    const auto sends = history.size() <= length ? random.below(4) : 0;
    for (std::uint32_t i = 0; i < sends; ++i) {
      now.sends.push_back({random.below(processes)});
      now.sends.back().kind = {random.below(4) == 0 ? 1U : 0U, random.below(2)};
      if (decided && faults == 1) now.sends.back().copies = random.below(3);
    }
    now.closes = p == 0 && closing == 0 && random.below(3) == 0;
    if (!decided && faults != 0 && random.below(6) == 0) {
      now.branch = 1 + random.below(2);
    } else if (history.size() < length && random.below(9) != 0) {
      now.waiting = {random.below(4) < polls ? What::polls : What::receives, p};
      if (random.below(5) != 0) now.patterns = arbitrary_patterns(random, processes);
    }
    return now;
  };
  return program;
}

TEST(SelectiveExploration, MeetsEveryExecutionOnce) {
  EXPECT_GT(expect_each_execution_once(arbitrary_program, 800 / share, 400 / share), 1600 / share);
}

/// Whatever execution comes first, the others are the same.
TEST(SelectiveExploration, BeginsWithAGivenExecution) {
  for (std::uint64_t seed = 0; seed < 200 / share; ++seed) {
    InterleavedProgram program = arbitrary_program(seed);
    program.options.empty_polls = 1;
    if (AllInterleavings(program).states > AllInterleavings::most) continue;
    const std::vector<Guide> guides = explored(program);
    std::set<std::string> all, met;
    for (const Guide& guide : guides) all.insert(text(guide));
    const std::vector<Guide> again = explored(program, guides.back());
    EXPECT_EQ(again.front(), guides.back()) << "seed " << seed;
    for (const Guide& guide : again) EXPECT_TRUE(met.insert(text(guide)).second);
    EXPECT_TRUE(std::ranges::includes(met, all)) << "seed " << seed;
  }
}

/// Process 0 receives as the patterns say, one after the other; each other one sends one message
/// of its kind.
[[nodiscard]] std::size_t executions(const std::vector<std::vector<MessagePattern>>& receives,
                                     const std::vector<std::vector<MessageKind>>& senders) {
  InterleavedProgram program;
  program.processes = 1 + static_cast<std::uint32_t>(senders.size());
  program.behaviour = [&](std::uint32_t p, const History& history) {
    Behaviour now;
    if (p != 0) {
      for (const MessageKind& kind : senders[p - 1]) now.sends.push_back({0, 1, kind});
    } else if (history.size() <= receives.size()) {
      now.waiting = {What::receives, 0};
      now.patterns = receives[history.size() - 1];
    }
    return now;
  };
  return explored(program).size();
}

TEST(SelectiveExploration, CountsWhatCanBeCounted) {
  const MessagePattern wildcard;
  const std::vector<MessageKind> one = {{0, 5}};
  EXPECT_EQ(executions(std::vector(5, std::vector{wildcard}), std::vector(5, one)), 120);
  EXPECT_EQ(executions({{{.sender = 2}}, {{.sender = 1}}, {{.sender = 3}}}, {one, one, one}), 1);
  // Only those senders whose tag, and context, it is.
  EXPECT_EQ(executions({{{.tag = 5}}}, {one, one, {{0, 6}}, {{0, 7}}}), 2);
  EXPECT_EQ(executions({{{.context = 1, .tag = 5}}}, {one, {{1, 5}}, {{1, 5}}, {{1, 5}}}), 3);
  // Messages of one sender come in their order, if they are of one kind.
  EXPECT_EQ(executions({{wildcard}, {wildcard}}, {{{0, 5}, {0, 6}}}), 1);
  EXPECT_EQ(executions({{wildcard}, {wildcard}}, {{{0, 5}, {0, 6}}, one}), 3);
  EXPECT_EQ(executions({{{.tag = 6}}, {{.tag = 5}}}, {{{0, 5}, {0, 6}}}), 1);
  // One of several receives, as in MPI_Waitany.
  EXPECT_EQ(executions({{{.sender = 1}, {.sender = 3}}}, {one, one, one}), 2);
  EXPECT_EQ(executions({{{.sender = 1, .tag = 5}, {.sender = 1, .tag = 6}}}, {{{0, 5}, {0, 6}}}),
            2);
  // The first is kept for a receive that was there before.
  EXPECT_EQ(executions({{{.sender = 1, .skip = 1}}, {{.sender = 1}}}, {{{0, 5}, {0, 5}}}), 1);
  EXPECT_EQ(executions({{{.sender = 1}, {.sender = 1, .skip = 1}}, {wildcard}}, {{{0, 5}, {0, 5}}}),
            2);
}

TEST(SelectiveExploration, EqualSetsHaveEqualNumbers) {
  Exploration exploration;
  const MessagePattern a{.sender = 1}, b{.context = 2, .tag = 3};
  const std::uint32_t both = exploration.filter({a, b});
  EXPECT_NE(both, 0U);
  EXPECT_EQ(exploration.filter({b, a, b}), both);
  EXPECT_NE(exploration.filter({a}), both);
  EXPECT_NE(exploration.filter({a}), exploration.filter({{.sender = 1, .skip = 1}}));
  EXPECT_NE(exploration.filter({}), 0U);
  EXPECT_EQ(exploration.filter({b, a}), both);
}

/// What is not accepted is as if it were not there, but a difference in it is a difference.
TEST(SelectiveExploration, NoticesOtherKinds) {
  InterleavedProgram program;
  program.processes = 3;
  program.behaviour = [runs = 0U](std::uint32_t p, const History& history) mutable {
    Behaviour now;
    if (p == 2) ++runs;
    if (p != 0) now.sends.push_back({0, 1, {0, p == 2 && runs > 1 ? 1U : 0U}});
    if (p == 0 && history.size() < 3) now.waiting = {What::receives, 0};
    return now;
  };
  Exploration exploration;
  while (exploration.begin()) {
    run(program, exploration);
    exploration.end();
  }
  ASSERT_TRUE(exploration.trouble());
  EXPECT_EQ(exploration.trouble()->what, Exploration::Trouble::What::difference);
  EXPECT_EQ(exploration.trouble()->process, 2U);
}

}  // namespace
}  // namespace lightcone
