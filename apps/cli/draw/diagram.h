// Space-time diagrams of small computations, in text.
#pragma once

#include <lightcone/computation.h>

#include <string>

#include "print/terminal.h"

namespace lightcone::cli {

struct DiagramStyle {
  bool unicode = false;
  Paint paint = Paint(false);
  std::size_t columns = 80;
};

/// A row for each process, time from left to right, a column for each event; messages are lines
/// from the send, which shows the name, to the arrowhead that is the receive. What does not fit
/// is left out at the right: what is drawn is a causal past, and the last line says so.
[[nodiscard]] std::string diagram(const Computation& computation, const DiagramStyle& style);

}  // namespace lightcone::cli
