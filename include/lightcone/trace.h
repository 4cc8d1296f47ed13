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

enum class Format { jsonl, lct, shiviz, clocks };

/// What a reader may be told; a reader ignores what does not concern its format.
struct ReadOptions {
  bool lenient = false;         ///< a receive without a send becomes an internal event
  bool cut_off = false;         ///< the ends of processes may be lost: see Reading::left_out
  bool lost_processes = false;  ///< with it, all that a process said may be
  /// How many events processes are known to have had; one that has fewer was cut off.
  std::map<std::string, std::uint64_t, std::less<>> recorded_events = {};
  std::string regex = {};      ///< shiviz: the expression with groups host, clock, event
  std::string delimiter = {};  ///< shiviz: the expression that separates executions
  std::string execution = {};  ///< shiviz: which of several executions
  Progress progress = {};
};

/// The places of a trace that is not whole where something is missing.
struct Doubts {
  std::vector<EventPlace> receives = {};  ///< events that lost a message which they received
  std::vector<EventPlace> gaps = {};      ///< events before which others of their process are lost
  bool at_start = false;                  ///< initial states may be lost

  [[nodiscard]] bool any() const { return !receives.empty() || !gaps.empty() || at_start; }
};

/// A computation, and what its reader has to say about how it was read.
///
/// Of a trace that was cut off, so that each process may have lost its last events, the greatest
/// consistent prefix is read: events that depend on a lost one are left out. Otherwise, what is
/// lost leaves a computation that is not the one that happened, and `doubts` says where.
struct Reading {
  Computation computation;
  std::vector<std::string> notes;  ///< each a sentence: what was lost, repaired or ignored
  /// Of a trace that was cut off: how many events that were read do not belong to the prefix.
  std::optional<std::uint64_t> left_out = {};
  /// Whether of some process there may be nothing left, not even its initial state.
  bool lost_processes = false;
  Doubts doubts = {};
  /// Whether events are lost in a way that makes no prefix: in the middle, or `lenient`.
  bool incomplete = false;
};

/// The format that this name stands for: `jsonl`, `lct`, `shiviz`, `clocks`.
[[nodiscard]] Expected<Format> format_named(std::string_view name);
/// The format that a file of this name has, by its extension.
[[nodiscard]] Expected<Format> format_of(std::string_view path);
[[nodiscard]] std::string_view name_of(Format format);
[[nodiscard]] std::vector<Format> all_formats();

/// Reads the file, or standard input for `-`. A directory is the trace that its lct and JSON Lines
/// files make up together, whatever the format asked for (lightcone/trace/directory.h).
[[nodiscard]] Expected<Reading> read_trace(const std::string& path, Format format,
                                           const ReadOptions& options = {});
/// Reads a trace that is in memory; `name` stands for the file in error messages.
[[nodiscard]] Expected<Reading> read_trace_text(std::string_view bytes, const std::string& name,
                                                Format format, const ReadOptions& options = {});

/// Writes the file whole or not at all (standard output for `-`). Returns notes: what this
/// format cannot hold and was left out.
[[nodiscard]] Expected<std::vector<std::string>> write_trace(const Computation& computation,
                                                             const std::string& path, Format format,
                                                             const Progress& progress = {});
/// The same, into memory.
[[nodiscard]] std::string write_trace_text(const Computation& computation, Format format);

}  // namespace lightcone
