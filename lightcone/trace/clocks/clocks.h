// The `clocks` format: one event per line, `pid:(c0,...,cn-1)`, the clock after the event.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/computation.h>
#include <lightcone/error.h>
#include <lightcone/progress.h>
#include <lightcone/trace.h>

#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Reads events with dense clocks; `name` stands for the file in error messages.
[[nodiscard]] Expected<Reading> read_clocks(std::string_view text, const std::string& name,
                                            const ReadOptions& options = {});

/// Writes every event's clock; processes become numbers. Returns notes: what was left out.
[[nodiscard]] std::vector<std::string> write_clocks(const Computation& computation,
                                                    OutputFile& file,
                                                    const Progress& progress = {});

}  // namespace lightcone
