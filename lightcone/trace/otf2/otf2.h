// OTF2 archives, which Score-P and other tools for high-performance computing write.
#pragma once

#include <lightcone/trace.h>

#include <string>

namespace lightcone {

/// Reads the archive whose anchor file (`traces.otf2`) this is, by the program `lightcone-otf2`.
[[nodiscard]] Expected<Reading> read_otf2(const std::string& path, const ReadOptions& options);

}  // namespace lightcone
