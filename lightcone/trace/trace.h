// Reading and writing traces of any format.
#pragma once

#include <lightcone/causal/computation.h>
#include <lightcone/causal/error.h>
#include <lightcone/causal/progress.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

enum class Format { jsonl, lct, shiviz, clocks };

/// What a reader may be told; a reader ignores what does not concern its format.
struct ReadOptions {
  bool lenient = false;        ///< a receive without a send becomes an internal event
  std::string regex = {};      ///< shiviz: the expression with groups host, clock, event
  std::string delimiter = {};  ///< shiviz: the expression that separates executions
  std::string execution = {};  ///< shiviz: which of several executions
  Progress progress = {};
};

/// A computation, and what its reader has to say about how it was read.
struct Reading {
  Computation computation;
  std::vector<std::string> notes;  ///< each a sentence: what was lost, repaired or ignored
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
