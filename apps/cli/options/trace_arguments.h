// The arguments of all commands that read a trace, and what they do.
#pragma once

#include <lightcone/executions.h>
#include <lightcone/trace.h>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lightcone::cli {

/// Which trace to read, and how.
struct TraceArguments {
  std::string path;
  std::string from;        ///< empty: told by the content or the extension
  std::string process_by;  ///< empty: as ReadOptions has it
  /// Whether the command reads another trace with these options, which may be for that one alone.
  bool is_one_of_two = false;
  ReadOptions options;

  /// Adds the argument, of this name, and the options to a command.
  void define(CLI::App& app, const std::string& name = "TRACE");
};

/// The names of all formats.
[[nodiscard]] const std::vector<std::string>& format_names();
/// Those that are written.
[[nodiscard]] const std::vector<std::string>& written_format_names();

/// The format named, or else what the content of a file to read shows, or else the one of the
/// path's extension; `option` is what would name it. A
/// directory to read has none of its own, and any will do.
[[nodiscard]] Expected<Format> choose_format(const std::string& name, const std::string& path,
                                             const std::string& option);

/// Returns an error if an option is for other formats than this one.
[[nodiscard]] Expected<void> options_fit(const TraceArguments& arguments, Format format);

/// The format of the trace to read, which --map or --regex may show, too. An option that readers
/// of this format do not know is an error.
[[nodiscard]] Expected<Format> format_to_read(const TraceArguments& arguments);

/// Where a directory is a recording, tells the reader how its processes ended.
void expect_recorded_end(const std::string& directory, ReadOptions& options);

/// Reads the trace, with a progress bar, and prints the notes on standard error.
[[nodiscard]] Expected<Reading> read_with_notes(const TraceArguments& arguments);

/// Reads the executions of a file that may have several, if the arguments do not choose one; with
/// a progress bar and notes. Nothing for any other trace.
[[nodiscard]] Expected<std::optional<Executions>> read_all_executions(
    const TraceArguments& arguments);

/// Reads one of them, and prints its notes.
[[nodiscard]] Expected<Reading> read_with_notes(const Executions& executions,
                                                std::size_t execution);

}  // namespace lightcone::cli
