// `within` finds what brute force over all paths finds, and knows what clocks cannot tell.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>

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

}  // namespace
}  // namespace lightcone
