// Everything in causal/ against its definition, on thousands of random computations.
#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/causal/order/covering.h>
#include <lightcone/causal/order/linear_extension.h>
#include <lightcone/causal/order/measures.h>
#include <lightcone/causal/order/past_survey.h>
#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/races/races.h>
#include <lightcone/causality.h>

#include <algorithm>

namespace lightcone {
namespace {

using arbitrary::for_all_computations;
using definition::HappenedBefore;

constexpr int cases = 2000;

/// Some choices of relevant events: all, none, by label, by kind.
std::vector<Selection> selections(const Computation& c) {
  return {Selection::all(c), Selection(c, [](EventIndex) { return false; }),
          Selection::labelled(c, "a"), Selection::labelled(c, "b"),
          Selection(c, [&](EventIndex e) { return c.kind(e) == Kind::internal; })};
}

TEST(Causality, HappenedBeforeIsTheClosureOfStepsAndMessages) {
  for_all_computations("happened-before", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    const Timestamps known = timestamps(c);
    const Precedence precedence(c, known);
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (EventIndex f = 0; f < c.event_count(); ++f) {
        RC_ASSERT(precedence.happened_before(e, f) == before(e, f));
        RC_ASSERT(precedence.concurrent(e, f) == (e != f && !before(e, f) && !before(f, e)));
      }
    }
  });
}

TEST(Causality, ColumnRangesGiveTheSameTimestamps) {
  for_all_computations("column ranges", cases, [](const Computation& c) {
    const Timestamps all = timestamps(c);
    std::uint32_t columns = 0;
    const auto compare = [&](const Timestamps& some) {
      columns += some.columns().count;
      for (EventIndex e = 0; e < c.event_count(); ++e) {
        for (std::uint32_t i = 0; i < some.columns().count; ++i) {
          const ProcessIndex p = some.columns().first + i;
          RC_ASSERT(some.at(e, p) == all.at(e, p));
        }
      }
    };
    for_each_column_range(c, compare, {}, 1);
    RC_ASSERT(columns == c.process_count());
    for (ProcessIndex p = 0; p < c.process_count(); ++p) compare(Timestamps(c, {p, 1}));
  });
}

TEST(Causality, SurveysSayWhatTimestampsSay) {
  for_all_computations("surveys of pasts", cases, [](const Computation& c) {
    const Timestamps all = timestamps(c);
    const std::vector<Unreceived> missing = unreceived_messages(c);
    std::vector<ProcessIndex> chosen = all_processes(c);
    for (const bool with_all : {true, false}) {
      if (!with_all) std::erase_if(chosen, [](ProcessIndex p) { return p % 2 == 0; });
      const auto is_chosen = [&](ProcessIndex p) { return with_all || p % 2 != 0; };
      // One byte for clocks: as few columns at a time as there can be.
      for (const std::size_t bytes : {default_clock_bytes, std::size_t{1}}) {
        const PastSurvey survey = survey_pasts(c, {chosen, missing, true}, {}, bytes);
        for (EventIndex e = 0; e < c.event_count(); ++e) {
          std::uint32_t size = 0;
          for (const ProcessIndex p : chosen) size += all.at(e, p);
          RC_ASSERT(survey.sizes[e] == size);
          const ProcessIndex p = c.process_of(e);
          for (std::size_t i = 0; i < c.takes(e).size(); ++i) {
            const Rank known = is_chosen(p) ? all.at(c.sent_by(c.takes(e)[i]), p) : 0;
            RC_ASSERT(survey.known_of_receiver[c.columns().takes_begin[e] + i] == known);
          }
        }
        for (std::size_t i = 0; i < missing.size(); ++i) {
          const auto [p, m] = missing[i];
          const Rank known = is_chosen(p) ? all.at(c.sent_by(m), p) : 0;
          RC_ASSERT(survey.known_of_addressee[i] == known);
        }
      }
    }
  });
}

TEST(Causality, LightConesArePastAndFuture) {
  for_all_computations("light cones", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      const auto past = causal_past(c, e);
      const auto future = causal_future(c, e);
      for (EventIndex f = 0; f < c.event_count(); ++f) {
        const ProcessIndex p = c.process_of(f);
        RC_ASSERT((c.rank_of(f) <= past[p]) == (f == e || before(f, e)));
        RC_ASSERT((c.rank_of(f) >= future[p]) == (f == e || before(e, f)));
      }
    }
  });
}

TEST(Causality, LocalStatesPrecedeStronglyAndWeakly) {
  for_all_computations("strong and weak precedence", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    const Timestamps known = timestamps(c);
    const Precedence precedence(c, known);
    for (const Selection& relevant : selections(c)) {
      std::vector<LocalState> states;
      for (ProcessIndex p = 0; p < c.process_count(); ++p) {
        for (Rank k = 0; k <= relevant.count(p); ++k) states.push_back({p, k});
      }
      for (const LocalState s : states) {
        for (const LocalState t : states) {
          const bool strong = definition::strongly_precedes(c, before, relevant, s, t);
          const bool weak = definition::weakly_precedes(c, before, relevant, s, t);
          RC_ASSERT(precedence.strongly_precedes(relevant, s, t) == strong);
          RC_ASSERT(precedence.weakly_precedes(relevant, s, t) == weak);
        }
      }
    }
  });
}

TEST(Causality, SelectionsCountAndFind) {
  for_all_computations("selections", cases, [](const Computation& c) {
    for (const Selection& chosen : selections(c)) {
      std::uint32_t total = 0;
      for (ProcessIndex p = 0; p < c.process_count(); ++p) {
        Rank rank = 0;
        for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
          if (chosen.contains(e)) {
            ++rank;
            RC_ASSERT(chosen.event(p, rank) == e);
          }
          RC_ASSERT(chosen.rank(e) == rank);
        }
        RC_ASSERT(chosen.count(p) == rank);
        total += rank;
      }
      RC_ASSERT(chosen.count() == total);
    }
  });
}

TEST(Causality, CoveringGraphHasNothingBetween) {
  for_all_computations("covering graph", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    for (const Selection& observed : selections(c)) {
      const CoveringGraph whole(c, observed);
      const CoveringGraph by_columns(c, observed, {}, 1);
      for (EventIndex f = 0; f < c.event_count(); ++f) {
        std::vector<EventIndex> expected;
        for (EventIndex e = 0; e < c.event_count(); ++e) {
          if (definition::covers(c, before, observed, f, e)) expected.push_back(e);
        }
        RC_ASSERT(std::ranges::equal(whole.predecessors(f), expected));
        RC_ASSERT(std::ranges::equal(by_columns.predecessors(f), expected));
      }
    }
  });
}

TEST(Causality, RacesAreThoseOfNetzerAndMiller) {
  for_all_computations("races", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    RC_ASSERT(traced_receptions(c) == definition::traced_receptions(c, before));
    std::vector<std::pair<Reception, Reception>> pairs;
    for_each_racing_pair(c, [&](Reception first, Reception second) {
      pairs.emplace_back(first, second);
      return true;
    });
    RC_ASSERT(pairs == definition::racing_pairs(c, before));
  });
}

TEST(Causality, RacingPairsStopWhenTold) {
  for_all_computations("stopping early", 200, [](const Computation& c) {
    const bool some = !definition::racing_pairs(c, HappenedBefore(c)).empty();
    int seen = 0;
    const bool finished = for_each_racing_pair(c, [&](Reception, Reception) {
      ++seen;
      return false;
    });
    RC_ASSERT(seen == (some ? 1 : 0));
    RC_ASSERT(finished == !some);
  });
}

TEST(Causality, OrdersAreLinearExtensions) {
  for_all_computations("linear extensions", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    const auto check = [&](std::span<const EventIndex> order) {
      RC_ASSERT(order.size() == c.event_count());
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i; j < order.size(); ++j) RC_ASSERT(!before(order[j], order[i]));
      }
      RC_ASSERT(is_linear_extension(c, order));
    };
    check(c.order());
    for (std::uint64_t seed = 0; seed < 3; ++seed) check(random_linear_extension(c, seed));
    // A swap of two neighbours is a linear extension iff they are concurrent.
    std::vector<EventIndex> swapped(c.order().begin(), c.order().end());
    for (std::size_t i = 0; i + 1 < swapped.size(); ++i) {
      std::swap(swapped[i], swapped[i + 1]);
      RC_ASSERT(is_linear_extension(c, swapped) == !before(swapped[i + 1], swapped[i]));
      std::swap(swapped[i], swapped[i + 1]);
    }
  });
}

TEST(Causality, MeasuresCountWhatTheySay) {
  for_all_computations("measures", cases, [](const Computation& c) {
    const HappenedBefore before(c);
    const Shape form = shape(c);
    RC_ASSERT(form.depth == definition::depth(c, before));
    std::uint64_t pairs = 0;
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      for (EventIndex f = 0; f < e; ++f) pairs += !before(e, f) && !before(f, e);
    }
    RC_ASSERT(concurrent_pairs(past_sizes(c)) == pairs);
    RC_ASSERT(form.width_at_least <= form.width_at_most);
    const Counts count = counts(c);
    RC_ASSERT(count.internal + count.sends + count.receives == c.event_count());
  });
}

}  // namespace
}  // namespace lightcone
