// Prints the sentence about the extent of a report.
#include "print/extent.h"

#include <fmt/format.h>

#include "print/terminal.h"
#include "print/wording.h"

namespace lightcone::cli {

void print_extent(const Wholeness& wholeness) {
  const std::string sentence = extent_sentence(wholeness);
  if (!sentence.empty()) fmt::print("\n{}\n", wrapped(sentence, text_columns()));
}

}  // namespace lightcone::cli
