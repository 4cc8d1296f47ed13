// JSON logs of any shape: a mapping file says where the parts of an event are.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/trace.h>

#include <string>
#include <string_view>

namespace lightcone {

/// Reads a log by the map of the options, piece by piece.
[[nodiscard]] Expected<Reading> read_map(InputFile& file, const std::string& name,
                                         const ReadOptions& options);
/// The same from memory.
[[nodiscard]] Expected<Reading> read_map(std::string_view text, const std::string& name,
                                         const ReadOptions& options);

}  // namespace lightcone
