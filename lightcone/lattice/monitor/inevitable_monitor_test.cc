// The monitor with states in any order of arrival: it tells all, at the first moment possible, and
// survives what cannot be true.
#include <lightcone/lattice/monitor/inevitable_monitor.h>

#include <gtest/gtest.h>
#include <lightcone/lattice/visit/inevitable.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

using Cuts = std::vector<Cut>;

[[nodiscard]] Cuts all_inevitable(const Level& level) {
  Cuts cuts;
  inevitable_states(level).for_each([&](std::span<const Rank> cut) {
    cuts.emplace_back(cut.begin(), cut.end());
    return true;
  });
  return cuts;
}

/// Whether what has arrived decides that this cut is inevitable, given that it is: all of it has
/// arrived, and nothing that may still come can have a smaller past.
[[nodiscard]] bool is_certain(const Level& level, const Cut& cut, const Cut& arrived,
                              const std::vector<bool>& ended) {
  if (!is_within(cut, arrived)) return false;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    const std::uint64_t next = arrived[c] == 0 ? 0 : size_of(level.past(c, arrived[c]));
    if (!ended[c] && next < size_of(cut)) return false;
  }
  return true;
}

TEST(InevitableMonitor, TellsEachStateWhenItIsCertain) {
  arbitrary::for_all_computations("inevitable monitor", 1500, [](const Computation& c) {
    const Level level(c, Selection(c, [](EventIndex e) { return e % 5 != 3; }));
    const Cuts expected = all_inevitable(level);
    std::mt19937_64 random(*rc::gen::inRange<std::uint64_t>(0, 1000));
    Cuts reported;
    InevitableMonitor monitor(level.chains(), [&](std::span<const Rank> cut) {
      reported.emplace_back(cut.begin(), cut.end());
    });
    Cut arrived = level.bottom();
    std::vector<bool> ended(level.chains(), false);
    for (std::uint32_t left = level.events() + level.chains(); left > 0;) {
      const auto chain = static_cast<std::uint32_t>(random() % level.chains());
      if (ended[chain]) continue;
      --left;
      if (arrived[chain] == level.length(chain)) {
        ended[chain] = true;
        RC_ASSERT(monitor.end(chain).has_value());
      } else {
        const auto past = level.past(chain, ++arrived[chain]);
        RC_ASSERT(
            (random() % 2 == 0 ? monitor.arrive(chain, past) : monitor.arrive(chain, size_of(past)))
                .has_value());
      }
      Cuts certain;
      std::copy_if(expected.begin(), expected.end(), std::back_inserter(certain),
                   [&](const Cut& cut) { return is_certain(level, cut, arrived, ended); });
      RC_ASSERT(reported == certain);
    }
    RC_ASSERT(reported == expected);
    RC_ASSERT(monitor.kept() == 0U);
  });
}

/// An execution of two processes: how many events of the other each event knows.
using TwoChains = std::array<std::vector<Rank>, 2>;
/// What a monitor has seen of it: the sizes of pasts, and whether the process has ended.
using Seen = std::array<std::pair<std::vector<Rank>, bool>, 2>;

constexpr Rank longest = 4;

/// All executions of two processes with so many events each at most.
[[nodiscard]] std::vector<TwoChains> all_executions() {
  std::vector<std::vector<Rank>> chains{{}};
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i].size() == longest) continue;
    for (Rank known = chains[i].empty() ? 0 : chains[i].back(); known <= longest; ++known) {
      std::vector<Rank> longer = chains[i];
      longer.push_back(known);
      chains.push_back(std::move(longer));
    }
  }
  std::vector<TwoChains> executions;
  for (const auto& a : chains) {
    for (const auto& b : chains) {
      if ((!a.empty() && a.back() > b.size()) || (!b.empty() && b.back() > a.size())) continue;
      bool possible = true;  // what an event knows of does not know of it
      for (Rank k = 1; k <= a.size(); ++k) possible &= a[k - 1] == 0 || b[a[k - 1] - 1] < k;
      if (possible) executions.push_back({a, b});
    }
  }
  return executions;
}

[[nodiscard]] std::set<Cut> inevitable_cuts(const TwoChains& execution) {
  std::map<Rank, Cuts> of_size;
  const auto& [a, b] = execution;
  for (Rank x = 0; x <= a.size(); ++x) {
    for (Rank y = 0; y <= b.size(); ++y) {
      const bool consistent = (x == 0 || a[x - 1] <= y) && (y == 0 || b[y - 1] <= x);
      if (consistent) of_size[x + y].push_back({x, y});
    }
  }
  std::set<Cut> only;
  for (const auto& [size, cuts] : of_size) {
    if (cuts.size() == 1) only.insert(cuts[0]);
  }
  return only;
}

/// All that a monitor can have seen of an execution, but for the last event of the longest.
[[nodiscard]] std::vector<Seen> all_views(const TwoChains& execution) {
  std::array<std::vector<std::pair<std::vector<Rank>, bool>>, 2> of_chain;
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<Rank> sizes;
    for (std::size_t k = 0; k <= execution[c].size() && k < longest; ++k) {
      if (k > 0) sizes.push_back(static_cast<Rank>(k) + execution[c][k - 1]);
      of_chain[c].emplace_back(sizes, false);
      if (k == execution[c].size()) of_chain[c].emplace_back(sizes, true);
    }
  }
  std::vector<Seen> views;
  for (const auto& a : of_chain[0]) {
    for (const auto& b : of_chain[1]) views.push_back({a, b});
  }
  return views;
}

// Certain means: inevitable in every execution that looks the same so far.
TEST(InevitableMonitor, TellsWhatIsInevitableHoweverItGoesOn) {
  std::map<Seen, std::set<Cut>> certain;
  for (const TwoChains& execution : all_executions()) {
    const std::set<Cut> cuts = inevitable_cuts(execution);
    for (const Seen& seen : all_views(execution)) {
      const auto [known, is_new] = certain.try_emplace(seen, cuts);
      std::erase_if(known->second, [&](const Cut& cut) {
        return !cuts.contains(cut) || cut[0] > seen[0].first.size() ||
               cut[1] > seen[1].first.size();
      });
    }
  }
  EXPECT_GT(certain.size(), 1000U);
  for (const auto& [seen, cuts] : certain) {
    std::set<Cut> reported;
    InevitableMonitor monitor(
        2, [&](std::span<const Rank> cut) { reported.insert(Cut(cut.begin(), cut.end())); });
    for (const std::uint32_t c : {0U, 1U}) {
      for (const Rank size : seen[c].first) ASSERT_TRUE(monitor.arrive(c, size).has_value());
      ASSERT_TRUE(!seen[c].second || monitor.end(c).has_value());
    }
    ASSERT_EQ(reported, cuts) << testing::PrintToString(seen);
  }
}

TEST(InevitableMonitor, KeepsOnlyWhatIsUndecided) {
  InevitableMonitor monitor(2, [](std::span<const Rank>) {});
  for (std::uint64_t size = 1; size <= 1000; ++size) {
    ASSERT_TRUE(monitor.arrive(0, size).has_value());
    EXPECT_GE(monitor.kept(), size - 1);  // the other process may have begun by itself
  }
  ASSERT_TRUE(monitor.arrive(1, 1001).has_value());
  EXPECT_LE(monitor.kept(), 1U);
  for (std::uint64_t size = 1002; size <= 2000; ++size) {
    ASSERT_TRUE(monitor.arrive(size % 2, size).has_value());
    EXPECT_LE(monitor.kept(), 2U);
  }
}

TEST(InevitableMonitor, RefusesWhatCannotBe) {
  Cuts reported;
  InevitableMonitor monitor(
      2, [&](std::span<const Rank> cut) { reported.emplace_back(cut.begin(), cut.end()); });
  EXPECT_FALSE(monitor.arrive(2, 1).has_value());
  EXPECT_FALSE(monitor.arrive(0, std::uint64_t{0}).has_value());
  EXPECT_FALSE(monitor.arrive(0, UINT64_MAX).has_value());
  EXPECT_FALSE(monitor.arrive(0, Cut{2, 0}).has_value());
  EXPECT_FALSE(monitor.arrive(1, Cut{1}).has_value());
  EXPECT_FALSE(monitor.arrive(1, Cut{0, 1, 1}).has_value());
  EXPECT_TRUE(monitor.arrive(0, Cut{1}).has_value());
  EXPECT_FALSE(monitor.arrive(0, 1).has_value());
  EXPECT_TRUE(monitor.arrive(1, Cut{1, 1}).has_value());
  EXPECT_EQ(reported, (Cuts{{0, 0}, {1, 0}}));
  EXPECT_TRUE(monitor.end(0).has_value());
  EXPECT_FALSE(monitor.end(0).has_value());
  EXPECT_FALSE(monitor.arrive(0, 7).has_value());
  EXPECT_EQ(reported, (Cuts{{0, 0}, {1, 0}, {1, 1}}));
  const auto untrue = monitor.arrive(1, 9);
  ASSERT_FALSE(untrue.has_value());
  EXPECT_NE(untrue.error().what.find("only 3 can be"), std::string::npos) << untrue.error().what;
  EXPECT_FALSE(monitor.end(1).has_value());
  EXPECT_EQ(reported.size(), 3U);
}

TEST(InevitableMonitor, SurvivesAnything) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const auto processes = static_cast<std::uint32_t>(random() % 5);
    std::uint64_t last_size = 0;
    std::size_t reports = 0;
    InevitableMonitor monitor(processes, [&](std::span<const Rank> cut) {
      ASSERT_EQ(cut.size(), processes);
      ASSERT_TRUE(reports++ == 0 || size_of(cut) > last_size);
      last_size = size_of(cut);
    });
    std::uint64_t accepted = 0;
    for (int step = 0; step < 40; ++step) {
      const auto process = static_cast<std::uint32_t>(random() % (processes + 1));
      const std::uint64_t size = random() % 8 == 0 ? random() : random() % 20;
      if (random() % 10 == 0) {
        (void)monitor.end(process).has_value();
      } else {
        accepted += monitor.arrive(process, size).has_value();
      }
    }
    ASSERT_LE(last_size, accepted + 1);
    ASSERT_GE(reports, 1U);
  }
}

}  // namespace
}  // namespace lightcone
