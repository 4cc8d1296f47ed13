// Random global predicates are right, use every construct, and are worth asking.
#include "model/generators/arbitrary_globals.h"
#include "model/generators/condition_shape.h"

#include <gtest/gtest.h>
#include <lightcone/lattice/predicate/condition.h>

#include <map>
#include <string>

#include "model/definitions/global_definitions.h"

namespace lightcone {
namespace {

/// As many as it takes for shares to be reliable, under sanitizers as well.
constexpr int cases = 1000 * arbitrary::one_in;

struct Statistics {
  int asked = 0, found = 0;
  int on_the_way = 0, found_on_the_way = 0;  // where neither the first nor the last state decides

  void count(bool answer, bool at_ends) {
    ++asked;
    found += answer;
    on_the_way += !at_ends;
    found_on_the_way += !at_ends && answer;
  }
};

TEST(ArbitraryGlobals, AreOftenFoundAndOftenNot) {
  std::map<Global::Modality, Statistics> statistics;
  arbitrary::for_all_globals("answers", cases, [&](const Computation& c, const Properties& file) {
    RC_ASSERT(file.properties.size() == 3U);
    for (const Property& property : file.properties) {
      const auto& global = std::get<Global>(property.question);
      const definition::GlobalExpression expression(c, file, global.expression);
      definition::GlobalState end;
      for (ProcessIndex p = 0; p < c.process_count(); ++p) end.push_back(c.last_rank(p));
      const bool at_ends =
          expression.holds_at(definition::GlobalState(end.size(), 0)) || expression.holds_at(end);
      statistics[global.modality].count(definition::is_found(global, file, c), at_ends);
    }
  });
  ASSERT_EQ(statistics.size(), 3U);
  for (const auto& [modality, s] : statistics) {
    SCOPED_TRACE(static_cast<int>(modality));
    const std::string numbers = std::to_string(s.asked) + " " + std::to_string(s.found) + " " +
                                std::to_string(s.on_the_way) + " " +
                                std::to_string(s.found_on_the_way);
    EXPECT_GT(s.found, s.asked / 4) << numbers;
    EXPECT_LT(s.found, s.asked * 4 / 5) << numbers;
    EXPECT_GT(s.on_the_way, s.asked / 4) << numbers;
    EXPECT_GT(s.found_on_the_way, s.on_the_way / 100) << numbers;
  }
}

/// Counts what a condition is made of.
void count_forms(const Condition& condition, std::map<std::string, int>& forms) {
  const std::string shape = shape_of(condition);
  ++forms[shape.substr(0, shape.find('('))];
  for (const Condition& part : condition.parts) count_forms(part, forms);
}

TEST(ArbitraryGlobals, MakeConditionsOfEveryForm) {
  std::map<std::string, int> forms;
  int asked = 0;
  arbitrary::for_all_globals("forms", cases, [&](const Computation& c, const Properties& file) {
    for (const Property& property : file.properties) {
      const auto& global = std::get<Global>(property.question);
      count_forms(condition_of(GlobalPredicate(c, file, global.expression)), forms);
      ++asked;
    }
  });
  for (const char* form :
       {"true", "false", "local", "sum>=", "sum<=", "sum==", "term", "all", "any"}) {
    EXPECT_GT(forms[form], asked / 50) << form;
  }
}

TEST(ArbitraryGlobals, UseEveryConstruct) {
  std::string all;
  arbitrary::for_all_globals("text", cases, [&](const Computation&, const Properties& file) {
    for (const Group& group : file.groups) all += "group " + group.name + "\n";
    for (const DeclaredLabel& label : file.labels) all += "label " + label.name + "\n";
    for (const Property& property : file.properties) all += property.text + "\n";
  });
  for (const char* construct :
       {"group team", "group p1", "label busy", "label flag", "possibly ",  "definitely ",
        "properly ",  "count(",   "all(",       "any(",       "sum(x",      "sum(y",
        "min(",       "max(",     " in team)",  " in p1)",    ".flag",      ".busy",
        ".name == ",  " + ",      " - ",        " * ",        " / ",        " == ",
        " != ",       " < ",      " <= ",       " > ",        " >= ",       " and ",
        " or ",       "not ",     "\"ann\"",    "\"\"",       "true",       "false",
        "1 / 0",      "807",      ".5",         "event == ",  "process != "}) {
    EXPECT_NE(all.find(construct), std::string::npos) << construct;
  }
}

}  // namespace
}  // namespace lightcone
