// What the page asks about a computation, against definitions by brute force.
#include "model/definitions/definitions.h"
#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/lattice/order/cut.h>
#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/visit/inevitable.h>
#include <lightcone/view/event_search.h>
#include <lightcone/view/inevitable_cuts.h>
#include <lightcone/view/nearest_cut.h>
#include <lightcone/view/process_traffic.h>
#include <lightcone/view/race_alternatives.h>
#include <lightcone/view/state_at_cut.h>
#include <lightcone/view/tile.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace lightcone {
namespace {

using arbitrary::for_all;
using arbitrary::for_all_computations;
using definition::HappenedBefore;

constexpr int view_cases = 1000;
constexpr AxisKind kinds[] = {AxisKind::depth, AxisKind::time, AxisKind::order};

/// Random computations whose events have times: some have none, and some go backward.
void for_all_timed(const std::string& what, const std::function<void(Computation&)>& holds) {
  for_all(what, view_cases, [&] {
    const auto script = *arbitrary::script();
    Computation computation = arbitrary::play(
        script, [](Builder& builder, ProcessIndex, std::uint8_t decoration, std::uint8_t choice) {
          if (decoration % 5 != 0) builder.set_time(1000 + choice % 40 * 0.25);
          if (decoration % 3 == 0) {
            const NameIndex label[] = {builder.name(choice % 2 == 0 ? "Alpha" : "beta")};
            builder.set_labels(builder.name_set(label));
          }
          if (decoration % 4 == 0) {
            builder.set_text(builder.name(choice % 3 == 0 ? "some Text" : "other"));
          }
          if (decoration % 2 == 0) {
            builder.assign(builder.name(choice % 2 == 0 ? "x" : "y"), std::int64_t{choice % 7});
          }
        });
    holds(computation);
  });
}

/// The longest chain that ends at each event.
std::vector<double> defined_depths(const Computation& c) {
  const HappenedBefore before(c);
  std::vector<double> depths(c.event_count(), 1);
  for (const EventIndex e : c.order()) {
    for (EventIndex f = 0; f < c.event_count(); ++f) {
      if (before(f, e)) depths[e] = std::max(depths[e], depths[f] + 1);
    }
  }
  return depths;
}

/// The time of an event since the earliest one; without one, that of a neighbour.
double defined_time(const Computation& c, EventIndex e) {
  std::optional<double> earliest;
  for (EventIndex f = 0; f < c.event_count(); ++f) {
    if (c.time(f) && (!earliest || *c.time(f) < *earliest)) earliest = c.time(f);
  }
  if (!earliest) return 0;
  const ProcessIndex p = c.process_of(e);
  for (EventIndex f = e + 1; f-- > c.first_event(p);) {
    if (c.time(f)) return *c.time(f) - *earliest;
  }
  for (EventIndex f = e; f < c.end_event(p); ++f) {
    if (c.time(f)) return *c.time(f) - *earliest;
  }
  return 0;
}

TEST(SpaceTimeAxis, PlacesEventsByItsDefinition) {
  for_all_timed("positions", [](const Computation& c) {
    const SpaceTime space_time(c);
    const std::vector<double> depths = defined_depths(c);
    const auto order = c.order();
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      const auto place = std::find(order.begin(), order.end(), e) - order.begin() + 1;
      RC_ASSERT(space_time.axis(AxisKind::depth).position(e) == depths[e]);
      RC_ASSERT(space_time.axis(AxisKind::order).position(e) == static_cast<double>(place));
      RC_ASSERT(space_time.axis(AxisKind::time).position(e) == defined_time(c, e));
      for (const AxisKind kind : kinds) {
        const SpaceTimeAxis& axis = space_time.axis(kind);
        RC_ASSERT(axis.begin() < axis.position(e) && axis.position(e) < axis.end());
      }
    }
  });
}

TEST(SpaceTimeAxis, FindsRanksByPosition) {
  for_all_timed("ranks", [](const Computation& c) {
    const SpaceTime space_time(c);
    for (const AxisKind kind : kinds) {
      const SpaceTimeAxis& axis = space_time.axis(kind);
      for (ProcessIndex p = 0; p < c.process_count(); ++p) {
        for (int i = 0; i < 5; ++i) {
          const double x = axis.begin() + (axis.end() - axis.begin()) * i / 4;
          Rank rank = 0;
          while (rank < c.last_rank(p) && axis.position(c.event(p, rank + 1)) <= x) ++rank;
          RC_ASSERT(axis.rank_at(p, x) == rank);
        }
      }
    }
  });
}

TEST(SpaceTimeAxis, FindsTheNearestEvent) {
  for_all_timed("nearest events", [](const Computation& c) {
    const SpaceTime space_time(c);
    for (const AxisKind kind : kinds) {
      const SpaceTimeAxis& axis = space_time.axis(kind);
      for (ProcessIndex p = 0; p < c.process_count(); ++p) {
        for (int i = -1; i < 9; ++i) {
          const double x = axis.begin() + (axis.end() - axis.begin()) * i / 7;
          std::optional<EventIndex> nearest;
          const auto key = [&](EventIndex e) {
            return std::make_tuple(std::abs(axis.position(e) - x), axis.position(e), e);
          };
          for (EventIndex e = c.first_event(p); e < c.end_event(p); ++e) {
            if (!nearest || key(e) < key(*nearest)) nearest = e;
          }
          RC_ASSERT(axis.nearest(p, x) == nearest);
        }
      }
    }
  });
}

/// A tile, its parameters at random.
TileQuery random_query(const SpaceTime& space_time, AxisKind kind, std::mt19937_64& random) {
  const SpaceTimeAxis& axis = space_time.axis(kind);
  const auto pick = [&](int most) { return static_cast<double>(random() % (most + 1)) / most; };
  const double span = axis.end() - axis.begin();
  TileQuery query;
  query.axis = kind;
  query.from = axis.begin() + span * (pick(16) * 1.2 - 0.2);
  query.to = query.from + span * (0.05 + pick(16));
  query.columns = 1 + random() % 20;
  query.bundle_columns = 1 + random() % 4;
  query.most_events = random() % 40;
  query.most_messages = random() % 20;
  query.most_bundles = random() % 12;
  if (random() % 2 == 0) return query;
  for (ProcessIndex p = 0; p < space_time.computation().process_count(); ++p) {
    if (random() % 2 == 0) query.processes.push_back(p);
  }
  std::shuffle(query.processes.begin(), query.processes.end(), random);
  return query;
}

/// The place of each process among those that a tile is about; -1: it is not.
std::vector<int> places_in(const TileQuery& query, const Computation& c) {
  std::vector<int> places(c.process_count(), -1);
  for (std::size_t i = 0; i < query.processes.size(); ++i) {
    places[query.processes[i]] = static_cast<int>(i);
  }
  if (query.processes.empty()) std::iota(places.begin(), places.end(), 0);
  return places;
}

void check_events(const SpaceTime& space_time, const TileQuery& query, const Tile& tile) {
  const Computation& c = space_time.computation();
  const SpaceTimeAxis& axis = space_time.axis(query.axis);
  const std::vector<int> places = places_in(query, c);
  const auto place = [&](EventIndex e) { return places[c.process_of(e)]; };
  std::vector<EventIndex> inside;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    if (place(e) < 0) continue;
    if (axis.position(e) >= query.from && axis.position(e) < query.to) inside.push_back(e);
  }
  RC_ASSERT(tile.events == inside.size());
  RC_ASSERT(tile.lists_events == (inside.size() <= query.most_events));
  if (tile.lists_events) {
    const auto left = [&](EventIndex e, EventIndex f) {
      return std::make_tuple(place(e), axis.position(e), e) <
             std::make_tuple(place(f), axis.position(f), f);
    };
    std::sort(inside.begin(), inside.end(), left);
    RC_ASSERT(tile.listed == inside);
    return;
  }
  RC_ASSERT(tile.columns == query.columns);
  const auto seen = std::ranges::count_if(places, [](int one) { return one >= 0; });
  std::vector<std::uint32_t> density(tile.columns * static_cast<std::size_t>(seen), 0);
  const double width = (query.to - query.from) / tile.columns;
  for (const EventIndex e : inside) {
    std::uint32_t column = 0;
    while (column + 1 < tile.columns && axis.position(e) >= query.from + (column + 1) * width) {
      ++column;
    }
    ++density[static_cast<std::size_t>(place(e)) * tile.columns + column];
  }
  RC_ASSERT(tile.density == density);
}

void check_messages(const SpaceTime& space_time, const TileQuery& query, const Tile& tile) {
  const Computation& c = space_time.computation();
  const SpaceTimeAxis& axis = space_time.axis(query.axis);
  const std::vector<int> places = places_in(query, c);
  std::vector<MessageEdge> seen;
  std::uint64_t unseen = 0;
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    for (const MessageIndex m : c.takes(e)) {
      const double sent = axis.position(c.sent_by(m)), received = axis.position(e);
      if (!(std::min(sent, received) < query.to && std::max(sent, received) >= query.from)) {
        continue;
      }
      if (places[c.process_of(c.sent_by(m))] < 0 && places[c.process_of(e)] < 0) {
        ++unseen;
      } else {
        seen.push_back({c.sent_by(m), e, m});
      }
    }
  }
  RC_ASSERT(tile.messages == seen.size());
  RC_ASSERT(tile.unseen_messages == unseen);
  RC_ASSERT(tile.lists_messages == (seen.size() <= query.most_messages));
  if (tile.lists_messages) {
    RC_ASSERT(tile.edges == seen);
    return;
  }
  // Whatever the size of the groups came to be: each bundle is what lies between its ends.
  double size = (query.to - query.from) / tile.columns * query.bundle_columns;
  if (tile.columns == 0) size = (query.to - query.from) / query.columns * query.bundle_columns;
  std::map<std::tuple<ProcessIndex, ProcessIndex, double, double>, std::uint64_t> bundles;
  for (int doublings = 0;; ++doublings) {
    bundles.clear();
    const auto middle = [&](EventIndex e) {
      return query.from + (std::floor((axis.position(e) - query.from) / size) + 0.5) * size;
    };
    for (const MessageEdge& edge : seen) {
      ++bundles[{c.process_of(edge.send), c.process_of(edge.receive), middle(edge.send),
                 middle(edge.receive)}];
    }
    if (bundles.size() <= query.most_bundles || doublings == most_doublings) break;
    size *= 2;
  }
  RC_ASSERT(tile.bundles.size() == std::min(bundles.size(), query.most_bundles));
  std::uint64_t shown = 0, least = UINT64_MAX;
  for (const MessageBundle& bundle : tile.bundles) {
    const auto found = bundles.find({bundle.from, bundle.to, bundle.sent, bundle.received});
    RC_ASSERT(found != bundles.end());
    RC_ASSERT(found->second == bundle.messages);
    RC_ASSERT(bundle.messages <= least);
    least = bundle.messages;
    shown += bundle.messages;
    bundles.erase(found);
  }
  for (const auto& [ends, count] : bundles) RC_ASSERT(tile.bundles.empty() || count <= least);
  RC_ASSERT(tile.thin_bundles == bundles.size());
  RC_ASSERT(shown + tile.thin_messages == seen.size());
}

TEST(Tile, ShowsOrCountsAllThatIsBetweenTwoPositions) {
  for_all_timed("tiles", [](const Computation& c) {
    std::mt19937_64 random(c.event_count() * 31 + c.message_count());
    const SpaceTime space_time(c);
    for (const AxisKind kind : kinds) {
      for (int i = 0; i < 4; ++i) {
        const TileQuery query = random_query(space_time, kind, random);
        const Tile made = tile(space_time, query);
        check_events(space_time, query, made);
        check_messages(space_time, query, made);
      }
    }
  });
}

TEST(NearestCut, IsTheLeastAboveAndTheGreatestBelow) {
  for_all_computations("nearest cuts", view_cases, [](const Computation& c) {
    std::mt19937_64 random(c.event_count());
    const HappenedBefore before(c);
    std::vector<Rank> ranks(c.process_count());
    for (ProcessIndex p = 0; p < ranks.size(); ++p) ranks[p] = random() % (c.last_rank(p) + 1);
    const auto inside = [&](EventIndex e) { return c.rank_of(e) <= ranks[c.process_of(e)]; };
    const auto above = least_consistent_above(c, ranks);
    const auto below = greatest_consistent_below(c, ranks);
    for (EventIndex e = 0; e < c.event_count(); ++e) {
      bool is_needed = inside(e), lacks_cause = !inside(e);
      for (EventIndex f = 0; f < c.event_count(); ++f) {
        if (before(e, f) && inside(f)) is_needed = true;
        if (before(f, e) && !inside(f)) lacks_cause = true;
      }
      RC_ASSERT((c.rank_of(e) <= above[c.process_of(e)]) == is_needed);
      RC_ASSERT((c.rank_of(e) <= below[c.process_of(e)]) == !lacks_cause);
    }
  });
}

TEST(InevitableCuts, AreThoseOfTheLattice) {
  for_all_computations("inevitable cuts", view_cases, [](const Computation& c) {
    const InevitableCuts cuts(c);
    const Level level(c, Selection::all(c));
    std::vector<std::vector<Rank>> all;
    inevitable_states(level).for_each([&](std::span<const Rank> cut) {
      all.push_back(process_ranks(level, cut));
      return true;
    });
    RC_ASSERT(cuts.count() == all.size());
    std::uint64_t at = 0;
    RC_ASSERT(!cuts.before(0));
    for (std::size_t i = 0; i < all.size(); ++i) {
      RC_ASSERT(cuts.contains(all[i]));
      at = std::accumulate(all[i].begin(), all[i].end(), std::uint64_t{0});
      if (i > 0) RC_ASSERT(cuts.before(at) == all[i - 1]);
      if (i + 1 < all.size()) RC_ASSERT(cuts.after(at) == all[i + 1]);
    }
    RC_ASSERT(!cuts.after(at));
  });
}

TEST(StateAfter, HasTheLastValueOfEachVariable) {
  for_all_timed("states", [](const Computation& c) {
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      const Rank rank = c.last_rank(p) / 2;
      std::map<NameIndex, HeldValue> expected;
      for (const Assignment& a : c.assignments(c.initial_row(p))) expected[a.variable] = {a, 0};
      for (Rank k = 1; k <= rank; ++k) {
        for (const Assignment& a : c.assignments(c.event(p, k))) expected[a.variable] = {a, k};
      }
      const auto held = state_after(c, p, rank);
      RC_ASSERT(held.size() == expected.size());
      for (const HeldValue& value : held) {
        RC_ASSERT(expected.at(value.assignment.variable) == value);
      }
    }
  });
}

TEST(SearchEvents, FindsWhatMatches) {
  for_all_timed("search", [](Computation& c) {
    std::vector<EventPlace> alpha, texts;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      for (Rank k = 0; k <= c.last_rank(p); ++k) {
        const Row row = k == 0 ? c.initial_row(p) : c.event(p, k);
        for (const NameIndex label : c.labels(row)) {
          if (c.names()[label] == "Alpha") alpha.push_back({p, k});
        }
        if (c.text(row) == "some Text") texts.push_back({p, k});
      }
    }
    Reading own;
    own.computation = std::move(c);
    const auto labels = search_events(own, SearchKind::label, "LPH", 1000);
    RC_ASSERT(labels && labels->places == alpha && labels->count == alpha.size());
    const auto words = search_events(own, SearchKind::text, "e TEX", 2);
    RC_ASSERT(words && words->count == texts.size());
    RC_ASSERT(words->places.size() == std::min<std::size_t>(2, texts.size()));
    RC_ASSERT(search_events(own, SearchKind::any, "", 10)->count == 0);
  });
}

TEST(SearchEvents, UnderstandsTheLanguage) {
  for_all_timed("expressions", [](Computation& c) {
    std::vector<EventPlace> expected;
    bool has_x = false;
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      for (Rank k = 0; k <= c.last_rank(p); ++k) {
        for (const HeldValue& held : state_after(c, p, k)) {
          if (c.names()[held.assignment.variable] != "x") continue;
          has_x = true;
          if (std::get<std::int64_t>(held.assignment.value) > 3) expected.push_back({p, k});
        }
      }
    }
    Reading own;
    own.computation = std::move(c);
    const auto hits = search_events(own, SearchKind::expression, "x > 3", 1000);
    RC_ASSERT(hits.has_value() == has_x);  // a variable that occurs nowhere is an error
    if (hits) RC_ASSERT(hits->places == expected);
    const auto wrong = search_events(own, SearchKind::expression, "x > > 3", 1000);
    RC_ASSERT(!wrong && wrong.error().column == 5);
  });
}

TEST(RacingReceptions, AreTheRacingPairsByReception) {
  for_all_computations("races", view_cases, [](const Computation& c) {
    const HappenedBefore before(c);
    std::map<std::pair<EventIndex, MessageIndex>, std::set<MessageIndex>> expected;
    for (const auto& [first, second] : definition::racing_pairs(c, before)) {
      expected[{first.event, first.message}].insert(second.message);
    }
    for_each_unreceived_pair(c, [&](Reception first, Unreceived second) {
      expected[{first.event, first.message}].insert(second.message);
      return true;
    });
    const RacingReceptions found = racing_receptions(c, 1'000'000);
    RC_ASSERT(found.complete);
    RC_ASSERT(found.receptions.size() == expected.size());
    for (const RaceAlternatives& race : found.receptions) {
      const auto& others = expected.at({race.reception.event, race.reception.message});
      RC_ASSERT(race.others == std::vector<MessageIndex>(others.begin(), others.end()));
    }
    if (!found.receptions.empty()) RC_ASSERT(!racing_receptions(c, 0).complete);
  });
}

TEST(ProcessTraffic, CountsMessagesOfEachPair) {
  for_all_computations("traffic", view_cases, [](const Computation& c) {
    std::uint64_t sum = 0;
    for (const ProcessTraffic& traffic : process_traffic(c)) {
      std::uint64_t count = 0;
      for (EventIndex e = c.first_event(traffic.to); e < c.end_event(traffic.to); ++e) {
        for (const MessageIndex m : c.takes(e)) {
          if (c.process_of(c.sent_by(m)) == traffic.from) ++count;
        }
      }
      RC_ASSERT(count == traffic.messages);
      sum += count;
    }
    RC_ASSERT(sum == c.edge_count());
  });
}

}  // namespace
}  // namespace lightcone
