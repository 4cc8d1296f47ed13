// `within` finds what brute force over all paths finds, and knows what clocks cannot tell.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/property/language/check_names.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/riders/witness.h>

#include <algorithm>
#include <random>

#include "model/definitions/property_definitions.h"
#include "model/generators/arbitrary.h"
#include "model/generators/arbitrary_times.h"

namespace lightcone {
namespace {

using definition::State;

[[nodiscard]] definition::TimedAnswer timed_answer_of(const Inspection& inspection,
                                                      std::uint32_t property) {
  definition::TimedAnswer answer;
  const Computation& c = inspection.computation();
  const FoundRows& rows = *inspection.answer(property);
  for (EventIndex e = 0; e < c.event_count(); ++e) {
    const State state{c.process_of(e), c.rank_of(e)};
    if (inspection.is_asked(property, e)) answer.asked.push_back(state);
    if (rows.found_at(e)) answer.found.push_back(state);
    if (rows.is_undecided(e)) answer.undecided.push_back(state);
  }
  return answer;
}

TEST(Within, FindsWhatBruteForceFinds) {
  int compared = 0, undecided = 0, found = 0;
  arbitrary::for_all("within", 3000, [&] {
    const Computation c = arbitrary::timed_computation(*arbitrary::script(32));
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = arbitrary::timed_properties(random);
    auto parsed = parse_property_syntax(text, "random");
    if (!parsed) RC_FAIL(parsed.error().text());
    const auto compiled = CompiledProperties::compile(std::move(*parsed), event_labels(c));
    const Inspection inspection(compiled, c);
    for (std::uint32_t i = 0; i < compiled.source().properties.size(); ++i) {
      const auto& flow = std::get<Flow>(compiled.source().properties[i].question);
      const auto expected = definition::timed_answer(compiled.source(), flow, c);
      if (!expected) continue;
      ++compared;
      undecided += !expected->undecided.empty();
      found += !expected->found.empty();
      if (timed_answer_of(inspection, i) != *expected)
        RC_FAIL(fmt::format("property {} of\n{}", i, text));
    }
  });
  EXPECT_GT(compared, 2000 / arbitrary::one_in);
  EXPECT_GT(undecided, 20 / arbitrary::one_in);
  EXPECT_GT(found, 500 / arbitrary::one_in);
}

/// What a witness compares agrees with what was found.
void expect_sound(const Inspection& inspection, const CompiledFlow& flow, Row row,
                  const FlowWitness& witness) {
  const FoundRows& answer = *inspection.answer(flow.property);
  RC_ASSERT(witness.path.back() == row);
  RC_ASSERT(witness.path.size() == witness.turns.size());
  RC_ASSERT(witness.matches == answer.found_at(row));
  std::size_t late = 0, open = 0;
  for (const TimeGap& gap : witness.gaps) {
    RC_ASSERT(std::ranges::find(witness.path, gap.from) < std::ranges::find(witness.path, gap.to));
    RC_ASSERT(std::ranges::find(witness.path, gap.to) != witness.path.end());
    open += gap.in_time ? 0 : 1;
    late += gap.in_time && !*gap.in_time ? 1 : 0;
  }
  if (witness.matches) {
    RC_ASSERT(late + open == 0U);
  } else if (answer.is_undecided(row)) {
    RC_ASSERT(late == 0U && open > 0U);
  } else if (!flow.every || !witness.gaps.empty()) {
    RC_ASSERT(late > 0U);
  }
}

TEST(Within, WitnessesShowWhatWasFound) {
  std::size_t with_gaps = 0, not_found = 0;
  arbitrary::for_all("witnesses of within", 1000, [&] {
    const Computation c = arbitrary::timed_computation(*arbitrary::script(32));
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    auto parsed = parse_property_syntax(arbitrary::timed_properties(random), "random");
    if (!parsed) RC_FAIL(parsed.error().text());
    const auto compiled = CompiledProperties::compile(std::move(*parsed), event_labels(c));
    const Inspection inspection(compiled, c);
    for (const CompiledFlow& flow : compiled.flows()) {
      for (EventIndex e = 0; e < c.event_count(); ++e) {
        if (!inspection.is_asked(flow.property, e)) continue;
        const auto witness = timed_witness(inspection, flow, e);
        if (!witness) {
          // Only a path that matches whatever the times can lack.
          RC_ASSERT(!flow.every && !inspection.answer(flow.property)->found_at(e));
          continue;
        }
        expect_sound(inspection, flow, e, *witness);
        with_gaps += witness->gaps.empty() ? 0 : 1;
        not_found += witness->matches ? 0 : 1;
      }
    }
  });
  EXPECT_GT(with_gaps, 500U / arbitrary::one_in);
  EXPECT_GT(not_found, 500U / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
