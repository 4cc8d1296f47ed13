// Names the files of a recording, and keeps what it says of itself.
#include <lightcone/recording.h>

#include <lightcone/base/file.h>
#include <lightcone/base/json.h>
#include <lightcone/run/journal/journal.h>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

constexpr int version = 1;
constexpr std::size_t longest_file_name = 160;
constexpr std::string_view journal_extension = ".journal", trace_extension = ".lct",
                           checkpoints_extension = ".checkpoints",
                           cancelled_extension = ".cancelled",  // of older versions
    sites_extension = ".sites";                                 // while a program runs
constexpr std::string_view description_file = "recording.json", sources_file = "sources.tsv";
constexpr std::uint64_t longest_description = 16 << 20;

[[nodiscard]] std::string description_path(const std::string& directory) {
  return fmt::format("{}/{}", directory, description_file);
}

/// Returns whether a recording may consist of this, among others.
[[nodiscard]] bool is_part(const std::filesystem::directory_entry& entry) {
  const std::filesystem::path name = entry.path().filename();
  if (entry.is_directory()) return name.native().starts_with(".replay-");
  return name == description_file || name.extension() == journal_extension ||
         name.extension() == trace_extension || name.extension() == checkpoints_extension ||
         name.extension() == cancelled_extension || name.extension() == sites_extension ||
         name == sources_file;
}

[[nodiscard]] std::string path_of(const std::string& directory, std::string_view process,
                                  std::string_view extension) {
  return fmt::format("{}/{}{}", directory, file_name_of(process), extension);
}

/// Returns all members but the signature.
[[nodiscard]] Json json_of(const Recording& recording) {
  Json json = {{"lightcone", version},
               {"command", recording.command},
               {"journal", recording.journal == JournalKind::races ? "races" : "full"},
               {"journal_only", recording.journal_only},
               {"contents", recording.contents}};
  if (recording.unbuffered) json["unbuffered"] = true;
  if (recording.digests) json["digests"] = true;
  if (!recording.failed.empty()) json["failed"] = recording.failed;
  if (!recording.folder.empty()) json["folder"] = recording.folder;
  return json;
}

/// Takes the members of a description; the first that is not as it should be is the error.
class DescriptionReader {
 public:
  DescriptionReader(Json json, const std::string& path) : json_(std::move(json)), path_(path) {}

  [[nodiscard]] Expected<Recording> read() {
    if (!json_.is_object())
      return failure("is not a JSON object: it does not describe a recording", path_);
    check_version();
    Recording recording;
    recording.command = texts("command");
    const std::string journal = text("journal", true);
    if (journal != "full" && journal != "races") refuse("journal", "\"full\" or \"races\"");
    recording.journal = journal == "races" ? JournalKind::races : JournalKind::full;
    recording.journal_only = truth("journal_only");
    recording.contents = texts("contents");
    recording.unbuffered = json_.contains("unbuffered") && truth("unbuffered");
    recording.digests = json_.contains("digests") && truth("digests");
    recording.failed = text("failed", false);
    recording.folder = text("folder", false);
    recording.signature = text("signature", false);
    if (error_) return failure(*error_);
    return recording;
  }

 private:
  void refuse(const char* name, const std::string& wanted) {
    if (error_) return;
    const std::string where =
        json_.contains(name) ? fmt::format("its member `{}`", name) : fmt::format("`{}`", name);
    const char* const how = json_.contains(name) ? "is not" : "is missing: it is";
    error_ = Error{
        fmt::format("does not describe a recording: {} {} {}", where, how, wanted), path_, 0,
        "restore the file from where it was recorded, or record the program again", 0,     {}};
  }
  void check_version() {
    const Json* found = json_.find("lightcone");
    if (found == nullptr || !found->is_integer()) {
      refuse("lightcone", "the number of a version");
    } else if (found->integer() != version) {
      error_ = Error{fmt::format("describes a recording of version {}, and only version {} can be "
                                 "read",
                                 found->dump(), version),
                     path_,
                     0,
                     "use the Lightcone that recorded it",
                     0,
                     {}};
    }
  }
  [[nodiscard]] std::string text(const char* name, bool needed) {
    std::string text;
    const bool is_there = !needed || json_.contains(name);
    if (!is_there || !json_.read(name, text)) refuse(name, "a text");
    return text;
  }
  [[nodiscard]] bool truth(const char* name) {
    bool truth = false;
    if (!json_.contains(name) || !json_.read(name, truth)) refuse(name, "true or false");
    return truth;
  }
  /// Words of a command, or names of processes: a text with a zero in it cannot be passed on.
  [[nodiscard]] std::vector<std::string> texts(const char* name) {
    std::vector<std::string> texts;
    const auto has_zero = [](const std::string& text) {
      return text.find('\0') != std::string::npos;
    };
    if (!json_.contains(name) || !json_.read(name, texts) || std::ranges::any_of(texts, has_zero)) {
      refuse(name, "a list of texts");
      return {};
    }
    return texts;
  }

  Json json_;
  const std::string& path_;
  std::optional<Error> error_;
};

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
      return failure(fmt::format("holds `{}`, which is not part of a recording",
                                 entry.path().filename().string()),
                     directory, 0, "choose another directory");
    }
    if (entry.path().filename() == description_file) {
      is_recording = true;
    } else {
      parts.push_back(entry.path());
    }
  }
  if (!error && !parts.empty() && !is_recording) {
    return failure("has traces, but is not a recording", directory, 0, "choose another directory");
  }
  parts.emplace_back(description_path(directory));  // last: until then it is a recording
  for (const fs::path& part : parts) {
    if (!error) fs::remove_all(part, error);
  }
  if (error) return failure("cannot be cleared: " + error.message(), directory);
  return {};
}

namespace {

/// A process that was killed before it began, or could not write anything, has an empty journal.
[[nodiscard]] Expected<bool> has_empty_journals(const std::string& directory) {
  std::error_code error, unknown;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const bool is_journal = entry.path().extension() == journal_extension;
    if (is_journal && entry.file_size(unknown) == 0) return true;
  }
  if (error) return failure("cannot be read: " + error.message(), directory);
  return false;
}

}  // namespace

Expected<std::vector<std::string>> Recording::processes(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() != journal_extension) continue;
    std::error_code unknown;
    if (entry.file_size(unknown) == 0) continue;
    const auto journal = Journal::open(entry.path().string());
    if (!journal) return failure(journal.error());
    names.push_back(journal->header().process);
  }
  if (error) return failure("cannot be read: " + error.message(), directory);
  std::sort(names.begin(), names.end());
  return names;
}

Expected<bool> Recording::is_complete(const std::string& directory) {
  const auto empty = has_empty_journals(directory);
  if (!empty || *empty) return empty ? Expected<bool>(false) : failure(empty.error());
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
  std::error_code unknown;
  if (std::filesystem::status(directory, unknown).type() == std::filesystem::file_type::not_found) {
    return failure("cannot be read: No such file or directory", directory, 0,
                   "`lightcone record -- COMMAND` makes a recording");
  }
  if (!std::filesystem::exists(path, unknown)) {
    return failure("is not a recording: it has no recording.json", directory, 0,
                   "`lightcone record -- COMMAND` makes one");
  }
  auto file = InputFile::open_regular(path);
  if (!file) return failure(file.error());
  if (file->size() > longest_description) return failure("is longer than 16 MiB", path);
  const auto text = file->read_all();
  if (!text) return failure(text.error());
  return DescriptionReader(Json::parse(*text).value_or(Json()), path).read();
}

std::string Recording::description() const { return json_of(*this).dump(Json::Layout::indented); }

Expected<void> Recording::write(const std::string& directory) const {
  Json json = json_of(*this);
  if (!signature.empty()) json["signature"] = signature;
  auto file = OutputFile::create(description_path(directory));
  if (!file) return failure(file.error());
  file->write(json.dump(Json::Layout::indented) + "\n");
  return file->commit();
}

}  // namespace lightcone
