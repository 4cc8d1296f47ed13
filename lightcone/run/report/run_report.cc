// Reports as small files, one per process.
#include <lightcone/recording.h>

#include <lightcone/base/file.h>
#include <lightcone/run/report/run_progress.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace lightcone {
namespace {

constexpr std::array<const char*, 8> names = {"ended", "diverged", "waits", "recording ended",
                                              "until", "stopped",  "runs",  "breaks off"};

[[nodiscard]] std::string text_of_file(const std::string& path) {
  auto file = InputFile::open_regular(path);
  if (!file) return {};
  return file->read_all().value_or(std::string());
}

}  // namespace

std::string_view RunReport::name_of(Why why) { return names[static_cast<std::size_t>(why)]; }

Expected<void> RunReport::write(const std::string& directory) const {
  const nlohmann::ordered_json json = {
      {"process", process}, {"why", name_of(why)}, {"event", event}, {"text", text}, {"pid", pid}};
  auto file = OutputFile::create(directory + "/" + file_name_of(process) + ".report");
  if (!file) return failure(file.error());
  file->write(json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  return file->commit();
}

std::vector<RunReport> RunReport::read_all(const std::string& directory) {
  std::vector<RunReport> reports;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".report") continue;
    const auto json = nlohmann::json::parse(text_of_file(entry.path().string()), nullptr, false);
    if (!json.is_object()) continue;
    RunReport report;
    report.process = json.value("process", std::string());
    const auto why = std::find(names.begin(), names.end(), json.value("why", std::string()));
    if (why == names.end()) continue;
    report.why = static_cast<Why>(why - names.begin());
    report.event = std::max(json.value("event", std::uint64_t{0}),
                            RunProgress::read(directory, report.process).value_or(0));
    report.text = json.value("text", std::string());
    report.pid = json.value("pid", std::int64_t{0});
    reports.push_back(std::move(report));
  }
  std::sort(reports.begin(), reports.end(),
            [](const RunReport& a, const RunReport& b) { return a.process < b.process; });
  return reports;
}

}  // namespace lightcone
