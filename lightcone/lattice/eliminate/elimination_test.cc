// Counting and drawing without a visit, against the definition, on random computations.
#include <lightcone/lattice/eliminate/elimination.h>

#include <gtest/gtest.h>
#include <lightcone/causal/builder.h>
#include <lightcone/causal/random/random_computation.h>
#include <lightcone/lattice/count/count.h>
#include <lightcone/lattice/eliminate/chain_elimination.h>
#include <lightcone/lattice/eliminate/event_elimination.h>
#include <lightcone/lattice/visit/enumeration.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_levels.h"

namespace lightcone {
namespace {

constexpr auto no_deadline = std::chrono::steady_clock::time_point::max();

/// The definition, from messages alone: how many choices of one rank per process have received no
/// message that was not sent, by the number of events.
class StatesByMessages {
 public:
  explicit StatesByMessages(const Computation& computation)
      : computation_(computation), ranks_(computation.process_count(), 0) {
    by_size.resize(computation.event_count() + 1, 0);
    choose(0, 0);
  }
  std::vector<std::uint64_t> by_size;
  std::uint64_t all = 0;

 private:
  void choose(ProcessIndex p, std::size_t size) {
    if (p == ranks_.size()) {
      if (!is_consistent()) return;
      ++by_size[size];
      ++all;
      return;
    }
    const std::uint32_t length = computation_.end_event(p) - computation_.first_event(p);
    for (ranks_[p] = 0; ranks_[p] <= length; ++ranks_[p]) choose(p + 1, size + ranks_[p]);
  }
  [[nodiscard]] bool is_in(EventIndex e) const {
    return computation_.rank_of(e) <= ranks_[computation_.process_of(e)];
  }
  [[nodiscard]] bool is_consistent() const {
    for (EventIndex e = 0; e < computation_.event_count(); ++e) {
      if (!is_in(e)) continue;
      for (const MessageIndex m : computation_.takes(e)) {
        if (!is_in(computation_.sent_by(m))) return false;
      }
    }
    return true;
  }

  const Computation& computation_;
  std::vector<Rank> ranks_;
};

/// The first events of a computation, few enough for all choices to be tried.
[[nodiscard]] Computation small_computation(std::uint32_t steps) {
  return arbitrary::play(*arbitrary::script(steps));
}

template <class Number>
[[nodiscard]] std::vector<std::vector<Number>> plain_weights(const PositionGraph& graph) {
  std::vector<std::vector<Number>> weights(graph.variables());
  for (std::uint32_t v = 0; v < graph.variables(); ++v) {
    for (std::uint32_t x = 0; x < graph.stops(v); ++x) {
      weights[v].push_back(Number(graph.positions(v, x)));
    }
  }
  return weights;
}

template <class Number>
[[nodiscard]] std::string count_by_chains(const PositionGraph& graph) {
  EliminationBudget budget(1e9, 1e9, no_deadline);
  ChainElimination<Number> elimination(graph, plain_weights<Number>(graph), false, budget);
  for (const auto& step : elimination_order(graph).steps) {
    RC_ASSERT(elimination.eliminate(step));
  }
  return natural(elimination.constant()).decimal();
}

template <class Number>
[[nodiscard]] std::string count_by_events(const PositionGraph& graph) {
  EliminationBudget budget(1e9, 1e9, no_deadline);
  std::vector<bool> takes_part(graph.variables());
  NaturalNumber alone(1);  // positions of chains without any event that others need
  for (std::uint32_t v = 0; v < graph.variables(); ++v) {
    takes_part[v] = graph.stops(v) > 1;
    if (!takes_part[v]) alone *= NaturalNumber(graph.positions(v, 0));
  }
  const auto weights = plain_weights<Number>(graph);
  EventElimination<Number> elimination(graph, takes_part, false, budget);
  RC_ASSERT(elimination.run([&](std::uint32_t v) -> const auto& { return weights[v]; }));
  alone *= natural(elimination.result());
  return alone.decimal();
}

/// Each way to eliminate, with each kind of numbers.
void assert_all_ways(const Level& level, const Interval& interval, const std::string& expected) {
  const Futures futures(level);
  const DirectCauses causes(level);
  const PositionGraph graph(futures, causes, interval);
  RC_ASSERT(count_by_chains<std::uint64_t>(graph) == expected);
  RC_ASSERT(count_by_chains<DoubleWord>(graph) == expected);
  RC_ASSERT(count_by_chains<NaturalNumber>(graph) == expected);
  RC_ASSERT(count_by_events<std::uint64_t>(graph) == expected);
  RC_ASSERT(count_by_events<DoubleWord>(graph) == expected);
  RC_ASSERT(count_by_events<NaturalNumber>(graph) == expected);
  RC_ASSERT(count_cuts(futures, interval).decimal == expected);
  // Without memory for tables, chains are fixed one after the other.
  const Count conditioned = count_cuts(futures, interval, {.bytes = 40});
  RC_ASSERT(conditioned.exact);
  RC_ASSERT(conditioned.decimal == expected);
}

TEST(Counting, EqualsTheDefinitionByMessages) {
  arbitrary::for_all("counting of global states", 3000, [] {
    const Computation computation = small_computation(14);
    const StatesByMessages states(computation);
    const Level level(computation, Selection::all(computation));
    assert_all_ways(level, all_of(level), std::to_string(states.all));
    const auto by_size = count_cuts_by_size(Futures(level), all_of(level));
    RC_ASSERT(by_size.has_value());
    RC_ASSERT(by_size->size() == states.by_size.size());
    for (std::size_t m = 0; m < by_size->size(); ++m) {
      RC_ASSERT((*by_size)[m].small() == states.by_size[m]);
    }
  });
}

TEST(Counting, OfSomeEventsBetweenCutsEqualsTheDefinition) {
  arbitrary::for_all_computations("counting of relevant events", 3000, [](const auto& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level level(computation, arbitrary::few_events(computation, 12, random));
    const auto cuts = arbitrary::all_cuts(level);
    assert_all_ways(level, all_of(level), std::to_string(cuts.size()));
    Interval interval{cuts[random() % cuts.size()], cuts[random() % cuts.size()]};
    interval.upper = join(interval.lower, interval.upper);
    const auto within = std::count_if(cuts.begin(), cuts.end(), [&](const Cut& cut) {
      return is_within(interval.lower, cut) && is_within(cut, interval.upper);
    });
    assert_all_ways(level, interval, std::to_string(within));
  });
}

TEST(Counting, EqualsAVisitOfManyStates) {
  arbitrary::for_all_computations("counting of many states", 1000, [](const auto& computation) {
    const Level level(computation, Selection::all(computation));
    const Futures futures(level);
    std::uint64_t states = 0;
    std::vector<std::uint64_t> by_size(level.events() + 1, 0);
    const bool complete = for_each_cut(futures, all_of(level), [&](std::span<const Rank> cut) {
      ++by_size[size_of(cut)];
      return ++states < 200'000;
    });
    if (!complete) return;
    assert_all_ways(level, all_of(level), std::to_string(states));
    const auto counted = count_cuts_by_size(futures, all_of(level));
    for (std::size_t m = 0; m < by_size.size(); ++m) {
      RC_ASSERT((*counted)[m].small() == by_size[m]);
    }
  });
}

TEST(Counting, OfSlicesEqualsTheDefinition) {
  arbitrary::for_all_computations("counting of slices", 300, [](const auto& computation) {
    std::mt19937_64 random(computation.event_count());
    const Level whole(computation, arbitrary::few_events(computation, 10, random));
    const Level slice = arbitrary::random_slice(whole, random);
    const auto cuts = arbitrary::all_cuts(slice);
    RC_ASSERT(count_cuts(Futures(slice), all_of(slice)).number == cuts.size());
  });
}

}  // namespace
}  // namespace lightcone
