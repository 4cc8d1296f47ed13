// ShiViz logs: events that an expression finds in a text, each with a host and a vector clock.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/progress.h>
#include <lightcone/trace.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// What ShiViz uses where nothing else is said.
inline constexpr std::string_view shiviz_regex = R"re((?<event>.*)\n(?<host>\S*) (?<clock>{.*}))re";
/// The same with the clock first.
inline constexpr std::string_view shiviz_clock_first_regex =
    R"re((?<host>\S*) (?<clock>{.*})\n(?<event>.*))re";
inline constexpr std::string_view shiviz_delimiter = R"re(^=== (?<trace>.*) ===$)re";

/// Reads a log, or one of its executions; `name` stands for the file in error messages.
[[nodiscard]] Expected<Reading> read_shiviz(std::string_view text, const std::string& name,
                                            const ReadOptions& options = {});

/// A log, or a part of one.
struct LogFile {
  std::string name;
  std::string_view text;
};
/// Reads several files that are one log; `name` stands for all of them.
[[nodiscard]] Expected<Reading> read_shiviz(std::span<const LogFile> files, const std::string& name,
                                            const ReadOptions& options = {});

/// The names by which `ReadOptions::execution` chooses each execution of a log: its own, or if
/// another one has the same, its number.
[[nodiscard]] Expected<std::vector<std::string>> shiviz_executions(std::string_view text,
                                                                   const std::string& name,
                                                                   const ReadOptions& options);

/// Writes a log that the default expression matches. Returns notes: what was left out.
[[nodiscard]] std::vector<std::string> write_shiviz(const Computation& computation,
                                                    OutputFile& file,
                                                    const Progress& progress = {});

}  // namespace lightcone
