// Feeds the files of a directory to one builder.
#include <lightcone/trace/directory.h>

#include <fmt/format.h>
#include <lightcone/base/file.h>
#include <lightcone/base/wording.h>
#include <lightcone/trace/jsonl/jsonl.h>
#include <lightcone/trace/lct/lct.h>
#include <lightcone/trace/reader_result.h>
#include <lightcone/trace/shiviz/shiviz.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lightcone {
namespace {

namespace fs = std::filesystem;

/// The files of a directory that are read, sorted by name.
struct TraceFiles {
  std::vector<std::string> paths;
  std::size_t logs_left_out = 0;  ///< they could be part of the trace, too
};

[[nodiscard]] Expected<TraceFiles> trace_files(const std::string& path) {
  std::vector<std::string> files, logs;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const std::string extension = fs::path(unpacked_name(it->path().native())).extension();
    const bool is_hidden = it->path().filename().native().starts_with('.');
    std::error_code unknown;  // a link to nowhere is no file
    const bool is_log = extension == ".log";
    const bool is_trace = (extension == ".lct" || extension == ".jsonl" || is_log) && !is_hidden;
    if (!is_trace || !it->exists(unknown) || it->is_directory(unknown)) continue;
    (is_log ? logs : files)
        .push_back(it->path());  // a FIFO or a device, too: opening it says what it is
  }
  if (error) return failure("cannot be read: " + error.message(), path);
  if (files.empty()) files = std::exchange(logs, {});  // a recording may hold logs of the program
  if (files.empty()) {
    return failure("is a directory without traces", path, 0,
                   "of a directory, the files named *.lct and *.jsonl are read, or else *.log");
  }
  std::sort(files.begin(), files.end());
  const bool is_recording = unpacked_name(files.front()).ends_with(".lct") ||
                            unpacked_name(files.back()).ends_with(".lct");
  const std::size_t left_out = is_recording ? 0 : logs.size();
  return TraceFiles{std::move(files), left_out};
}

class DirectoryReader {
 public:
  DirectoryReader(const std::string& path, const ReadOptions& options)
      : options_(options), builder_(path) {}

  [[nodiscard]] Expected<Reading> read(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      std::error_code unknown;
      const std::uintmax_t size = fs::file_size(file, unknown);
      if (!unknown) total_ += size;
    }
    for (const std::string& file : files) {
      auto fed = feed(file);
      if (!fed) return failure(std::move(fed.error()));
      join(std::move(*fed), file);
    }
    return finish_reading(builder_, std::move(all_), options_);
  }

 private:
  [[nodiscard]] Expected<ReaderResult> feed(const std::string& path) {
    auto file = InputFile::open_regular(path);
    if (!file) return failure(std::move(file.error()));
    builder_.begin_file(path);
    const std::uint64_t size = file->size();
    file->unpack(options_.cut_off ? TornEnd::ends : TornEnd::error);
    if (unpacked_name(path).ends_with(".jsonl")) {
      ReadOptions options = options_;
      if (options_.progress) {
        options.progress = [&](std::string_view doing, std::uint64_t done, std::uint64_t) {
          options_.progress(doing, std::min(done_ + done, total_), total_);
        };
      }
      auto fed = feed_jsonl(*file, path, options, builder_);
      done_ += size;
      auto torn = file->torn_note();
      if (fed && torn) fed->notes.push_back(std::move(*torn));
      return fed;
    }
    auto bytes = file->read_all();
    if (!bytes) return failure(std::move(bytes.error()));
    done_ += size;
    if (options_.progress) options_.progress("reading", done_, total_);
    return feed_lct(*bytes, path, FileScope::among_others, builder_);
  }

  void join(ReaderResult fed, const std::string& file) {
    for (const std::string& note : fed.notes) all_.notes.push_back(file + ": " + note);
    all_.cut_off = all_.cut_off || fed.cut_off;
    all_.lost_processes = all_.lost_processes || fed.lost_processes;
    all_.damaged = all_.damaged || fed.damaged;
    all_.lost_start = all_.lost_start || fed.lost_start;
    all_.gaps.insert(all_.gaps.end(), fed.gaps.begin(), fed.gaps.end());
    if (fed.header_extra.empty() || fed.header_extra == all_.header_extra) return;
    if (all_.header_extra.empty()) {
      all_.header_extra = std::move(fed.header_extra);
      header_file_ = file;
    } else {
      all_.notes.push_back(file + ": the unknown members of its header are left out, since " +
                           header_file_ + " has others");
    }
  }

  const ReadOptions& options_;
  Builder builder_;
  ReaderResult all_;
  std::string header_file_;  // whose unknown members are kept
  std::uint64_t done_ = 0, total_ = 0;
};

/// The logs of a directory as one log.
[[nodiscard]] Expected<Reading> read_logs(const std::string& path,
                                          const std::vector<std::string>& files,
                                          const ReadOptions& options) {
  std::vector<std::string> texts;
  texts.reserve(files.size());
  for (const std::string& name : files) {
    auto file = InputFile::open_regular(name);
    if (!file) return failure(std::move(file.error()));
    file->unpack();
    auto bytes = file->read_all();
    if (!bytes) return failure(std::move(bytes.error()));
    texts.push_back(std::move(*bytes));
  }
  std::vector<LogFile> logs;
  for (std::size_t i = 0; i < files.size(); ++i) logs.push_back({files[i], texts[i]});
  return read_shiviz(logs, path, options);
}

}  // namespace

bool is_directory(const std::string& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown);
}

Expected<Reading> read_directory(const std::string& path, const ReadOptions& options) {
  auto files = trace_files(path);
  if (!files) return failure(std::move(files.error()));
  if (unpacked_name(files->paths.front()).ends_with(".log")) {
    return read_logs(path, files->paths, options);
  }
  auto reading = DirectoryReader(path, options).read(files->paths);
  if (reading && files->logs_left_out > 0) {
    reading->notes.push_back(
        fmt::format("{}: {} left out, since there are *.jsonl files", path,
                    counted(files->logs_left_out, "*.log file was", "*.log files were")));
  }
  return reading;
}

}  // namespace lightcone
