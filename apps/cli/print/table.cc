// Lays out tables.
#include "print/table.h"

#include <algorithm>

namespace lightcone::cli {

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      widths[c] = std::max(widths[c], display_width(row[c]));
    }
  }
  for (std::size_t c = 0; c < widths.size(); ++c) {
    if (widths[c] > 0) widths[c] = std::max(widths[c], display_width(columns_[c].heading));
  }
  return widths;
}

void Table::fit_last() {
  std::size_t others = 2;
  const std::vector<std::size_t> width = widths();
  for (std::size_t c = 0; c + 1 < columns_.size(); ++c) others += width[c] > 0 ? width[c] + 2 : 0;
  for (auto& row : rows_) {
    if (row.size() == columns_.size()) row.back() = printable(row.back(), cell_columns(others));
  }
}

std::string Table::text(const Paint& paint) const {
  const std::vector<std::size_t> width = widths();
  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (width[c] == 0) continue;
      const std::string cell = cell_of(c);
      const std::string padding(width[c] - std::min(width[c], display_width(cell)), ' ');
      line += "  " + (columns_[c].align == Align::right ? padding + cell : cell + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add_line([&](std::size_t c) { return paint.dim(columns_[c].heading); });
  for (const auto& row : rows_) {
    add_line([&](std::size_t c) { return c < row.size() ? row[c] : std::string(); });
  }
  return out;
}

}  // namespace lightcone::cli
