// Finds out the format of a trace, and reads it.
#include "options/trace_arguments.h"

#include <fmt/format.h>
#include <lightcone/causal/builder.h>
#include <lightcone/recording.h>
#include <lightcone/run/recording/recorded_end.h>
#include <lightcone/trace/directory.h>
#include <lightcone/trace/format_detection.h>
#include <lightcone/trace/span_files.h>

#include <string_view>

#include "print/progress_bar.h"
#include "program.h"

namespace lightcone::cli {

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Format format : all_formats()) {
      all.emplace_back(name_of(format));
    }
    return all;
  }();
  return names;
}

const std::vector<std::string>& written_format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> written;
    for (const Format format : all_formats()) {
      if (is_written(format)) written.emplace_back(name_of(format));
    }
    return written;
  }();
  return names;
}

namespace {

/// An option that only readers of some formats know.
struct FormatOption {
  std::string_view name;
  bool is_given;
  bool is_known;  ///< to the reader of the format
  std::string_view formats;
};

}  // namespace

Expected<void> options_fit(const TraceArguments& arguments, Format format) {
  if (arguments.is_one_of_two) return {};
  const ReadOptions& options = arguments.options;
  // All files of a directory are lct and JSON Lines, or else ShiViz logs.
  const bool is_folder = is_directory(arguments.path);
  const bool has_clocks = format == Format::shiviz || is_folder;
  const FormatOption all[] = {
      {"--regex", !options.regex.empty(), has_clocks || format == Format::text, "shiviz and text"},
      {"--delimiter", !options.delimiter.empty(), has_clocks, "shiviz"},
      {"--map", !options.map.empty(), format == Format::map, "map"},
      {"--regions", !options.regions.empty(), format == Format::otf2, "otf2"},
      {"--process-by", !arguments.process_by.empty(), has_spans(format), "otlp, jaeger, zipkin"},
      {"--execution", !options.execution.empty(), has_executions(format) || is_folder,
       "files of several executions: otlp, jaeger, zipkin, shiviz"},
  };
  for (const FormatOption& option : all) {
    if (!option.is_given || option.is_known) continue;
    const std::string what =
        is_folder ? "is a directory" : fmt::format("is of the format {}", name_of(format));
    return failure(fmt::format("{}, and {} is for {}", what, option.name, option.formats),
                   arguments.path == "-" ? "standard input" : arguments.path, 0,
                   fmt::format("leave out {}", option.name));
  }
  return {};
}

Expected<Format> format_to_read(const TraceArguments& arguments) {
  const bool is_told = !arguments.from.empty() || is_directory(arguments.path);
  const auto told = format_told_by(arguments.options);
  auto format = !is_told && told ? Expected<Format>(*told)
                                 : choose_format(arguments.from, arguments.path, "--from");
  if (!format) return format;
  if (auto fit = options_fit(arguments, *format); !fit) return failure(std::move(fit.error()));
  return format;
}

Expected<Format> choose_format(const std::string& name, const std::string& path,
                               const std::string& option) {
  if (option == "--from" && is_directory(path)) {
    if (name.empty()) return Format::lct;  // which does not matter: each file tells its own
    return failure("is a directory: the extension of each file shows its format", path, 0,
                   "leave out --from");
  }
  if (!name.empty()) return format_named(name);
  const bool is_read = option == "--from";
  if (path == "-" && !is_read) {
    return failure("standard output has no extension that shows its format", {}, 0,
                   fmt::format("name it, as `{} jsonl`", option));
  }
  if (path.empty()) return failure("the name of a file is empty");
  auto format = is_read ? detect_format(path) : format_of(path);
  // Without a hint there is no such file, and other errors know better.
  const bool is_unknown = !format && format.error().hint.starts_with("name ");
  if (!is_unknown) return format;
  Error error = std::move(format.error());
  const auto& names = is_read ? format_names() : written_format_names();
  error.hint = fmt::format("name it with {}: {}", option, fmt::join(names, ", "));
  if (is_read) {
    if (path != "-") error.what = "neither its content nor its name shows its format";
    error.hint += "; --map and --regex read logs";
  }
  return failure(std::move(error));
}

namespace {

[[nodiscard]] Error explained(Error error, const std::string& path) {
  if (!is_directory(path)) return error;
  if (error.what.find(never_sent) != std::string::npos) {
    error.hint =
        "if the program was killed, --cut-off leaves out the events that depend on lost messages";
    return error;
  }
  const auto recording = Recording::read(path);
  if (recording && recording->journal_only) {
    error.hint = "`lightcone replay` writes the traces of a recording that has only journals";
  }
  return error;
}

}  // namespace

void expect_recorded_end(const std::string& directory, ReadOptions& options) {
  auto end = recorded_end(directory);
  if (!end) return;
  options.cut_off = options.cut_off || end->cut_off;
  options.lost_processes = end->lost_processes;
  options.recorded_events = std::move(end->events);
}

Expected<Reading> read_with_notes(const TraceArguments& arguments) {
  const auto format = format_to_read(arguments);
  if (!format) return failure(format.error());
  ProgressBar bar;
  ReadOptions options = arguments.options;
  options.progress = bar.progress();
  if (is_directory(arguments.path)) expect_recorded_end(arguments.path, options);
  auto reading = read_trace(arguments.path, *format, options);
  bar.clear();
  if (!reading) return failure(explained(std::move(reading.error()), arguments.path));
  for (const std::string& note : reading->notes) report_note(note);
  return reading;
}

Expected<std::optional<Executions>> read_all_executions(const TraceArguments& arguments) {
  const bool is_chosen = !arguments.options.execution.empty();
  if (is_chosen || is_directory(arguments.path)) return std::nullopt;
  const auto format = format_to_read(arguments);
  if (!format) return failure(format.error());
  if (!has_executions(*format)) return std::nullopt;
  ProgressBar bar;
  ReadOptions options = arguments.options;
  options.progress = bar.progress();
  auto executions = read_executions(arguments.path, *format, options);
  bar.clear();
  if (!executions) return failure(std::move(executions.error()));
  for (const std::string& note : executions->notes()) report_note(note);
  return std::optional<Executions>(std::move(*executions));
}

Expected<Reading> read_with_notes(const Executions& executions, std::size_t execution) {
  auto reading = executions.read(execution);
  if (!reading) return reading;
  for (const std::string& note : reading->notes) report_note(note);
  return reading;
}

}  // namespace lightcone::cli
