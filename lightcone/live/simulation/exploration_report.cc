// The report of an exploration as a JSON file.
#include <lightcone/live/simulation/exploration_report.h>

#include <lightcone/base/file.h>

#include <nlohmann/json.hpp>

namespace lightcone {
namespace {

[[nodiscard]] std::string report_path(const std::string& directory) {
  return directory + "/exploration.json";
}

}  // namespace

std::optional<ExplorationReport> ExplorationReport::read(const std::string& directory) {
  auto file = InputFile::open_regular(report_path(directory));
  if (!file) return std::nullopt;
  const auto json = nlohmann::json::parse(file->read_all().value_or(std::string()), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  ExplorationReport report;
  report.executions = json.value("executions", std::uint64_t{0});
  report.failed = json.value("failed", std::uint64_t{0});
  report.complete = json.value("complete", false);
  report.error = json.value("error", std::string());
  for (const auto& failure : json.value("failures", nlohmann::json::array())) {
    Failure& read = report.failures.emplace_back();
    read.execution = failure.value("execution", std::uint64_t{0});
    read.why = failure.value("why", std::string());
    if (failure.contains("flips")) read.flips = failure.value("flips", std::uint64_t{0});
  }
  return report;
}

Expected<void> ExplorationReport::write(const std::string& directory) const {
  nlohmann::ordered_json json = {{"executions", executions},
                                 {"failed", failed},
                                 {"complete", complete},
                                 {"error", error},
                                 {"failures", nlohmann::json::array()}};
  for (const Failure& each : failures) {
    json["failures"].push_back({{"execution", each.execution}, {"why", each.why}});
    if (each.flips) json["failures"].back()["flips"] = *each.flips;
  }
  auto file = OutputFile::create(report_path(directory));
  if (!file) return failure(file.error());
  file->write(json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  return file->commit();
}

}  // namespace lightcone
