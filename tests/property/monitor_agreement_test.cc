// Monitors of global predicates against brute force, after each state that arrives.
#include <gtest/gtest.h>
#include <lightcone/lattice/monitor/definitely_monitor.h>
#include <lightcone/lattice/monitor/possibly_monitor.h>
#include <lightcone/lattice/monitor/properly_monitor.h>
#include <lightcone/lattice/predicate/least_cut.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/riders/clocks/relevant_clock_rider.h>
#include <lightcone/riders/ride.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_levels.h"

namespace lightcone {
namespace {

using Cuts = std::vector<Cut>;
/// A value for each local state, by chain.
template <class Value>
using Values = std::vector<std::vector<Value>>;

constexpr std::uint32_t most_events = 14;

/// How often a question was answered, and before the end, so that no test is empty.
struct Tally {
  int yes = 0, no = 0, early_no = 0;
};

/// What has arrived of a level.
struct Arrived {
  Cut states;
  std::vector<bool> ended;
};

/// Feeds a monitor in a random order, and calls `check` at the beginning and after each step.
template <class Monitor, class Value, class Check>
void feed(Monitor& monitor, const Level& level, const Values<Value>& values,
          std::mt19937_64& random, const Check& check) {
  Arrived arrived{level.bottom(), std::vector<bool>(level.chains(), false)};
  check(arrived);
  for (std::uint32_t left = level.events() + level.chains(); left > 0;) {
    const auto chain = static_cast<std::uint32_t>(random() % level.chains());
    if (arrived.ended[chain]) continue;
    --left;
    if (arrived.states[chain] == level.length(chain)) {
      arrived.ended[chain] = true;
      RC_ASSERT(monitor.end(chain).has_value());
    } else {
      const Rank k = ++arrived.states[chain];
      RC_ASSERT(monitor.arrive(chain, level.past(chain, k), values[chain][k]).has_value());
    }
    check(arrived);
  }
  RC_ASSERT(monitor.finding().found.has_value());
  RC_ASSERT(monitor.kept() == 0U);
}

template <class Value, class Choose>
[[nodiscard]] Values<Value> values_of(const Level& level, const Choose& choose) {
  Values<Value> values(level.chains());
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = 0; k <= level.length(c); ++k) values[c].push_back(choose(c, k));
  }
  return values;
}

[[nodiscard]] std::vector<bool> initial_of(const Values<bool>& truth) {
  std::vector<bool> initial;
  for (const auto& states : truth) initial.push_back(states[0]);
  return initial;
}

[[nodiscard]] bool all_hold(const Values<bool>& truth, const Cut& cut) {
  for (std::uint32_t c = 0; c < cut.size(); ++c) {
    if (!truth[c][cut[c]]) return false;
  }
  return true;
}

template <class Holds>
[[nodiscard]] Cuts those_of(Cuts cuts, const Holds& holds) {
  std::erase_if(cuts, [&](const Cut& cut) { return !holds(cut); });
  return cuts;
}

[[nodiscard]] Cuts all_inevitable(const Level& level) {
  Cuts cuts;
  inevitable_states(level).for_each([&](std::span<const Rank> cut) {
    cuts.emplace_back(cut.begin(), cut.end());
    return true;
  });
  return cuts;
}

/// Whether what has arrived decides that this inevitable cut is one: it has arrived, and nothing
/// that may still come can miss any of it.
[[nodiscard]] bool is_certain(const Level& level, const Cut& cut, const Arrived& arrived) {
  if (!is_within(cut, arrived.states)) return false;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    const Rank k = arrived.states[c];
    if (!arrived.ended[c] && (k == 0 ? 0 : size_of(level.past(c, k))) < size_of(cut)) return false;
  }
  return true;
}

/// Whether each way up through the lattice passes one of these cuts.
[[nodiscard]] bool are_unavoidable(const Level& level, const Cuts& cuts) {
  const std::set<Cut> stops(cuts.begin(), cuts.end());
  std::set<Cut> reached;
  if (!stops.contains(level.bottom())) reached.insert(level.bottom());
  for (std::uint32_t size = 0; size < level.events(); ++size) {
    std::set<Cut> next;
    for (Cut cut : reached) {
      for (std::uint32_t c = 0; c < level.chains(); ++c) {
        if (cut[c] == level.length(c) || !can_advance(level, cut, c)) continue;
        ++cut[c];
        if (!stops.contains(cut)) next.insert(cut);
        --cut[c];
      }
    }
    reached = std::move(next);
  }
  return reached.empty();
}

/// Draws a level with few events, and a source of chance.
void for_all_levels(const std::string& what, int cases,
                    const std::function<void(const Level&, std::mt19937_64&)>& property) {
  arbitrary::for_all_computations(what, cases, [&](const Computation& computation) {
    std::mt19937_64 random(*rc::gen::inRange<std::uint64_t>(0, 1000));
    if (computation.event_count() == 0) return;
    const Level level(computation, arbitrary::few_events(computation, most_events, random));
    property(level, random);
  });
}

void count(Tally& tally, bool found, bool early) {
  (found ? tally.yes : tally.no) += 1;
  tally.early_no += !found && early;
}

void expect_many(const Tally& tally) {
  EXPECT_GT(tally.yes, 300 / arbitrary::one_in);
  EXPECT_GT(tally.no, 300 / arbitrary::one_in);
}

[[nodiscard]] Condition condition_of(const Level& level, const Values<bool>& truth) {
  std::vector<Condition> parts;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    parts.push_back(local_condition(
        {level.process(c), std::vector<std::uint8_t>(truth[c].begin(), truth[c].end()), none}));
  }
  Condition condition = joined(Condition::Form::all, std::move(parts));
  place_on(level, condition);
  return condition;
}

TEST(PossiblyMonitor, FindsTheLeastStateWhenItHasArrived) {
  Tally tally;
  for_all_levels("possibly on the fly", 3000, [&](const Level& level, std::mt19937_64& random) {
    const std::uint64_t rate = 2 + random() % 4;
    const auto truth =
        values_of<bool>(level, [&](std::uint32_t, Rank) { return random() % rate == 0; });
    const Cuts good =
        those_of(arbitrary::all_cuts(level), [&](const Cut& cut) { return all_hold(truth, cut); });
    PossiblyMonitor monitor(initial_of(truth));
    bool early = false;
    feed(monitor, level, truth, random, [&](const Arrived& arrived) {
      const Cuts here =
          those_of(good, [&](const Cut& cut) { return is_within(cut, arrived.states); });
      RC_ASSERT((monitor.finding().found == true) == !here.empty());
      if (monitor.finding().found == false) RC_ASSERT(good.empty());
      early |= monitor.finding().found && arrived.states != level.top();
    });
    RC_ASSERT(monitor.finding().found == !good.empty());
    const auto least = least_cut(level, condition_of(level, truth), level.bottom());
    RC_ASSERT(least.has_value() == !good.empty());
    if (least) RC_ASSERT(monitor.finding().cut == *least);
    count(tally, least.has_value(), early);
  });
  expect_many(tally);
  EXPECT_GT(tally.early_no, 100 / arbitrary::one_in);
}

TEST(DefinitelyMonitor, FindsTheFirstInevitableStateWhenItIsCertain) {
  Tally tally;
  for_all_levels("changes on the fly", 3000, [&](const Level& level, std::mt19937_64& random) {
    std::vector<bool> first(level.chains());
    for (std::uint32_t c = 0; c < level.chains(); ++c) first[c] = random() % 3 == 0;
    const auto truth =
        values_of<bool>(level, [&](std::uint32_t c, Rank k) { return first[c] != (k % 2 == 1); });
    const auto holds = [&](const Cut& cut) { return all_hold(truth, cut); };
    const Cuts good = those_of(all_inevitable(level), holds);
    DefinitelyMonitor monitor(first);
    bool early = false;
    feed(monitor, level, truth, random, [&](const Arrived& arrived) {
      const Cuts certain =
          those_of(good, [&](const Cut& cut) { return is_certain(level, cut, arrived); });
      RC_ASSERT((monitor.finding().found == true) == !certain.empty());
      if (monitor.finding().found == false) RC_ASSERT(good.empty());
      early |= monitor.finding().found && arrived.states != level.top();
    });
    if (!good.empty()) RC_ASSERT(monitor.finding().cut == good.front());
    RC_ASSERT(are_unavoidable(level, those_of(arbitrary::all_cuts(level), holds)) != good.empty());
    count(tally, !good.empty(), early);
  });
  expect_many(tally);
  EXPECT_GT(tally.early_no, 100 / arbitrary::one_in);
}

TEST(DefinitelyMonitor, IsRightAtFinerLevels) {
  Tally tally;
  for_all_levels("definitely on the fly", 3000, [&](const Level& level, std::mt19937_64& random) {
    const std::uint64_t rate = 2 + random() % 4;
    const auto truth =
        values_of<bool>(level, [&](std::uint32_t, Rank) { return random() % rate != 0; });
    const auto holds = [&](const Cut& cut) { return all_hold(truth, cut); };
    const bool expected = are_unavoidable(level, those_of(arbitrary::all_cuts(level), holds));
    DefinitelyMonitor monitor(initial_of(truth));
    feed(monitor, level, truth, random, [&](const Arrived&) {
      RC_ASSERT(monitor.finding().found.value_or(expected) == expected);
    });
    const Cut& cut = monitor.finding().cut;
    RC_ASSERT(!expected || (is_consistent(level, cut) && holds(cut)));
    count(tally, expected, false);
  });
  expect_many(tally);
}

TEST(ProperlyMonitor, AsksEachInevitableStateWhenItIsCertain) {
  Tally tally;
  for_all_levels("properly on the fly", 3000, [&](const Level& level, std::mt19937_64& random) {
    const auto numbers =
        values_of<int>(level, [&](std::uint32_t, Rank) { return static_cast<int>(random() % 5); });
    const auto is_good = [](int sum) { return sum % 5 == 3; };
    const Cuts good = those_of(all_inevitable(level), [&](const Cut& cut) {
      int sum = 0;
      for (std::uint32_t c = 0; c < cut.size(); ++c) sum += numbers[c][cut[c]];
      return is_good(sum);
    });
    std::vector<int> initial;
    for (const auto& states : numbers) initial.push_back(states[0]);
    ProperlyMonitor<int> monitor(initial, [&](std::span<const int> state) {
      RC_ASSERT(state.size() == level.chains());
      return is_good(std::accumulate(state.begin(), state.end(), 0));
    });
    feed(monitor, level, numbers, random, [&](const Arrived& arrived) {
      const Cuts certain =
          those_of(good, [&](const Cut& cut) { return is_certain(level, cut, arrived); });
      RC_ASSERT((monitor.finding().found == true) == !certain.empty());
      if (monitor.finding().found == false) RC_ASSERT(good.empty());
    });
    if (!good.empty()) RC_ASSERT(monitor.finding().cut == good.front());
    count(tally, !good.empty(), false);
  });
  expect_many(tally);
}

/// A relevant event as it is sent to a monitor.
struct Word {
  std::vector<std::uint32_t> timestamp;
  std::uint32_t reading;
};

/// What clocks that ride on messages tell: of two readings, at random, in each state.
struct Ridden {
  Ridden(const Computation& c, std::mt19937_64& random)
      : sent(c.process_count()), initial(c.process_count()), relevant(c.event_count()) {
    std::vector<Scene> scenes(c.event_count() + c.process_count());
    for (Scene& scene : scenes) scene = random() % 3 == 0 ? 1 + random() % 2 : 0;
    const std::vector<std::uint32_t> readings{0, 1, 1};
    std::vector<RelevantClockRider> riders;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) riders.emplace_back(p, readings);
    ride(c, scenes, riders, [&](Row row, const RelevantClockRider& rider) {
      if (row >= c.event_count()) {
        initial[row - c.event_count()] = rider.reading() == 1;
      } else if (rider.has_ticked()) {
        relevant[row] = true;
        sent[c.process_of(row)].push_back({rider.clock(), rider.reading()});
      }
    });
  }
  [[nodiscard]] bool holds(const Level& level, std::span<const Rank> cut, ProcessIndex p) const {
    const std::uint32_t chain = level.chain_of(p);
    return initial[p] != (chain != none && cut[chain] % 2 == 1);
  }
  /// In how many processes.
  [[nodiscard]] std::size_t holding(const Level& level, std::span<const Rank> cut) const {
    std::size_t count = 0;
    for (ProcessIndex p = 0; p < initial.size(); ++p) count += holds(level, cut, p);
    return count;
  }

  std::vector<std::deque<Word>> sent;
  std::vector<bool> initial, relevant;
};

/// One monitor of each kind.
struct Monitors {
  explicit Monitors(const std::vector<bool>& initial)
      : possibly(initial),
        definitely(initial),
        properly({initial.begin(), initial.end()}, [](std::span<const int> state) {
          return std::count(state.begin(), state.end(), 1) * 2 > std::ssize(state);
        }) {}

  /// Words overtake each other, but for those of one process.
  void hear(std::vector<std::deque<Word>> sent, std::mt19937_64& random) {
    std::vector<ProcessIndex> open(sent.size());
    std::iota(open.begin(), open.end(), 0);
    while (!open.empty()) {
      const std::size_t i = random() % open.size();
      const ProcessIndex p = open[i];
      if (sent[p].empty()) {
        RC_ASSERT(possibly.end(p) && definitely.end(p) && properly.end(p));
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      const auto [timestamp, reading] = sent[p].front();
      sent[p].pop_front();
      RC_ASSERT(possibly.arrive(p, timestamp, reading == 1).has_value());
      RC_ASSERT(definitely.arrive(p, timestamp, reading == 1).has_value());
      RC_ASSERT(properly.arrive(p, timestamp, static_cast<int>(reading)).has_value());
    }
  }

  PossiblyMonitor possibly;
  DefinitelyMonitor definitely;
  ProperlyMonitor<int> properly;
};

/// The way from a computation to the answer.
TEST(GlobalMonitor, AnswersFromWhatRidersSend) {
  Tally tally;
  arbitrary::for_all_computations("riders to monitors", 1500, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::inRange<std::uint64_t>(0, 1000));
    const Ridden ridden(c, random);
    Monitors monitors(ridden.initial);
    monitors.hear(ridden.sent, random);

    const Level level(c, Selection(c, [&](EventIndex e) { return ridden.relevant[e]; }));
    bool all = false, most = false;
    for (const Cut& cut : all_inevitable(level)) {
      all |= ridden.holding(level, cut) == c.process_count();
      most |= ridden.holding(level, cut) * 2 > c.process_count();
    }
    RC_ASSERT(monitors.definitely.finding().found == all);
    RC_ASSERT(monitors.properly.finding().found == most);
    const auto truth = values_of<bool>(level, [&](std::uint32_t chain, Rank k) {
      return ridden.initial[level.process(chain)] != (k % 2 == 1);
    });
    const auto least = least_cut(level, condition_of(level, truth), level.bottom());
    const bool some = least && ridden.holding(level, *least) == c.process_count();
    RC_ASSERT(monitors.possibly.finding().found == some);
    count(tally, some, false);
  });
  expect_many(tally);
}

}  // namespace
}  // namespace lightcone
