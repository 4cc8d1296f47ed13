// Writing any computation as OTLP JSON.
#pragma once

#include <lightcone/base/file.h>
#include <lightcone/computation.h>
#include <lightcone/progress.h>

#include <string>
#include <vector>

namespace lightcone {

/// Writes a span for each event, whose parent is the event before it in its process, with a link
/// for each message that it takes; one document per line. Returns notes: what was left out.
[[nodiscard]] std::vector<std::string> write_otlp(const Computation& computation, OutputFile& file,
                                                  const Progress& progress = {});

}  // namespace lightcone
