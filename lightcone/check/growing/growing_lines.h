// Lines of a JSON Lines trace as events of a growing check.
#pragma once

#include <lightcone/monitor.h>
#include <lightcone/trace/jsonl/jsonl_parser.h>

#include <utility>
#include <vector>

namespace lightcone {

/// Hands parsed lines to a check, which must outlive this.
class GrowingLines {
 public:
  explicit GrowingLines(Monitor& check) : check_(check) {}

  /// A header that names processes names all of them.
  [[nodiscard]] Expected<void> add(const JsonlLines& lines, const JsonlLine& line);

 private:
  Monitor& check_;
  std::vector<std::pair<std::string_view, SpelledValue>> variables_;
};

}  // namespace lightcone
