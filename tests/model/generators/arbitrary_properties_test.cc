// Random property files are right, use every construct, and are worth asking.
#include "model/generators/arbitrary_properties.h"

#include "model/definitions/property_definitions.h"
#include "model/generators/arbitrary.h"

#include <gtest/gtest.h>
#include <lightcone/property/language/parser.h>

#include <map>
#include <string>

namespace lightcone {
namespace {

struct Statistics {
  int properties = 0, unknown = 0, nowhere = 0, somewhere = 0, everywhere = 0;

  void count(const std::optional<definition::Answer>& answer) {
    ++properties;
    if (!answer) {
      ++unknown;
    } else if (answer->found.empty()) {
      ++nowhere;
    } else {
      ++(answer->found == answer->asked ? everywhere : somewhere);
    }
  }
};

Property with_other_quantifier(Property property) {
  bool& every = std::get<Flow>(property.question).every;
  every = !every;
  return property;
}

TEST(ArbitraryProperties, AreOftenFoundSomewhereButNotEverywhere) {
  std::map<std::string, Statistics> statistics;
  int flows = 0, told_apart = 0;
  arbitrary::for_all_computations("random properties", 1000, [&](const Computation& c) {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = random_properties(random, arbitrary::property_options(c));
    const auto properties = parse_property_syntax(text, "random");
    if (!properties) RC_FAIL(properties.error().text() + "\n\n" + text);
    RC_ASSERT(properties->properties.size() == 6U);
    for (const Property& property : properties->properties) {
      const auto answer = definition::answer(*properties, property, c);
      const auto* flow = std::get_if<Flow>(&property.question);
      statistics[flow == nullptr ? "logic" : flow->longest ? "longest flow" : "flow"].count(answer);
      if (flow == nullptr || !answer) continue;
      ++flows;
      told_apart += definition::answer(*properties, with_other_quantifier(property), c) != answer;
    }
  });
  EXPECT_GT(told_apart, flows / 16) << "some and every say the same nearly always";
  ASSERT_EQ(statistics.size(), 3U);
  for (const auto& [kind, s] : statistics) {
    SCOPED_TRACE(kind);
    EXPECT_GT(s.somewhere, s.properties / 5);
    EXPECT_LT(s.unknown, s.properties / 20);
    EXPECT_GT(s.nowhere, s.properties / 50);
    EXPECT_GT(s.everywhere, s.properties / 50);
  }
}

TEST(ArbitraryProperties, UseEveryConstruct) {
  const arbitrary::PropertyOptions options{{"p1", "kv-2"}, {"a", "d-1"}, {"x"}};
  std::string all;
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) all += random_properties(random, options);
  for (const char* construct : {"group team =",
                                "*, ",
                                "label big",
                                "label a =",
                                "label x =",
                                "label \"odd one\"",
                                "process == \"kv-2\"",
                                "event != \"d-1\"",
                                " and ",
                                " or ",
                                "not ",
                                " == ",
                                " != ",
                                " < ",
                                " <= ",
                                " > ",
                                " >= ",
                                " + ",
                                " - ",
                                " * ",
                                " / ",
                                "forbid ",
                                "expect ",
                                "require ",
                                "watch ",
                                "some flow",
                                "every flow",
                                "some longest flow",
                                "every longest flow",
                                " over {",
                                ", \"d-1\"}",
                                " at !",
                                " at [^",
                                " at .",
                                " at a",
                                " at team:",
                                " matches",
                                " ends with",
                                " contains",
                                "\"kv-2\":",
                                "p1:a",
                                "[a a]",
                                "(",
                                ")*",
                                ")+",
                                ")?",
                                "a{2}",
                                "a{1,}",
                                "a{0,2}",
                                " -> ",
                                " without ",
                                " without [",
                                " | ",
                                ":= ",
                                " => ",
                                " <=> ",
                                "prev v",
                                "msg v",
                                "any v",
                                "initial",
                                "send",
                                "receive",
                                "external",
                                "true",
                                "false",
                                "detect v",
                                "#"}) {
    EXPECT_NE(all.find(construct), std::string::npos) << construct;
  }
}

}  // namespace
}  // namespace lightcone
