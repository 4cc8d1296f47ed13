// Tables for people: aligned columns under a heading.
#pragma once

#include <string>
#include <vector>

#include "print/terminal.h"

namespace lightcone::cli {

/// Rows of text, laid out when all are known. Cells may carry colour.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string heading;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Shortens the texts of the last column, which may have any length, so that lines fit the width
  /// of the terminal as far as there is room. They carry no colour.
  void fit_last();
  /// The table, each line indented by two spaces; a column without any text is left out.
  [[nodiscard]] std::string text(const Paint& paint) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lightcone::cli
