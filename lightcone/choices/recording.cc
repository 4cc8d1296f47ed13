// Names the files of a recording, and keeps what it says of itself.
#include <lightcone/choices/recording.h>

#include <lightcone/choices/journal.h>
#include <lightcone/trace/file.h>

#include <fmt/format.h>
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace lightcone {
namespace {

constexpr std::size_t longest_file_name = 160;
constexpr std::string_view journal_extension = ".journal", trace_extension = ".lct",
                           checkpoints_extension = ".checkpoints",
                           cancelled_extension = ".cancelled";  // that an adapter writes
constexpr std::string_view description = "recording.json";

[[nodiscard]] std::string description_path(const std::string& directory) {
  return fmt::format("{}/{}", directory, description);
}

/// Whether a recording may consist of this, among others.
[[nodiscard]] bool is_part(const std::filesystem::directory_entry& entry) {
  const std::filesystem::path name = entry.path().filename();
  if (entry.is_directory()) return name.native().starts_with(".replay-");
  return name == description || name.extension() == journal_extension ||
         name.extension() == trace_extension || name.extension() == checkpoints_extension ||
         name.extension() == cancelled_extension;
}

[[nodiscard]] std::string path_of(const std::string& directory, std::string_view process,
                                  std::string_view extension) {
  return fmt::format("{}/{}{}", directory, file_name_of(process), extension);
}

}  // namespace

std::string file_name_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ||
                       (c == '.' && !out.empty());
    out += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  if (out.size() <= longest_file_name && !out.empty()) return out;
  return fmt::format("{}%{:016x}", out.substr(0, longest_file_name),
                     XXH3_64bits(name.data(), name.size()));
}

std::string Recording::journal_path(const std::string& directory, std::string_view process) {
  return path_of(directory, process, journal_extension);
}

std::string Recording::checkpoints_path(const std::string& directory, std::string_view process) {
  return path_of(directory, process, checkpoints_extension);
}

std::string Recording::trace_path(const std::string& directory, std::string_view process) {
  return path_of(directory, process, trace_extension);
}

Expected<void> Recording::make_room(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return failure("cannot be made: " + error.message(), directory);
  std::vector<fs::path> parts;
  bool is_recording = false;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (!is_part(entry)) {
      return failure(fmt::format("holds `{}`, which is no part of a recording",
                                 entry.path().filename().string()),
                     directory, 0, "choose another directory");
    }
    if (entry.path().filename() == description) {
      is_recording = true;
    } else {
      parts.push_back(entry.path());
    }
  }
  if (!error && !parts.empty() && !is_recording) {
    return failure("holds traces, and is no recording", directory, 0, "choose another directory");
  }
  parts.emplace_back(description_path(directory));  // last: until then it is a recording
  for (const fs::path& part : parts) {
    if (!error) fs::remove_all(part, error);
  }
  if (error) return failure("cannot be cleared: " + error.message(), directory);
  return {};
}

Expected<std::vector<std::string>> Recording::processes(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() != journal_extension) continue;
    std::error_code unknown;
    if (entry.file_size(unknown) == 0) continue;  // its process was killed before it began
    const auto journal = Journal::open(entry.path().string());
    if (!journal) return failure(journal.error());
    names.push_back(journal->header().process);
  }
  if (error) return failure("cannot be read: " + error.message(), directory);
  std::sort(names.begin(), names.end());
  return names;
}

Expected<bool> Recording::is_complete(const std::string& directory) {
  const auto names = processes(directory);
  if (!names) return failure(names.error());
  for (const std::string& name : *names) {
    auto journal = Journal::open(journal_path(directory, name));
    if (!journal) return failure(journal.error());
    for (auto there = journal->next_block(); there && *there;) there = journal->next_block();
    if (!journal->ended()) return false;
  }
  return true;
}

Expected<Recording> Recording::read(const std::string& directory) {
  const std::string path = description_path(directory);
  auto file = InputFile::open(path);
  if (!file) {
    return failure("is no recording: it has no recording.json", directory, 0,
                   "`lightcone record -- COMMAND` makes one");
  }
  auto text = file->read_all();
  if (!text) return failure(text.error());
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || json.value("lightcone", 0) != 1) {
    return failure("does not describe a recording", path);
  }
  try {
    Recording recording;
    recording.command = json.at("command").get<std::vector<std::string>>();
    recording.journal =
        json.at("journal").get<std::string>() == "races" ? JournalKind::races : JournalKind::full;
    recording.journal_only = json.at("journal_only").get<bool>();
    recording.contents = json.at("contents").get<std::vector<std::string>>();
    return recording;
  } catch (const nlohmann::json::exception&) {
    return failure("does not describe a recording", path);
  }
}

Expected<void> Recording::write(const std::string& directory) const {
  const nlohmann::ordered_json json = {
      {"lightcone", 1},
      {"command", command},
      {"journal", journal == JournalKind::races ? "races" : "full"},
      {"journal_only", journal_only},
      {"contents", contents}};
  auto file = OutputFile::create(description_path(directory));
  if (!file) return failure(file.error());
  file->write(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  return file->commit();
}

}  // namespace lightcone
