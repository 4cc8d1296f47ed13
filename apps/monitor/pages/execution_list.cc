// Looks into the folder of kept executions.
#include "pages/execution_list.h"

#include <lightcone/base/utf8.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace lightcone::service {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_listed = 1000, longest_name = 200, most_verdicts = 100;

struct KeptFile {
  fs::file_time_type time;
  std::string name;
  std::uint64_t bytes = 0;
};

[[nodiscard]] std::vector<KeptFile> kept_files(const std::string& folder) {
  std::vector<KeptFile> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".lct" || !is_kept_name(name)) continue;
    files.push_back({entry.last_write_time(ignored), name, entry.file_size(ignored)});
  }
  std::ranges::sort(files, std::ranges::greater(), [](const KeptFile& file) { return file.time; });
  if (files.size() > most_listed) files.resize(most_listed);
  return files;
}

[[nodiscard]] double seconds_of(fs::file_time_type time) {
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::duration<double>(system.time_since_epoch()).count();
}

/// What was found, each property once, with at how many places.
[[nodiscard]] Json verdicts_of(const std::string& path, std::string& execution) {
  std::map<std::pair<std::string, std::string>, std::uint64_t> counts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = Json::parse(line);
    std::string property, verdict;
    if (!json || !json->read("property", property) || !json->read("verdict", verdict)) continue;
    static_cast<void>(json->read("execution", execution));
    bool is_final = false;
    static_cast<void>(json->read("final", is_final));
    counts[{property, verdict}] += is_final ? 0 : 1;
  }
  Json verdicts = Json::array();
  for (const auto& [what, count] : counts) {
    if (verdicts.items().size() == most_verdicts) break;
    verdicts.push_back(Json{{"property", what.first}, {"verdict", what.second}, {"count", count}});
  }
  return verdicts;
}

}  // namespace

/// `%20` is a space.
std::string execution_named(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned number = 0;
    const char* const end = name.data() + std::min(i + 3, name.size());
    if (name[i] == '%' &&
        std::from_chars(name.data() + i + 1, end, number, 16).ptr == name.data() + i + 3) {
      text += static_cast<char>(number);
      i += 2;
    } else {
      text += name[i];
    }
  }
  return as_utf8(text);
}

bool is_kept_name(const std::string& name) {
  return !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '%';
  });
}

Json execution_list(const std::vector<OpenExecutionSummary>& open, const std::string& folder) {
  Json document{{"lightcone", 1},
                {"keeps", !folder.empty()},
                {"open", Json::array()},
                {"kept", Json::array()}};
  for (const OpenExecutionSummary& one : open) {
    if (document["open"].items().size() == most_listed) break;
    document["open"].push_back(Json{{"execution", one.execution},
                                    {"name", one.name},
                                    {"processes", one.processes},
                                    {"events", one.events}});
  }
  if (folder.empty()) return document;
  for (const KeptFile& file : kept_files(folder)) {
    std::string execution = execution_named(file.name);
    Json verdicts = verdicts_of(folder + '/' + file.name + ".verdicts.jsonl", execution);
    document["kept"].push_back(Json{{"execution", execution},
                                    {"name", file.name},
                                    {"time", seconds_of(file.time)},
                                    {"bytes", file.bytes},
                                    {"verdicts", std::move(verdicts)}});
  }
  return document;
}

}  // namespace lightcone::service
