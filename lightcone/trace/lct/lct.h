// lct, Lightcone's own binary trace format (docs/formats/lct.md).
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/trace.h>
#include <lightcone/trace/reader_result.h>

#include <string>
#include <string_view>

namespace lightcone {

/// Feeds every whole block to a builder; what a torn or damaged file has lost is said in the notes.
[[nodiscard]] Expected<ReaderResult> feed_lct(std::string_view bytes, const std::string& name,
                                              FileScope scope, Builder& builder);
/// Reads a file that is a trace.
[[nodiscard]] Expected<Reading> read_lct(std::string_view bytes, const std::string& name,
                                         const ReadOptions& options);

/// Writes the computation without loss.
void write_lct(const Computation& computation, OutputFile& file, const Progress& progress);

}  // namespace lightcone
