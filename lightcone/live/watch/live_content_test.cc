// Labels that were seen before are found as those that are new are.
#include <gtest/gtest.h>
#include <lightcone/live/watch/live_content.h>
#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/language/parser.h>

#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {
namespace {

/// The definition: each name that a property has is itself, all others are one.
TEST(LiveContent, LabelsThatSharePlacesAreToldApart) {
  const auto compiled = CompiledProperties::compile(*parse_property_syntax(
      "watch a : some flow contains put -> get -> ask12 -> a -> \"call Charge\"\n", "test"));
  const std::set<std::string> named = {"put", "get", "ask12", "a", "call Charge"};
  LiveContent content(compiled.vocabulary(), LiveContent::Texts::forgotten);
  std::vector<std::string> all(named.begin(), named.end());
  all.emplace_back();
  for (int i = 0; i < 100; ++i) all.push_back("ask" + std::to_string(i));
  std::mt19937 random(1);
  std::map<std::set<NameIndex>, NameSetIndex> sets;
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::string_view> labels;
    for (std::size_t n = random() % 4; n > 0; --n) labels.push_back(all[random() % all.size()]);
    LiveState state;
    state.labels = std::span<const std::string_view>(labels);
    const StateContent shown = content.of(Kind::internal, state);
    std::set<NameIndex> expected;
    for (const std::string_view label : labels) {
      const NameIndex other = content.names().find("\x01");
      expected.insert(named.contains(std::string(label)) ? content.names().find(label) : other);
    }
    EXPECT_EQ(std::set<NameIndex>(shown.labels.begin(), shown.labels.end()), expected);
    EXPECT_EQ(sets.try_emplace(expected, shown.label_set).first->second, shown.label_set);
  }
  EXPECT_GT(sets.size(), 10U);
}

}  // namespace
}  // namespace lightcone
