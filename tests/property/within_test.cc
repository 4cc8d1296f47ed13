// `within` finds what brute force over all paths finds, and knows what clocks cannot tell.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>

#include <algorithm>
#include <array>
#include <random>

#include "model/definitions/property_definitions.h"
#include "model/generators/arbitrary.h"

namespace lightcone {
namespace {

using definition::State;

constexpr std::array<const char*, 9> patterns{
    "a -> b within 2 s",
    "a -> b without c within 3 s",
    "a -> b within 1 s -> c within 2 s",
    "(a -> b within 1 s)* c",
    "a (b -> c within 2 s)+",
    "(a | b -> c within 1 s) -> a within 3 s",
    "a b -> [a c] within 2 s without b",
    "(a -> (b -> c within 1 s) within 2 s)",
    ". -> . within 1 s -> b",
};

/// Labels of few letters, and times that go on a little, stand still, go back, or are missing.
[[nodiscard]] Computation timed_computation(const arbitrary::Script& script) {
  std::vector<double> now(16, 0);
  return arbitrary::play(
      script, [&](Builder& builder, ProcessIndex p, std::uint8_t decoration, std::uint8_t choice) {
        std::vector<NameIndex> labels;
        for (const auto& [bit, name] : {std::pair(1, "a"), std::pair(2, "b"), std::pair(4, "c")}) {
          if ((decoration & bit) != 0 && (decoration & 8) != 0)
            labels.push_back(builder.name(name));
        }
        std::ranges::sort(labels);
        if (!labels.empty()) builder.set_labels(builder.name_set(labels));
        now[p % now.size()] += static_cast<double>(choice % 4) / 2 - (choice % 11 == 0 ? 2 : 0);
        if (decoration % 13 != 0) builder.set_time(now[p % now.size()]);
      });
}

[[nodiscard]] std::string some_timed_properties(std::mt19937_64& random) {
  std::string text = fmt::format("clocks within {} ms\n", 500 * (random() % 4));
  for (int i = 0; i < 4; ++i) {
    text += fmt::format("watch w{} : {} {}flow {}{} {}\n", i, random() % 2 == 0 ? "some" : "every",
                        random() % 2 == 0 ? "longest " : "", random() % 3 == 0 ? "at [b c] " : "",
                        std::array{"matches", "ends with", "contains"}[random() % 3],
                        patterns[random() % patterns.size()]);
  }
  return text;
}

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
    const Computation c = timed_computation(*arbitrary::script(32));
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = some_timed_properties(random);
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
