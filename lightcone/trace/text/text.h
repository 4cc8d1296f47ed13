// Any text whose lines name processes and messages, found by an expression with named groups.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/trace.h>

#include <string>
#include <string_view>

namespace lightcone {

/// Reads a log by the expression of the options, piece by piece.
[[nodiscard]] Expected<Reading> read_text(InputFile& file, const std::string& name,
                                          const ReadOptions& options);
/// The same from memory.
[[nodiscard]] Expected<Reading> read_text(std::string_view text, const std::string& name,
                                          const ReadOptions& options);

}  // namespace lightcone
