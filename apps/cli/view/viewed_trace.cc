// Watches the files of a trace, and reads them again.
#include "view/viewed_trace.h"

#include <fmt/format.h>
#include <lightcone/trace/directory.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace lightcone::cli {
namespace {

namespace fs = std::filesystem;

/// The sizes and times of the files of a trace. It changes when one of them is written to.
[[nodiscard]] std::string look_at(const std::string& path) {
  std::vector<fs::path> files;
  std::error_code ignored;
  if (is_directory(path)) {
    for (fs::directory_iterator at(path, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
      files.push_back(at->path());
    }
  } else if (path != "-") {
    files.emplace_back(path);
  }
  std::sort(files.begin(), files.end());
  std::string seen;
  for (const fs::path& file : files) {
    const auto size = fs::file_size(file, ignored);
    const auto time = fs::last_write_time(file, ignored);
    seen += fmt::format("{} {} {}\n", file.string(), size, time.time_since_epoch().count());
  }
  return seen;
}

}  // namespace

TraceSnapshot::TraceSnapshot(Reading reading, std::uint64_t version, const std::string& path)
    : version_(version),
      reading_(std::move(reading)),
      lines_(is_directory(path) ? SourceLines::read(path) : SourceLines()),
      space_time_(reading_.computation) {}

std::optional<std::string> TraceSnapshot::source(Row row) const {
  const auto source = computation().source(row);
  if (!source) return std::nullopt;
  const bool is_in_code = source->find("+0x") != std::string_view::npos;
  return is_in_code ? lines_(*source) : std::string(*source);
}

const InevitableCuts& TraceSnapshot::inevitable() const {
  const std::lock_guard lock(mutex_);
  if (!inevitable_) inevitable_ = std::make_unique<const InevitableCuts>(reading_.computation);
  return *inevitable_;
}

ViewedTrace::ViewedTrace(TraceArguments arguments, Reading reading, std::string name)
    : arguments_(std::move(arguments)),
      name_(name.empty() ? std::filesystem::path(arguments_.path).filename().string()
                         : std::move(name)),
      seen_(look_at(arguments_.path)),
      snapshot_(std::make_shared<const TraceSnapshot>(std::move(reading), 1, arguments_.path)) {}

std::shared_ptr<const TraceSnapshot> ViewedTrace::now() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

std::string ViewedTrace::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

/// A trace that is still being written may end in the middle of something.
Expected<Reading> ViewedTrace::read() const {
  const auto format = format_to_read(arguments_);
  if (!format) return failure(format.error());
  ReadOptions options = arguments_.options;
  if (is_directory(arguments_.path)) expect_recorded_end(arguments_.path, options);
  auto reading = read_trace(arguments_.path, *format, options);
  if (reading || options.cut_off) return reading;
  options.cut_off = true;
  auto prefix = read_trace(arguments_.path, *format, options);
  return prefix ? std::move(prefix) : std::move(reading);
}

void ViewedTrace::look_again() {
  std::string seen = look_at(arguments_.path);
  if (seen == seen_) return;
  seen_ = std::move(seen);
  auto reading = read();
  const std::uint64_t version = now()->version() + 1;
  std::shared_ptr<const TraceSnapshot> snapshot;
  if (reading) {
    snapshot = std::make_shared<const TraceSnapshot>(std::move(*reading), version, arguments_.path);
  }
  const std::lock_guard lock(mutex_);
  problem_ = reading ? std::string() : reading.error().text();
  if (snapshot) snapshot_ = std::move(snapshot);
}

}  // namespace lightcone::cli
