// The cheaper riders agree with the general one where they may be used, and else notice it.
#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>
#include <lightcone/riders/inspection.h>
#include <lightcone/trace.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace lightcone {
namespace {

/// The same computation, with the label `s` on every send, and `r` on every receive if asked.
[[nodiscard]] Computation with_visible(const Computation& c, bool receives) {
  std::istringstream lines(write_trace_text(c, Format::jsonl));
  std::string text, line;
  while (std::getline(lines, line)) {
    auto json = nlohmann::ordered_json::parse(line);
    const auto kind = json.value("kind", "");
    if (kind == "send" || json.contains("sends")) json["labels"].push_back("s");
    if (kind == "receive" && receives) json["labels"].push_back("r");
    text += json.dump() + "\n";
  }
  auto reading = read_trace_text(text, "trace", Format::jsonl);
  EXPECT_TRUE(reading) << reading.error().text();
  return std::move(reading->computation);
}

constexpr std::string_view properties = R"(
  watch p1 : some longest flow over {s, r, a} contains a -> s without b
  watch p2 : every longest flow over {s, r, a} contains a -> s
  watch p3 : some longest flow over {s, r, a} matches (s | r a?)* a
  watch p4 : every longest flow over {s, r, a} ends with s r? | a{1,2}
  watch p5 : some longest flow over {s, r, a} at a matches .{3,5}
)";

[[nodiscard]] std::vector<Row> found(const Inspection& inspection, std::uint32_t property) {
  std::vector<Row> rows;
  for (Row row = 0; row < inspection.computation().row_count(); ++row) {
    if (inspection.answer(property)->found_at(row)) rows.push_back(row);
  }
  return rows;
}

/// How often each method was used.
using Uses = std::map<std::string, int>;

void compare(const Computation& c, std::optional<Visibility> assumed, Uses& uses) {
  auto parsed = parse_property_syntax(properties, "properties");
  const auto compiled = CompiledProperties::compile(std::move(*parsed));
  const Inspection general(compiled, c, Visibility::any);
  const Inspection special(compiled, c, assumed);
  for (std::uint32_t i = 0; i < 5; ++i) {
    ++uses[special.method(i)];
    if (special.answer(i) == nullptr && assumed) continue;
    RC_ASSERT(special.answer(i) != nullptr);
    RC_ASSERT(found(special, i) == found(general, i));
    RC_ASSERT(special.answer(i)->asked_count() == general.answer(i)->asked_count());
  }
}

TEST(Visibility, CheaperRidersAgreeWithTheGeneralOne) {
  Uses uses;
  arbitrary::for_all_computations("visible communications", 500, [&](const Computation& c) {
    compare(with_visible(c, true), {}, uses);
  });
  arbitrary::for_all_computations("visible participation", 500, [&](const Computation& c) {
    compare(with_visible(c, false), {}, uses);
  });
  EXPECT_GT(uses["LO vectors and one set, since all communications are visible"],
            500 / arbitrary::one_in);
  EXPECT_GT(uses["LO vectors and one set, since no participation is invisible"],
            500 / arbitrary::one_in);
}

TEST(Visibility, AWrongAssumptionIsNoticed) {
  Uses uses;
  for (const Visibility assumed : {Visibility::participation, Visibility::communications}) {
    arbitrary::for_all_computations("a wrong assumption", 500, [&](const Computation& c) {
      compare(c, assumed, uses);
      compare(with_visible(c, false), assumed, uses);
    });
  }
  EXPECT_GT(uses["the assumption is broken: not answered"], 500 / arbitrary::one_in);
}

}  // namespace
}  // namespace lightcone
