// JSON Lines, the trace format that people and other programs write (docs/formats/jsonl.md).
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/trace.h>
#include <lightcone/trace/jsonl/jsonl_parser.h>
#include <lightcone/trace/reader_result.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Feeds a file to a builder piece by piece, never holding more of it than a piece.
[[nodiscard]] Expected<ReaderResult> feed_jsonl(InputFile& file, const std::string& name,
                                                const ReadOptions& options, Builder& builder);
/// Reads a file that is a trace.
[[nodiscard]] Expected<Reading> read_jsonl(InputFile& file, const std::string& name,
                                           const ReadOptions& options);
/// Reads a trace that is in memory.
[[nodiscard]] Expected<Reading> read_jsonl(std::string_view text, const std::string& name,
                                           const ReadOptions& options);

/// Reads a file, or a text in memory, whose lines this parser takes apart.
[[nodiscard]] Expected<Reading> read_lines(InputFile& file, LineParser& parser,
                                           const std::string& name, const ReadOptions& options);
[[nodiscard]] Expected<Reading> read_lines(std::string_view text, LineParser& parser,
                                           const std::string& name, const ReadOptions& options);

/// Writes the computation without loss.
void write_jsonl(const Computation& computation, OutputFile& file, const Progress& progress);

}  // namespace lightcone
