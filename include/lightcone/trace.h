// Reading and writing traces of any format.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/progress.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

enum class Format {
  jsonl,
  lct,
  shiviz,
  clocks,
  otlp,
  jaeger,
  zipkin,
};

/// What is a process, where a trace has spans.
enum class ProcessBy : std::uint8_t { service, instance, thread, span };

/// Returns what this word names: `service`, `instance`, `thread`, `span`.
[[nodiscard]] Expected<ProcessBy> process_by_named(std::string_view name);

/// Options of readers. A reader ignores options of other formats.
struct ReadOptions {
  bool lenient = false;         ///< a receive without a send becomes an internal event
  bool cut_off = false;         ///< the ends of processes may be lost: see Reading::left_out
  bool lost_processes = false;  ///< with cut_off: all events of a process may be lost
  /// How many events processes are known to have had. A process with fewer was cut off.
  std::map<std::string, std::uint64_t, std::less<>> recorded_events = {};
  bool numbers = false;        ///< read texts as numbers, of variables that have no other values
  std::string regex = {};      ///< shiviz: the expression with groups host, clock, event
  std::string delimiter = {};  ///< shiviz: the expression that separates executions
  std::string execution = {};  ///< shiviz, spans: which of several executions
  ProcessBy process_by = ProcessBy::instance;  ///< spans: what is a process
  Progress progress = {};
};

/// The places of an incomplete trace where something is missing.
struct Doubts {
  std::vector<EventPlace> receives = {};  ///< events that lost a message which they received
  std::vector<EventPlace> gaps = {};      ///< events before which others of their process are lost
  bool at_start = false;                  ///< initial states may be lost

  [[nodiscard]] bool any() const { return !receives.empty() || !gaps.empty() || at_start; }
};

/// A computation, and notes of its reader.
///
/// If a trace was cut off, each process may have lost its last events. Then the greatest consistent
/// prefix is read: events that depend on lost events are left out. If other events are lost, the
/// computation is not the one that happened, and `doubts` says where.
struct Reading {
  Computation computation;
  std::vector<std::string> notes;  ///< what was lost, repaired or ignored, one sentence each
  /// If the trace was cut off: how many events were read that do not belong to the prefix.
  std::optional<std::uint64_t> left_out = {};
  /// Whether all of a process may be lost, also its initial state.
  bool lost_processes = false;
  Doubts doubts = {};
  /// Whether events are lost other than at the ends of processes: in the middle, or with `lenient`.
  bool incomplete = false;
};

/// Returns the format of this name, such as `jsonl`.
[[nodiscard]] Expected<Format> format_named(std::string_view name);
/// Returns the format of a file of this name, by its extension.
[[nodiscard]] Expected<Format> format_of(std::string_view path);
[[nodiscard]] std::string_view name_of(Format format);
[[nodiscard]] std::vector<Format> all_formats();
/// Returns whether Lightcone also writes this format.
[[nodiscard]] bool is_written(Format format);

/// Reads the file, or standard input for `-`. In a directory, all lct and JSON Lines files are one
/// trace, whatever the format asked for (lightcone/trace/directory.h).
[[nodiscard]] Expected<Reading> read_trace(const std::string& path, Format format,
                                           const ReadOptions& options = {});
/// Reads a trace in memory. `name` is used as the file in error messages.
[[nodiscard]] Expected<Reading> read_trace_text(std::string_view bytes, const std::string& name,
                                                Format format, const ReadOptions& options = {});

/// Writes the complete file or nothing (standard output for `-`). Returns notes about what this
/// format cannot hold.
[[nodiscard]] Expected<std::vector<std::string>> write_trace(const Computation& computation,
                                                             const std::string& path, Format format,
                                                             const Progress& progress = {});
/// The same, into memory.
[[nodiscard]] std::string write_trace_text(const Computation& computation, Format format);

}  // namespace lightcone
