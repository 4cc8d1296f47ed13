// Says what a report is about if its trace is not whole.
#include "check/wholeness.h"

#include <fmt/format.h>

#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {

Wholeness wholeness_of(const Reading& reading) { return {reading.left_out, reading.incomplete}; }

std::string extent_sentence(const Wholeness& wholeness) {
  if (wholeness.incomplete) {
    return "The trace is incomplete: this is true of what was read, not of the execution.";
  }
  if (!wholeness.left_out) return {};
  if (*wholeness.left_out == 0) {
    return "The trace was cut off: this is true of the part that was kept.";
  }
  return fmt::format(
      "The trace was cut off: this is true of the part that was kept, without {} that {} on what "
      "was lost.",
      counted(*wholeness.left_out, "event"), *wholeness.left_out == 1 ? "depends" : "depend");
}

void print_extent(const Wholeness& wholeness) {
  const std::string sentence = extent_sentence(wholeness);
  if (!sentence.empty()) fmt::print("\n{}\n", wrapped(sentence, 80));
}

}  // namespace lightcone::cli
