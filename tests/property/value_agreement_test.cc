// Answers depend on values alone: not on the order of processes, nor on who asks for a value.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lightcone/lattice/decide/decision.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/trace.h>

#include <array>

#include "model/generators/arbitrary_globals.h"

namespace lightcone {
namespace {

using Modality = Global::Modality;

[[nodiscard]] bool is_found(const Computation& c, const std::string& question) {
  const auto file = parse_property_syntax("watch it : " + question, "it.prop");
  if (!file) RC_FAIL(file.error().text());
  const auto& global = std::get<Global>(file->properties[0].question);
  const GlobalPredicate predicate(c, *file, global.expression);
  Budget budget({});
  const Decision decision = decide(global.modality, predicate, c, {budget});
  RC_ASSERT(decision.found.has_value());
  return *decision.found;
}

/// The same computation with its processes the other way round.
[[nodiscard]] Computation turned_round(const Computation& c) {
  std::string text = write_trace_text(c, Format::jsonl);
  std::string header;
  for (ProcessIndex p = c.process_count(); p-- > 0;) {
    header += fmt::format("{}\"{}\"", header.empty() ? "" : ", ", c.process_name(p));
  }
  text = "{\"lightcone\": 1, \"processes\": [" + header + "]}" + text.substr(text.find('\n'));
  auto reading = read_trace_text(text, "turned", Format::jsonl);
  if (!reading) RC_FAIL(reading.error().text());
  return std::move(reading->computation);
}

constexpr std::array numbers{"1",
                             "0.1",
                             "9007199254740992",
                             "9007199254740993",
                             "9007199254740995",
                             "9007199254740996.0",
                             "9223372036854775807",
                             "-9223372036854775808",
                             "1e308"};

TEST(Values, AProcessAndAnAggregateAgreeOnThem) {
  arbitrary::for_all_globals("values", 600, [](const Computation& c, const Properties&) {
    const std::string sum =
        *rc::gen::elementOf(std::vector<std::string>(numbers.begin(), numbers.end()));
    const std::string bound =
        *rc::gen::elementOf(std::vector<std::string>(numbers.begin(), numbers.end()));
    const std::string relation = *rc::gen::element<std::string>("==", "!=", "<", ">=");
    for (ProcessIndex p = 0; p < c.process_count(); ++p) {
      const std::string process = fmt::format("\"{}\"", c.process_name(p));
      for (const char* modality : {"possibly", "definitely"}) {
        const auto ask = [&](const std::string& left) {
          return fmt::format("{} {} + {} {} {}", modality, left, sum, relation, bound);
        };
        const bool found = is_found(c, ask(process + ".x"));
        RC_ASSERT(is_found(c, fmt::format("{} any(x + {} {} {} in {})", modality, sum, relation,
                                          bound, process)) == found);
        RC_ASSERT(is_found(c, fmt::format("{} not all(not x + {} {} {} in {})", modality, sum,
                                          relation, bound, process)) == found);
      }
    }
  });
}

TEST(Values, TheOrderOfProcessesMakesNoDifference) {
  arbitrary::for_all_globals("orders", 600, [](const Computation& c, const Properties&) {
    const Computation other = turned_round(c);
    const std::string first = fmt::format("\"{}\".x", c.process_name(0));
    const std::string last = fmt::format("\"{}\".x", c.process_name(c.process_count() - 1));
    for (const char* bound : numbers) {
      for (const char* modality : {"possibly", "definitely", "properly"}) {
        for (const char* relation : {"==", ">"}) {
          const std::string question =
              fmt::format("{} sum(x) - 0.1 {} {}", modality, relation, bound);
          RC_ASSERT(is_found(c, question) == is_found(other, question));
          const auto sum = [&](const std::string& a, const std::string& b) {
            return fmt::format("{} {} + (0.1 + {}) {} {}", modality, a, b, relation, bound);
          };
          RC_ASSERT(is_found(c, sum(first, last)) == is_found(other, sum(last, first)));
        }
      }
    }
  });
}

}  // namespace
}  // namespace lightcone
