// Where the states of a window stand from left to right, so that no two texts touch.
#pragma once

#include <lightcone/computation.h>

#include <string>
#include <vector>

#include "draw/picture_window.h"
#include "draw/svg_style.h"

namespace lightcone::cli {

/// A text above or below a state. It gives way to arrows: one that leaves at its side of the line
/// goes right, one that comes, comes from the left.
struct SideText {
  double size = label_size;
  std::string text = {};
  bool arrow_leaves = false, arrow_comes = false;

  /// Returns how far it reaches to the left and to the right of the state.
  [[nodiscard]] double before() const;
  [[nodiscard]] double after() const { return text_width(text, size) - before(); }
};

/// What stands beside a state.
struct StateTexts {
  SideText above{label_size}, below{small_size};
  bool message_name = false;  ///< what stands above

  [[nodiscard]] double before() const;
  [[nodiscard]] double after() const;
};

struct Layout {
  std::vector<std::string> names;  ///< of the lines
  std::vector<StateTexts> texts;   ///< of the states
  std::vector<double> x;           ///< of the states
  double left = 0, right = 0;      ///< where the lines begin and end
  std::string gap_words;
  double gap_begin = 0, gap_end = 0;
  std::vector<double> cut;  ///< where it crosses each line; empty: there is none
};

/// Each column stands as far left as the texts beside its states and those before them let it.
[[nodiscard]] Layout picture_layout(const Computation& computation, const Window& window);

/// Returns whether this is the first state shown of its process.
[[nodiscard]] bool is_first(const Window& window, std::size_t state);

/// What stands on the line before a state when events are left out there; may be empty.
[[nodiscard]] std::string hidden_words(const Window& window, std::size_t state);

}  // namespace lightcone::cli
