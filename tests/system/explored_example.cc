// Command lines that explore, record, replay and check an example.
#include "system/explored_example.h"

#include <lightcone/recording.h>
#include <lightcone/trace/row_words.h>

namespace lightcone {
namespace {

[[nodiscard]] std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  auto rows = RecordedRows::open(path);
  if (!rows) return {rows.error().text()};
  while (const auto row = rows->next()) lines.push_back(row->line());
  return lines;
}

}  // namespace

std::string ExploredExample::start(const std::string& example) {
  return std::string(LIGHTCONE_EXAMPLES) + '/' + example;
}

std::string ExploredExample::properties_of(const std::string& name) {
  return std::string(LIGHTCONE_SOURCE_DIR) + "/examples/" + name + '/' + name + ".prop";
}

nlohmann::json ExploredExample::explore(const std::string& example,
                                        const std::string& options) const {
  const Result ran =
      run("timeout 120 lightcone explore --json " + options + " -- " + start(example));
  const auto found = ran.json();
  EXPECT_TRUE(found.is_object()) << ran.err;
  EXPECT_EQ(ran.status, found.is_object() && found["failed"] == 0 ? 0 : 1) << ran.out << ran.err;
  return found;
}

Shell::Result ExploredExample::record_failure(const std::string& example) const {
  constexpr int most_tries = 100;
  Result ran{};
  for (int i = 1; i <= most_tries && ran.status == 0; ++i) {
    std::filesystem::remove_all(folder() / "recorded");
    ran = run("lightcone record --out recorded -- " + start(example) + " --seed " +
              std::to_string(i));
  }
  EXPECT_EQ(ran.status, 1) << ran.err;
  return ran;
}

Shell::Result ExploredExample::replay(const std::string& recording,
                                      const std::string& example) const {
  const std::string recorded = (folder() / recording).string();
  std::filesystem::remove_all(folder() / "again");
  Result replayed = run("lightcone replay '" + recorded + "' --out again -- " + start(example));
  const auto processes = Recording::processes(recorded);
  EXPECT_TRUE(processes && !processes->empty());
  for (const std::string& process : processes.value_or(std::vector<std::string>())) {
    EXPECT_EQ(lines_of(Recording::trace_path((folder() / "again").string(), process)),
              lines_of(Recording::trace_path(recorded, process)))
        << process << '\n'
        << replayed.err;
  }
  return replayed;
}

nlohmann::json ExploredExample::check(const std::string& recording, const std::string& name) const {
  const auto checked =
      run("lightcone check --json '" + properties_of(name) + "' " + recording).json();
  return checked.is_object() ? checked["properties"][0] : checked;
}

int ExploredExample::failures_of(const std::string& example, int runs) const {
  int failures = 0;
  for (int i = 0; i < runs; ++i) {
    const Result ran = run("timeout 60 " + start(example));
    EXPECT_LE(ran.status, 1) << ran.err;
    if (ran.status != 0) ++failures;
  }
  return failures;
}

}  // namespace lightcone
