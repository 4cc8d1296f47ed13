// Space-time diagrams of the surroundings of a causal path or of a global state, as SVG.
#pragma once

#include <lightcone/computation.h>

#include <string>
#include <vector>

namespace lightcone::cli {

/// A moment in the life of a process: its event of this rank, or (0) its initial state.
struct Moment {
  ProcessIndex process = 0;
  Rank rank = 0;
  friend bool operator==(const Moment&, const Moment&) = default;
};

/// What stands above a moment, instead of its labels.
struct MomentNote {
  Moment at = {};
  std::string text = {};
};

/// What a picture is about.
struct Picture {
  std::vector<Moment> path = {};    ///< in causal order, from each to the next; highlighted
  std::vector<Moment> marked = {};  ///< others to point out
  /// A consistent global state, the rank of each process's last event inside; empty: none. A
  /// picture of one has no path.
  std::vector<Rank> cut = {};
  std::vector<MomentNote> notes = {};
  std::string title = {};
  std::string subtitle = {};
};

/// Draws the events around the path: time runs from left to right, a line for each process that
/// takes part, arrows for messages. Consecutive moments of the path need not be neighbours: the
/// highlight follows real causes between them. A long path shows its beginning and its end. A cut
/// is a line from top to bottom: what is inside stands left of it, whatever is outside, right. The
/// text is a whole SVG document, which needs nothing else and has no scripts.
[[nodiscard]] std::string space_time_svg(const Computation& computation, const Picture& picture);

}  // namespace lightcone::cli
