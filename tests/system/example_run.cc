// Reads what the processes of an example print, and compares it with the command's answer.
#include "system/example_run.h"

#include <regex>
#include <sstream>

namespace lightcone {

nlohmann::json ExampleRun::Told::property(const std::string& name) const {
  for (const auto& property : check["properties"]) {
    if (property["name"] == name) return property;
  }
  return {};
}

ExampleRun::Told ExampleRun::run_example(const std::string& name, bool bug) const {
  const std::string properties =
      std::string(LIGHTCONE_SOURCE_DIR) + "/examples/" + name + '/' + name + ".prop";
  std::filesystem::remove_all(folder() / "traces");
  std::filesystem::create_directory(folder() / "traces");
  const Result ran = run("timeout 60 '" + std::string(LIGHTCONE_EXAMPLES) + '/' + name + "' " +
                         (bug ? "--bug '" : "'") + properties + "' traces");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.err, "");
  Told told{ran.status, ran.out, {}, {}};
  const std::regex detection(R"(\w+: (\w+) at event (\d+) of (\w+)\b.*)");
  std::istringstream lines(ran.out);
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, parts, detection)) continue;
    const bool is_new = told.places[parts[1]].emplace(parts[3], std::stoull(parts[2])).second;
    EXPECT_TRUE(is_new) << "told twice: " << line;
  }
  const Result checked = run("lightcone check --json '" + properties + "' traces");
  told.check = checked.json();
  EXPECT_EQ(checked.status, bug ? 1 : 0) << checked.out << checked.err;
  EXPECT_EQ(checked.err, "");
  expect_the_same(told);
  return told;
}

/// Of a `require` the processes tell where it is missing, of others where it is found.
void ExampleRun::expect_the_same(const Told& told) const {
  ASSERT_TRUE(told.check.is_object());
  for (const auto& property : told.check["properties"]) {
    Places found;
    for (const auto& place : property["at"]) found.emplace(place["process"], place["event"]);
    const auto at = told.places.find(property["name"]);
    const Places places = at == told.places.end() ? Places() : at->second;
    if (property["verb"] != "require") {
      EXPECT_EQ(found, places) << property["name"];
      continue;
    }
    EXPECT_EQ(property["verdict"], places.empty() ? "pass" : "fail") << property["name"];
    for (const auto& place : places) EXPECT_EQ(found.count(place), 0U) << property["name"];
  }
}

}  // namespace lightcone
