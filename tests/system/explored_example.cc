// Runs an example as `explore` would run it, and reads the report that it leaves.
#include "system/explored_example.h"

#include <lightcone/choices/recording.h>
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

ExplorationReport ExploredExample::explore(const std::string& example) const {
  RunOrders orders;
  orders.mode = RunOrders::Mode::explore;
  orders.directory = (folder() / "failures").string();
  orders.reports = folder().string();
  const Result ran =
      run(std::string(RunOrders::variable) + "='" + orders.text() + "' " + start(example));
  EXPECT_EQ(ran.status, 0) << ran.err;
  auto report = ExplorationReport::read(orders.reports);
  EXPECT_TRUE(report.has_value());
  for (const auto& failed : report->failures) {
    const Recording recording{.command = {"x"}, .contents = {}};
    EXPECT_TRUE(recording.write(orders.directory + '/' + std::to_string(failed.execution)));
  }
  return report.value_or(ExplorationReport());
}

std::string ExploredExample::first(const ExplorationReport& report) {
  return report.failures.empty() ? "none"
                                 : "failures/" + std::to_string(report.failures[0].execution);
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
  const std::string properties =
      std::string(LIGHTCONE_SOURCE_DIR) + "/examples/" + name + '/' + name + ".prop";
  const auto checked = run("lightcone check --json '" + properties + "' " + recording).json();
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
