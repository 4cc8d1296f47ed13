// Reports as small files, one per process.
#include <lightcone/recording.h>

#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/run/report/run_progress.h>

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
  const Json json = {
      {"process", process}, {"why", name_of(why)}, {"event", event}, {"text", text}, {"pid", pid}};
  auto file = OutputFile::create(directory + "/" + file_name_of(process) + ".report");
  if (!file) return failure(file.error());
  file->write(json.dump(Json::Layout::ascii_line));
  return file->commit();
}

std::vector<RunReport> RunReport::read_all(const std::string& directory) {
  std::vector<RunReport> reports;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() != ".report") continue;
    const auto json = Json::parse(text_of_file(entry.path().string()));
    if (!json || !json->is_object()) continue;
    RunReport report;
    std::string why_name;
    if (!json->read("process", report.process) || !json->read("why", why_name) ||
        !json->read("event", report.event) || !json->read("text", report.text) ||
        !json->read("pid", report.pid)) {
      continue;
    }
    const auto why = std::find(names.begin(), names.end(), why_name);
    if (why == names.end()) continue;
    report.why = static_cast<Why>(why - names.begin());
    report.event = std::max(report.event, RunProgress::read(directory, report.process).value_or(0));
    reports.push_back(std::move(report));
  }
  std::sort(reports.begin(), reports.end(),
            [](const RunReport& a, const RunReport& b) { return a.process < b.process; });
  return reports;
}

}  // namespace lightcone
