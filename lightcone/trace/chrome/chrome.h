// Chrome trace events: what ui.perfetto.dev opens and many programs write (docs/formats/chrome.md).
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/trace.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Reads a trace, event by event.
[[nodiscard]] Expected<Reading> read_chrome(InputFile& file, const std::string& name,
                                            const ReadOptions& options);
/// The same from memory.
[[nodiscard]] Expected<Reading> read_chrome(std::string_view text, const std::string& name,
                                            const ReadOptions& options);

/// Writes processes as threads, events as slices up to the next event, messages as flows. Returns
/// notes: what looks different there.
[[nodiscard]] std::vector<std::string> write_chrome(const Computation& computation,
                                                    OutputFile& file,
                                                    const Progress& progress = {});

}  // namespace lightcone
