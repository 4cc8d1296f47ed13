// The report of an exploration as a JSON file.
#include <lightcone/explore/exploration_report.h>

#include <lightcone/base/file.h>
#include <lightcone/base/json.h>

namespace lightcone {
namespace {

[[nodiscard]] std::string report_path(const std::string& directory) {
  return directory + "/exploration.json";
}

}  // namespace

std::optional<ExplorationReport> ExplorationReport::read(const std::string& directory) {
  auto file = InputFile::open_regular(report_path(directory));
  if (!file) return std::nullopt;
  const auto json = Json::parse(file->read_all().value_or(std::string()));
  if (!json || !json->is_object()) return std::nullopt;
  ExplorationReport report;
  if (!json->read("executions", report.executions) || !json->read("failed", report.failed) ||
      !json->read("complete", report.complete) || !json->read("error", report.error)) {
    return std::nullopt;
  }
  if (json->contains("limited_polls") && !json->read("limited_polls", report.limited_polls)) {
    return std::nullopt;
  }
  const Json* const failures = json->find("failures");
  for (const Json& failure : failures == nullptr ? Json::Items() : failures->items()) {
    FailedExecution& read = report.failures.emplace_back();
    if (!failure.read("execution", read.execution) || !failure.read("why", read.why) ||
        (failure.contains("flips") && !failure.read("flips", read.flips.emplace()))) {
      return std::nullopt;
    }
  }
  return report;
}

Expected<void> ExplorationReport::write(const std::string& directory) const {
  Json json = {{"executions", executions},       {"failed", failed}, {"complete", complete},
               {"limited_polls", limited_polls}, {"error", error},   {"failures", Json::array()}};
  for (const FailedExecution& each : failures) {
    json["failures"].push_back({{"execution", each.execution}, {"why", each.why}});
    if (each.flips) json["failures"].back()["flips"] = *each.flips;
  }
  auto file = OutputFile::create(report_path(directory));
  if (!file) return failure(file.error());
  file->write(json.dump(Json::Layout::ascii_line));
  return file->commit();
}

}  // namespace lightcone
