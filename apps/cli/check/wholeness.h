// Whether a trace is complete, in JSON and in texts.
#pragma once

#include <lightcone/trace/trace.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lightcone::cli {

struct Wholeness {
  std::optional<std::uint64_t> left_out = {};  ///< of a trace that was cut off
  bool incomplete = false;                     ///< something is lost, and what is left is no prefix
};

[[nodiscard]] Wholeness wholeness_of(const Reading& reading);

/// Of what the figures and verdicts speak, in a sentence; empty for a whole trace.
[[nodiscard]] std::string extent_sentence(const Wholeness& wholeness);

/// Prints that sentence after an empty line, if there is one.
void print_extent(const Wholeness& wholeness);

}  // namespace lightcone::cli
