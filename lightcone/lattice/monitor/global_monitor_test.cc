// Monitors of global predicates: no earlier answer is possible, memory is given back, and what
// cannot be is refused.
#include <lightcone/lattice/monitor/global_monitor.h>

#include <gtest/gtest.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/monitor/definitely_monitor.h>
#include <lightcone/lattice/monitor/possibly_monitor.h>
#include <lightcone/lattice/monitor/properly_monitor.h>
#include <lightcone/lattice/order/level.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>

namespace lightcone {
namespace {

/// One of two processes: how many events of the other each event knows, and whether the predicate
/// holds in each state, bit by bit from the initial one on.
struct Chain {
  std::vector<Rank> known;
  unsigned truth = 0;

  [[nodiscard]] Rank length() const { return static_cast<Rank>(known.size()); }
  [[nodiscard]] Rank known_at(Rank k) const { return k == 0 ? 0 : known[k - 1]; }
  [[nodiscard]] bool holds_at(Rank k) const { return (truth >> k & 1) != 0; }
};
using Execution = std::array<Chain, 2>;

constexpr Rank longest = 3;

[[nodiscard]] std::vector<Chain> all_chains() {
  std::vector<Chain> chains{{{}, 0}};
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i].length() == longest) continue;
    for (Rank known = chains[i].known_at(chains[i].length()); known <= longest; ++known) {
      Chain longer = chains[i];
      longer.known.push_back(known);
      chains.push_back(std::move(longer));
    }
  }
  return chains;
}

[[nodiscard]] bool can_be(const Execution& execution) {
  const auto& [a, b] = execution;
  if (a.known_at(a.length()) > b.length() || b.known_at(b.length()) > a.length()) return false;
  for (Rank k = 1; k <= a.length(); ++k) {
    if (b.known_at(a.known_at(k)) >= k) return false;  // what it knows of knows of it
  }
  return true;
}

/// Shows all executions of two processes with so many events each at most.
template <class Visit>
void for_all_executions(const Visit& visit) {
  const std::vector<Chain> chains = all_chains();
  for (const Chain& a : chains) {
    for (const Chain& b : chains) {
      Execution execution{a, b};
      if (!can_be(execution)) continue;
      for (unsigned bits = 0; bits < 1U << (a.length() + b.length() + 2); ++bits) {
        execution[0].truth = bits & ((1U << (a.length() + 1)) - 1);
        execution[1].truth = bits >> (a.length() + 1);
        visit(execution);
      }
    }
  }
}

struct Answers {
  bool possibly = false, definitely = false;
};

/// By the definitions: which of the cuts hold, and which can be reached without one that holds.
[[nodiscard]] Answers answers_of(const Execution& execution) {
  const auto& [a, b] = execution;
  Answers answers;
  std::array<std::array<bool, longest + 1>, longest + 1> avoided{};
  for (Rank x = 0; x <= a.length(); ++x) {
    for (Rank y = 0; y <= b.length(); ++y) {
      if (a.known_at(x) > y || b.known_at(y) > x) continue;
      const bool holds = a.holds_at(x) && b.holds_at(y);
      answers.possibly |= holds;
      const bool is_reached =
          (x == 0 && y == 0) || (x > 0 && avoided[x - 1][y]) || (y > 0 && avoided[x][y - 1]);
      avoided[x][y] = is_reached && !holds;
    }
  }
  answers.definitely = !avoided[a.length()][b.length()];
  return answers;
}

/// How much a monitor has seen of a process.
struct Seen {
  Rank states = 0;
  bool ended = false;
};
using View = std::array<Seen, 2>;

/// Shows all views of an execution, but for the last event of the longest.
template <class Visit>
void for_all_views(const Execution& execution, const Visit& visit) {
  std::array<std::vector<Seen>, 2> of_chain;
  for (std::size_t c = 0; c < 2; ++c) {
    for (Rank k = 0; k <= execution[c].length() && k < longest; ++k) {
      of_chain[c].push_back({k, false});
      if (k == execution[c].length()) of_chain[c].push_back({k, true});
    }
  }
  for (const Seen& a : of_chain[0]) {
    for (const Seen& b : of_chain[1]) visit(View{a, b});
  }
}

/// What is seen, written down: the same for executions that look the same.
[[nodiscard]] std::string text_of(const Execution& execution, const View& view) {
  std::string text;
  for (std::size_t c = 0; c < 2; ++c) {
    for (Rank k = 0; k <= view[c].states; ++k) {
      text += static_cast<char>('0' + execution[c].known_at(k));
      text += execution[c].holds_at(k) ? 't' : 'f';
    }
    text += view[c].ended ? '.' : '-';
  }
  return text;
}

template <class Monitor>
[[nodiscard]] std::optional<bool> found_by(const Execution& execution, const View& view) {
  Monitor monitor({execution[0].holds_at(0), execution[1].holds_at(0)});
  for (const std::uint32_t c : {0U, 1U}) {
    for (Rank k = 1; k <= view[c].states; ++k) {
      Cut timestamp{k, k};
      timestamp[1 - c] = execution[c].known_at(k);
      EXPECT_TRUE(monitor.arrive(c, timestamp, execution[c].holds_at(k)).has_value());
    }
    EXPECT_TRUE(!view[c].ended || monitor.end(c).has_value());
  }
  return monitor.finding().found;
}

/// The answers of all executions that look the same so far, and one of them.
struct Known {
  Execution execution;
  View view;
  std::array<bool, 2> possibly{}, definitely{};  // whether this answer occurs
};

[[nodiscard]] std::optional<bool> certain(const std::array<bool, 2>& occurs) {
  if (occurs[0] && occurs[1]) return std::nullopt;
  return occurs[1];
}

// A monitor must answer just when all executions that look the same have the same answer.
TEST(GlobalMonitor, AnswersAsEarlyAsCanBe) {
  std::unordered_map<std::string, Known> known;
  for_all_executions([&](const Execution& execution) {
    const Answers answers = answers_of(execution);
    for_all_views(execution, [&](const View& view) {
      Known& seen =
          known.try_emplace(text_of(execution, view), Known{execution, view, {}, {}}).first->second;
      seen.possibly[answers.possibly ? 1 : 0] = true;
      seen.definitely[answers.definitely ? 1 : 0] = true;
    });
  });
  EXPECT_GT(known.size(), 1000U);
  for (const auto& [text, seen] : known) {
    ASSERT_EQ(found_by<PossiblyMonitor>(seen.execution, seen.view), certain(seen.possibly)) << text;
    ASSERT_EQ(found_by<DefinitelyMonitor>(seen.execution, seen.view), certain(seen.definitely))
        << text;
  }
}

/// The most that a monitor keeps of a long computation with barriers, in causal order.
template <class Monitor, class ValueOf>
[[nodiscard]] std::uint64_t most_kept(Monitor& monitor, const Level& level,
                                      const ValueOf& value_of) {
  std::uint64_t most = 0;
  Cut arrived = level.bottom();
  for (const EventIndex e : level.computation().order()) {
    const std::uint32_t chain = level.chain_of(level.computation().process_of(e));
    const Rank k = ++arrived[chain];
    EXPECT_TRUE(monitor.arrive(chain, level.past(chain, k), value_of(chain, k)).has_value());
    most = std::max(most, monitor.kept());
  }
  EXPECT_FALSE(monitor.finding().found.has_value());
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    EXPECT_TRUE(monitor.end(c).has_value());
  }
  EXPECT_EQ(monitor.finding().found, false);
  EXPECT_EQ(monitor.kept(), 0U);
  return most;
}

TEST(GlobalMonitor, ForgetsWhatIsOver) {
  RandomShape shape;
  shape.processes = 8;
  shape.events = 100'000;
  shape.topology = Topology::phases;
  shape.phase_length = 10;
  const Computation computation = *random_computation(shape);
  const Level level(computation, Selection::all(computation));
  const std::vector<bool> initial(shape.processes, false);
  const auto half = [](std::uint32_t chain, Rank k) { return chain > 0 && (k + chain) % 2 == 0; };
  PossiblyMonitor possibly(initial);
  EXPECT_LE(most_kept(possibly, level, half), 8U * 30);
  DefinitelyMonitor definitely(initial);
  EXPECT_LE(most_kept(definitely, level, half), 8U * 30);
  ProperlyMonitor<Rank> properly(Cut(shape.processes, 0), [](std::span<const Rank> state) {
    return state[0] > size_of(state);
  });
  EXPECT_LE(most_kept(properly, level, [](std::uint32_t, Rank k) { return k; }), 8U * 30);
}

TEST(DefinitelyMonitor, KeepsOneOfManyIntervalsWithoutNews) {
  DefinitelyMonitor monitor({false, true});
  for (Rank k = 1; k <= 1000; ++k) {
    ASSERT_TRUE(monitor.arrive(0, Cut{k}, k % 2 == 1).has_value());
    EXPECT_LE(monitor.kept(), 3U);
  }
  ASSERT_TRUE(monitor.arrive(1, Cut{1, 1}, false).has_value());
  EXPECT_EQ(monitor.finding().found, true);
  EXPECT_EQ(monitor.finding().cut, (Cut{1, 0}));
  EXPECT_EQ(monitor.kept(), 0U);
}

TEST(GlobalMonitor, NeedsNoEvents) {
  EXPECT_EQ(PossiblyMonitor({}).finding().found, true);
  EXPECT_EQ(DefinitelyMonitor({}).finding().found, true);
  EXPECT_EQ(PossiblyMonitor({true, true}).finding().cut, (Cut{0, 0}));
  EXPECT_EQ(DefinitelyMonitor({true, true}).finding().cut, (Cut{0, 0}));
  const auto never = [](std::span<const int>) { return false; };
  EXPECT_EQ(ProperlyMonitor<int>({}, never).finding().found, false);
  EXPECT_EQ(
      ProperlyMonitor<int>({1, 2}, [](std::span<const int> state) { return state[0] < state[1]; })
          .finding()
          .cut,
      (Cut{0, 0}));
  DefinitelyMonitor monitor({true, false});
  EXPECT_EQ(monitor.finding().found, std::nullopt);
  ASSERT_TRUE(monitor.end(1).has_value());
  EXPECT_EQ(monitor.finding().found, false);
}

TEST(GlobalMonitor, RefusesWhatCannotBe) {
  PossiblyMonitor monitor({false, false, false});
  const auto refused = [&](std::uint32_t process, const Cut& timestamp, const char* why) {
    const auto answer = monitor.arrive(process, timestamp, true);
    ASSERT_FALSE(answer.has_value());
    EXPECT_NE(answer.error().what.find(why), std::string::npos) << answer.error().what;
  };
  refused(3, {1}, "process 3 of 3");
  refused(0, {}, "exactly the events");
  refused(0, {2}, "exactly the events");
  refused(0, {1, 0, 0, 0}, "more entries");
  refused(0, {1, none - 1}, "than there can be");
  ASSERT_TRUE(monitor.arrive(0, Cut{1, 1, 0}, true).has_value());
  refused(1, {1, 1}, "knows of this one");
  refused(0, {2}, "knows less");
  EXPECT_FALSE(monitor.end(1).has_value());  // process 0 has known of one event
  ASSERT_TRUE(monitor.arrive(1, Cut{0, 1}, true).has_value());
  ASSERT_TRUE(monitor.end(1).has_value());
  EXPECT_FALSE(monitor.end(1).has_value());
  refused(1, {0, 2}, "has ended");
  refused(2, {0, 2, 1}, "knows of more events");
  EXPECT_EQ(monitor.finding().found, std::nullopt);
  ASSERT_TRUE(monitor.arrive(2, Cut{0, 0, 1}, true).has_value());
  EXPECT_EQ(monitor.finding().cut, (Cut{1, 1, 1}));
}

TEST(GlobalMonitor, KeepsAnAnswerThatCameBeforeAnError) {
  ProperlyMonitor<int> monitor({0, 0, 0, 0},
                               [](std::span<const int> state) { return state[1] == 1; });
  ASSERT_TRUE(monitor.arrive(1, Cut{0, 1, 0, 0}, 1).has_value());
  ASSERT_TRUE(monitor.arrive(1, Cut{0, 2, 0, 0}, 2).has_value());
  ASSERT_TRUE(monitor.end(1).has_value());
  // Three events, each of which knows of the next.
  ASSERT_TRUE(monitor.arrive(2, Cut{0, 2, 1, 1}, 0).has_value());
  ASSERT_TRUE(monitor.arrive(3, Cut{1, 2, 0, 1}, 0).has_value());
  EXPECT_EQ(monitor.finding().found, std::nullopt);
  EXPECT_FALSE(monitor.arrive(0, Cut{1, 2, 1, 0}, 0).has_value());
  EXPECT_EQ(monitor.finding().found, true);
  EXPECT_EQ(monitor.finding().cut, (Cut{0, 1, 0, 0}));
  EXPECT_EQ(monitor.kept(), 0);
}

TEST(GlobalMonitor, SurvivesAnything) {
  std::mt19937_64 random(1);
  int answered = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto n = static_cast<std::uint32_t>(random() % 5);
    PossiblyMonitor possibly(std::vector<bool>(n, false));
    DefinitelyMonitor definitely(std::vector<bool>(n, round % 2 == 0));
    ProperlyMonitor<std::string> properly(std::vector<std::string>(n), [&](auto state) {
      EXPECT_EQ(state.size(), n);
      return n > 0 && state[0].size() > 20;
    });
    Cut own(n, 0);
    for (int step = 0; step < 40; ++step) {
      const auto p = static_cast<std::uint32_t>(random() % (n + 1));
      if (random() % 16 == 0) {
        const bool ended = possibly.end(p).has_value();
        EXPECT_EQ(ended, definitely.end(p).has_value());
        EXPECT_LE(properly.end(p).has_value(), ended);  // it may notice more
        continue;
      }
      Cut timestamp(random() % (n + 2));
      for (Rank& entry : timestamp) entry = static_cast<Rank>(random() % 8);
      if (p < timestamp.size() && p < n) timestamp[p] = own[p] + 1;
      const bool holds = random() % 2 == 0;
      const bool taken = possibly.arrive(p, timestamp, holds).has_value();
      EXPECT_EQ(taken, definitely.arrive(p, timestamp, holds).has_value());
      EXPECT_LE(properly.arrive(p, timestamp, std::string(random() % 30, 'x')).has_value(), taken);
      if (taken) ++own[p];
    }
    answered += possibly.finding().found.has_value() && definitely.finding().found.has_value();
  }
  EXPECT_GT(answered, 100);
}

}  // namespace
}  // namespace lightcone
