// An exploration meets every execution that differs, once: those that a search through all
// interleavings finds.
#include <lightcone/explore/search/exploration.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "interleavings.h"

namespace lightcone {
namespace {

using namespace interleavings;
using ChoiceKind = Guide::Choice::Kind;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t share = 8;
#else
constexpr std::uint64_t share = 1;
#endif

/// A small program whose processes do anything, depending on all they have seen.
[[nodiscard]] InterleavedProgram arbitrary_program(std::uint64_t seed) {
  QuickRandom shape(seed * 0x9e3779b97f4a7c15ULL);
  InterleavedProgram program;
  program.processes = 2 + shape.below(3);
  program.options.fifo = shape.below(2) == 0;
  program.options.empty_polls = shape.below(3);
  program.outside_sends = shape.below(4) == 0 ? 1 + shape.below(2) : 0;
  const std::uint32_t mailboxes = program.processes + shape.below(2);  // one may have two
  const std::uint32_t length = (program.processes == 2 ? 4 : 3) + shape.below(2);
  const std::uint32_t polls = shape.below(3), faults = shape.below(3), closing = shape.below(3);
  const bool dense = shape.below(2) == 0;
  program.behaviour = [=, processes = program.processes](std::uint32_t p, const History& history) {
    QuickRandom random(hash(seed, p, history));
    Behaviour now;
    const auto takes = std::ranges::count(history, ChoiceKind::branch, &Guide::Choice::kind);
    const auto moves = static_cast<std::uint32_t>(history.size() - std::size_t(takes));
    const bool decided = history.back().kind == ChoiceKind::branch;
    const std::uint32_t sends = random.below(dense ? 3 : 2);
    for (std::uint32_t i = 0; i < sends && moves <= length; ++i) {
      now.sends.push_back({random.below(mailboxes)});
      if (decided && faults == 1) now.sends.back().copies = random.below(3);
    }
    now.closes = p == 0 && closing == 0 && random.below(3) == 0;
    if (!decided && faults != 0 && random.below(5) == 0) {
      now.branch = 1 + random.below(3);
    } else if (moves < length && random.below(8) != 0) {
      const std::uint32_t own = p + processes < mailboxes && random.below(2) == 0 ? processes : 0;
      now.waiting = {Waiting::What::receives, p + own};
      if (random.below(4) < polls) now.waiting.what = Waiting::What::polls;
      if (random.below(10) == 0) now.waiting = {Waiting::What::ready, 0};
    }
    return now;
  };
  return program;
}

TEST(Exploration, MeetsEveryExecutionOnce) {
  EXPECT_GT(expect_each_execution_once(arbitrary_program, 1200 / share, 400 / share), 2000 / share);
}

/// Whatever execution comes first, the others are the same; and it is met once.
TEST(Exploration, BeginsWithAGivenExecution) {
  std::uint64_t programs = 0;
  for (std::uint64_t seed = 0; seed < 200 / share; ++seed) {
    const InterleavedProgram program = arbitrary_program(seed);
    if (AllInterleavings(program).states > AllInterleavings::most) continue;
    const auto text_of = [](const Guide& guide) { return text(guide); };
    const std::vector<Guide> guides = explored(program);
    std::set<std::string> all;
    for (const Guide& guide : guides) all.insert(text(guide));
    for (std::size_t i = 1; i < guides.size(); i += 1 + guides.size() / 5) {
      const std::vector<Guide> again = explored(program, guides[i]);
      EXPECT_EQ(text(again.front()), text(guides[i])) << "seed " << seed;
      EXPECT_TRUE(follows(again.front(), guides[i]));
      EXPECT_FALSE(follows(again.back(), guides[i]) && again.size() > 1);
      std::set<std::string> met;
      for (const Guide& guide : again) EXPECT_TRUE(met.insert(text_of(guide)).second);
      // A given execution may poll in vain more often than others do.
      EXPECT_TRUE(std::ranges::includes(met, all)) << "seed " << seed;
      std::set<std::string> preferred;
      for (const Guide& guide : explored_with_preferences(program, guides[i])) {
        EXPECT_TRUE(preferred.insert(text_of(guide)).second) << "seed " << seed;
      }
      EXPECT_TRUE(std::ranges::includes(preferred, all)) << "seed " << seed;
    }
    ++programs;
  }
  EXPECT_GT(programs, 40 / share);
}

/// Processes that send, each to its mailbox, and then end.
[[nodiscard]] InterleavedProgram senders(std::vector<std::uint32_t> mailboxes,
                                         std::vector<std::uint32_t> receives) {
  InterleavedProgram program;
  const auto readers = static_cast<std::uint32_t>(receives.size());
  program.processes = readers + static_cast<std::uint32_t>(mailboxes.size());
  program.behaviour = [=](std::uint32_t p, const History& history) {
    Behaviour now;
    if (p >= readers) now.sends.push_back({mailboxes[p - readers]});
    if (p < readers && history.size() <= receives[p]) now.waiting = {Waiting::What::receives, p};
    return now;
  };
  return program;
}

TEST(Exploration, CountsWhatCanBeCounted) {
  EXPECT_EQ(explored(senders({0, 0, 0, 0, 0, 0}, {6})).size(), 720);
  EXPECT_EQ(explored(senders({0, 0, 0, 0, 0}, {2})).size(), 20);
  EXPECT_EQ(explored(senders({0, 0, 0, 1, 1, 1, 1}, {3, 4})).size(), 6 * 24);
  EXPECT_EQ(explored(senders({0, 1, 2}, {1, 1, 1})).size(), 1);
  EXPECT_EQ(explored(senders({}, {1})).size(), 1);
  EXPECT_EQ(explored(senders({}, {})).size(), 1);
}

TEST(Exploration, EndsPollingLoops) {
  InterleavedProgram program;
  program.processes = 2;
  program.behaviour = [](std::uint32_t p, const History& history) {
    Behaviour now;
    if (p == 1) now.sends.push_back({0});
    if (p == 0 && history.back().kind != ChoiceKind::takes) now.waiting = {Waiting::What::polls, 0};
    return now;
  };
  for (std::uint32_t empty = 0; empty < 5; ++empty) {
    program.options.empty_polls = empty;
    EXPECT_EQ(explored(program).size(), empty + 1);
  }
}

/// Two polls, one after the other, need two empty polls in a row.
TEST(Exploration, SaysWhetherPollsWereLimited) {
  InterleavedProgram program;
  program.processes = 2;
  program.behaviour = [](std::uint32_t p, const History& history) {
    Behaviour now;
    if (p == 1) now.sends.push_back({0});
    if (p == 0 && history.size() <= 2) now.waiting = {Waiting::What::polls, 0};
    return now;
  };
  for (const std::uint32_t empty : {1, 2}) {
    program.options.empty_polls = empty;
    Exploration exploration(program.options);
    while (exploration.begin()) {
      run(program, exploration);
      exploration.end();
    }
    EXPECT_TRUE(exploration.complete());
    EXPECT_EQ(exploration.has_limited_polls(), empty < 2);
  }
}

[[nodiscard]] Exploration::Trouble trouble_of(const InterleavedProgram& program) {
  Exploration exploration(program.options);
  while (exploration.begin()) {
    run(program, exploration);
    exploration.end();
  }
  EXPECT_FALSE(exploration.complete());
  return exploration.trouble().value_or(Exploration::Trouble());
}

TEST(Exploration, SaysWhyItCannotGoOn) {
  using What = Exploration::Trouble::What;
  InterleavedProgram program = senders({0, 0}, {1, 1});
  const auto one_mailbox = [&, behaviour = program.behaviour](std::uint32_t p, const History& h) {
    Behaviour now = behaviour(p, h);
    now.waiting.mailbox = 0;
    return now;
  };
  program.behaviour = one_mailbox;
  const auto second = trouble_of(program);
  EXPECT_EQ(second.what, What::second_reader);
  EXPECT_EQ(second.process, 1);
  EXPECT_EQ(second.other, 0);

  program = senders({0, 0}, {1});
  program.behaviour = [behaviour = program.behaviour](std::uint32_t p, const History& history) {
    Behaviour now = behaviour(p, history);
    now.closes = p != 0;
    return now;
  };
  EXPECT_EQ(trouble_of(program).what, What::second_closing);

  program = senders({0, 0}, {2});
  program.behaviour = [behaviour = program.behaviour, calls = 0](std::uint32_t p,
                                                                 const History& history) mutable {
    Behaviour now = behaviour(p, history);
    if (p == 2 && ++calls > 1) now.sends.clear();
    return now;
  };
  const auto difference = trouble_of(program);
  EXPECT_EQ(difference.what, What::difference);
  EXPECT_EQ(difference.process, 2);
}

}  // namespace
}  // namespace lightcone
