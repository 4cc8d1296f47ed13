// Lines of any text as events, by an expression with named groups.
#pragma once

#include <lightcone/base/regular_expression.h>
#include <lightcone/error.h>
#include <lightcone/trace/jsonl/jsonl_parser.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lightcone {

/// Takes lines apart in which an expression finds events.
class TextLines final : public LineParser {
 public:
  /// `log` is the name of the log, of which events keep their line.
  [[nodiscard]] static Expected<std::unique_ptr<TextLines>> with_expression(
      const std::string& expression, const std::string& log);

  std::uint64_t parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into) override;
  [[nodiscard]] bool has_objects() const override { return false; }
  /// What was skipped or repaired.
  [[nodiscard]] std::vector<std::string> notes() const;
  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// The first line that does not match, for a hint.
  [[nodiscard]] const std::string& first_other_line() const { return first_other_line_; }

 private:
  using Group = std::optional<std::uint32_t>;
  struct Groups {
    Group process, kind, message, send, receive, text, time, label, labels, to;
  };

  TextLines(RegularExpression expression, const std::string& log);
  [[nodiscard]] Expected<void> find_groups();
  [[nodiscard]] Expected<void> add_event(std::uint64_t number, JsonlLines& into);
  [[nodiscard]] Expected<void> set_messages(JsonlLine& line, JsonlLines& into) const;
  void set_labels(JsonlLine& line, JsonlLines& into) const;
  [[nodiscard]] std::string_view group(Group number) const;

  RegularExpression expression_;
  Matches matches_;
  std::string log_;  // without folders
  Groups groups_;
  std::vector<std::pair<std::string, std::uint32_t>> variables_;
  std::string repaired_;
  std::string first_other_line_;
  std::uint64_t events_ = 0, unmatched_ = 0, repaired_lines_ = 0;
};

}  // namespace lightcone
