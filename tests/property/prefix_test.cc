// Traces that were cut off: the prefix is the greatest that is consistent, and what is found in it
// is found in the whole execution. Traces with holes: what is called certain is true of the whole.
#include <gtest/gtest.h>
#include <lightcone/causal/consistent_prefix.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/certainty.h>
#include <lightcone/trace.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "model/definitions/definitions.h"
#include "model/definitions/global_definitions.h"
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_globals.h"
#include "model/generators/arbitrary_properties.h"

namespace lightcone {
namespace {

using definition::HappenedBefore;
using Ranks = std::vector<Rank>;

/// Which events of each process are kept, by rank from 1.
using Kept = std::vector<std::vector<bool>>;

[[nodiscard]] Kept up_to(const Computation& c, const Ranks& ranks) {
  Kept kept;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    kept.emplace_back(c.last_rank(p) + 1, false);
    std::fill_n(kept.back().begin(), ranks[p] + 1, true);
  }
  return kept;
}

/// The trace without the lines of events that are not kept.
[[nodiscard]] std::string text_of(const Computation& c, const Kept& kept) {
  std::istringstream in(write_trace_text(c, Format::jsonl));
  std::string text, line;
  std::getline(in, text);
  text += '\n';
  Ranks rank(c.process_count(), 0);
  while (std::getline(in, line)) {
    const auto json = nlohmann::json::parse(line);
    const ProcessIndex p = *c.find_process(json["process"].get<std::string>());
    if (json["kind"] == "init" || kept[p][++rank[p]]) text += line + '\n';
  }
  return text;
}

[[nodiscard]] Reading read(const std::string& text, const ReadOptions& options) {
  auto reading = read_trace_text(text, "trace", Format::jsonl, options);
  RC_ASSERT(reading.has_value());
  return std::move(*reading);
}

[[nodiscard]] Ranks random_cut(const Computation& c) {
  Ranks cut;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) {
    const Rank last = c.last_rank(p);
    const auto lost = *rc::gen::inRange<Rank>(0, last + 2);
    cut.push_back(lost > last ? last : last - lost);
  }
  return cut;
}

/// By definition: the events whose whole past is kept.
[[nodiscard]] Ranks greatest_prefix(const Computation& c, const HappenedBefore& before,
                                    const Ranks& cut) {
  const auto is_there = [&](EventIndex e) { return c.rank_of(e) <= cut[c.process_of(e)]; };
  Ranks kept(c.process_count(), 0);
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    bool whole = is_there(e);
    for (EventIndex f = 0; f < c.event_count(); ++f) {
      whole = whole && (!before(f, e) || is_there(f));
    }
    if (whole) kept[c.process_of(e)] = std::max(kept[c.process_of(e)], c.rank_of(e));
  }
  return kept;
}

[[nodiscard]] Ranks last_ranks(const Computation& c) {
  Ranks ranks;
  for (ProcessIndex p = 0; p < c.process_count(); ++p) ranks.push_back(c.last_rank(p));
  return ranks;
}

[[nodiscard]] std::vector<std::string> sorted_lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

[[nodiscard]] Reading cut_off(const Computation& whole, const Ranks& cut) {
  return read(text_of(whole, up_to(whole, cut)), {.cut_off = true});
}

TEST(Prefix, IsTheGreatestThatIsConsistent) {
  std::uint64_t left_out = 0;
  arbitrary::for_all_computations("greatest prefix", 3000, [&](const Computation& whole) {
    const Ranks cut = random_cut(whole);
    const Ranks expected = greatest_prefix(whole, HappenedBefore(whole), cut);
    const Reading reading = cut_off(whole, cut);
    RC_ASSERT(last_ranks(reading.computation) == expected);
    std::uint64_t lost = 0;
    for (ProcessIndex p = 0; p < cut.size(); ++p) lost += cut[p] - expected[p];
    RC_ASSERT(reading.left_out == lost);
    RC_ASSERT(!reading.incomplete);
    RC_ASSERT(sorted_lines(write_trace_text(reading.computation, Format::jsonl)) ==
              sorted_lines(text_of(whole, up_to(whole, expected))));
    left_out += lost;
  });
  EXPECT_GT(left_out, 1500U / arbitrary::one_in);
}

/// The row of the same state in another computation with these processes.
[[nodiscard]] Row row_in(const Computation& to, ProcessIndex p, Rank rank) {
  return rank == 0 ? to.initial_row(p) : to.event(p, rank);
}

/// Calls `visit(row, row in the whole)`; `ranks[p][k]` is the rank in the whole of event k of p.
void for_each_state(const Computation& part, const Computation& whole,
                    const std::vector<Ranks>& ranks, const std::function<void(Row, Row)>& visit) {
  for (ProcessIndex p = 0; p < part.process_count(); ++p) {
    for (Rank k = 0; k <= part.last_rank(p); ++k) {
      visit(row_in(part, p, k), row_in(whole, p, ranks[p][k]));
    }
  }
}

[[nodiscard]] std::vector<Ranks> same_ranks(const Computation& part) {
  std::vector<Ranks> ranks;
  for (ProcessIndex p = 0; p < part.process_count(); ++p) {
    ranks.emplace_back();
    for (Rank k = 0; k <= part.last_rank(p); ++k) ranks.back().push_back(k);
  }
  return ranks;
}

[[nodiscard]] Properties some_properties(const Computation& c) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const std::string text = random_properties(random, arbitrary::property_options(c));
  auto parsed = parse_property_syntax(text, "properties");
  RC_ASSERT(parsed.has_value());
  return std::move(*parsed);
}

TEST(Prefix, AnswersFlowsAndLogicAsTheWholeDoes) {
  std::uint64_t asked = 0, found = 0;
  arbitrary::for_all_computations("prefix answers", 1500, [&](const Computation& whole) {
    const Reading reading = cut_off(whole, random_cut(whole));
    const Computation& part = reading.computation;
    const Properties file = some_properties(part);
    const auto of_part = CompiledProperties::compile(file, event_labels(part));
    const auto of_whole = CompiledProperties::compile(file, event_labels(whole));
    const Inspection here(of_part, part), there(of_whole, whole);
    for (std::uint32_t i = 0; i < file.properties.size(); ++i) {
      if (here.answer(i) == nullptr || there.answer(i) == nullptr) continue;
      for_each_state(part, whole, same_ranks(part), [&](Row row, Row same) {
        RC_ASSERT(here.is_asked(i, row) == there.is_asked(i, same));
        RC_ASSERT(here.answer(i)->found_at(row) == there.answer(i)->found_at(same));
        asked += here.is_asked(i, row);
        found += here.answer(i)->found_at(row);
      });
    }
  });
  EXPECT_GT(found, 1000U / arbitrary::one_in);
  EXPECT_GT(asked, 2 * found);
}

[[nodiscard]] Decision decided(const Global& global, const Properties& file, const Computation& c) {
  const GlobalPredicate predicate(c, file, global.expression);
  Budget budget(Limits{});
  return decide(global.modality, predicate, c, {budget});
}

TEST(Prefix, FindsOnlyGlobalStatesOfTheWhole) {
  std::uint64_t found = 0;
  const auto property = [&](const Computation& whole, const Properties& file) {
    const Reading reading = cut_off(whole, random_cut(whole));
    if (!check_names(file, reading.computation)) return;  // it asks for what was lost
    const HappenedBefore before(whole);
    for (const Property& asked : file.properties) {
      Global global = std::get<Global>(asked.question);
      global.modality = Global::Modality::possibly;
      const Decision decision = decided(global, file, reading.computation);
      RC_ASSERT(decision.found.has_value());
      if (!*decision.found) continue;
      ++found;
      const definition::GlobalExpression expression(whole, file, global.expression);
      RC_ASSERT(expression.is_satisfying_cut(before, decision.cut));
    }
  };
  arbitrary::for_all_globals("prefix states", 1500, property);
  EXPECT_GT(found, 300U / arbitrary::one_in);
}

TEST(Prefix, RacesAreRacesOfTheWhole) {
  arbitrary::for_all_computations("prefix races", 800, [](const Computation& whole) {
    const Reading reading = cut_off(whole, random_cut(whole));
    const Computation& part = reading.computation;
    const HappenedBefore before(whole);
    const auto same = [&](EventIndex e) {
      return whole.event(part.process_of(e), part.rank_of(e));
    };
    const auto could_come_first = [&](Reception first, MessageIndex m) {
      const EventIndex receive = same(first.event), send = same(part.sent_by(m));
      return receive != send && !before(receive, send);
    };
    for_each_racing_pair(part, [&](Reception first, Reception second) {
      RC_ASSERT(could_come_first(first, second.message));
      return true;
    });
    for_each_unreceived_pair(part, [&](Reception first, Unreceived second) {
      RC_ASSERT(could_come_first(first, second.message));
      return true;
    });
  });
}

/// A trace from which lines are lost anywhere, read with receives made internal.
struct Holed {
  Reading reading;
  std::vector<Ranks> ranks;  // of each event that is left, in the whole
};

[[nodiscard]] Holed with_holes(const Computation& whole) {
  Holed holed;
  Kept kept = up_to(whole, random_cut(whole));
  for (ProcessIndex p = 0; p < whole.process_count(); ++p) {
    if (*rc::gen::inRange(0, 3) != 0 || whole.last_rank(p) < 2) continue;
    const Rank from = *rc::gen::inRange<Rank>(1, whole.last_rank(p));
    const Rank to = *rc::gen::inRange<Rank>(from, whole.last_rank(p));
    for (Rank k = from; k <= to; ++k) kept[p][k] = false;
  }
  holed.reading = read(text_of(whole, kept), {.lenient = true});
  holed.reading.incomplete = true;
  for (ProcessIndex p = 0; p < whole.process_count(); ++p) {
    Ranks ranks{0};
    for (Rank k = 1; k <= whole.last_rank(p); ++k) {
      if (!kept[p][k]) continue;
      const bool after_gap = k != ranks.back() + 1;
      ranks.push_back(k);
      if (!after_gap) continue;
      const auto rank = static_cast<Rank>(ranks.size() - 1);
      holed.reading.doubts.gaps.push_back({p, rank});
    }
    holed.ranks.push_back(std::move(ranks));
  }
  return holed;
}

TEST(Holes, LeaveCertainWhatIsTrueOfTheWhole) {
  std::uint64_t certain = 0, certain_of_paths = 0, doubtful = 0;
  arbitrary::for_all_computations("certain answers", 1500, [&](const Computation& whole) {
    const Holed holed = with_holes(whole);
    const Computation& part = holed.reading.computation;
    const Certainty certainty(holed.reading);
    const Properties file = some_properties(part);
    const auto compiled = CompiledProperties::compile(file, event_labels(part));
    const Inspection here(compiled, part), there(compiled, whole);
    for (std::uint32_t i = 0; i < file.properties.size(); ++i) {
      if (here.answer(i) == nullptr || there.answer(i) == nullptr) continue;
      for_each_state(part, whole, holed.ranks, [&](Row row, Row same) {
        if (!here.is_asked(i, row)) return;
        const bool found = here.answer(i)->found_at(row);
        const bool holds = certainty.holds(file, file.properties[i], row, found);
        (holds ? certain : doubtful) += 1;
        if (!holds) return;
        certain_of_paths += !certainty.is_exact(row);
        RC_ASSERT(there.is_asked(i, same));
        RC_ASSERT(there.answer(i)->found_at(same) == found);
      });
    }
  });
  EXPECT_GT(certain, 3000U / arbitrary::one_in);
  EXPECT_GT(certain_of_paths, 300U / arbitrary::one_in);
  EXPECT_GT(doubtful, 1000U / arbitrary::one_in);
}

TEST(Holes, LeaveCertainOnlyGlobalStatesOfTheWhole) {
  std::uint64_t found = 0;
  const auto property = [&](const Computation& whole, const Properties& file) {
    const Holed holed = with_holes(whole);
    const Certainty certainty(holed.reading);
    const Computation part = prefix_of(holed.reading.computation, certainty.exact_ranks());
    if (!check_names(file, part)) return;
    const HappenedBefore before(whole);
    for (const Property& asked : file.properties) {
      Global global = std::get<Global>(asked.question);
      global.modality = Global::Modality::possibly;
      const Decision decision = decided(global, file, part);
      if (!decision.found.value_or(false)) continue;
      ++found;
      const definition::GlobalExpression expression(whole, file, global.expression);
      RC_ASSERT(expression.is_satisfying_cut(before, decision.cut));
    }
  };
  arbitrary::for_all_globals("certain states", 800, property);
  EXPECT_GT(found, 100U / arbitrary::one_in);
}

/// The trace without all lines of one process, also where the header names it.
[[nodiscard]] std::string without_process(const Computation& c, ProcessIndex gone) {
  std::istringstream in(write_trace_text(c, Format::jsonl));
  std::string text, line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const auto json = nlohmann::json::parse(line);
    if (json["process"] != std::string(c.process_name(gone))) text += line + '\n';
  }
  return text;
}

TEST(Prefix, StatesThatBearMoreProcessesAreStatesOfTheWholeWithoutOne) {
  std::uint64_t found = 0;
  const auto property = [&](const Computation& whole, const Properties& file) {
    const ProcessIndex gone = *rc::gen::inRange<ProcessIndex>(0, whole.process_count());
    const Reading reading = read(without_process(whole, gone), {.cut_off = true});
    if (!check_names(file, reading.computation)) return;
    for (const Property& asked : file.properties) {
      Global global = std::get<Global>(asked.question);
      if (!bears_more_processes(global.expression)) continue;
      global.modality = Global::Modality::possibly;
      if (!*decided(global, file, reading.computation).found) continue;
      ++found;
      RC_ASSERT(definition::is_found(global, file, whole));
    }
  };
  arbitrary::for_all_globals("a process less", 1500, property);
  EXPECT_GT(found, 30U / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
