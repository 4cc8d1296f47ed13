// Regular expressions as users of logs write them: JavaScript's, with named groups.
#pragma once

#include <lightcone/error.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;
struct pcre2_real_match_context_8;
struct pcre2_real_jit_stack_8;

namespace lightcone {

/// A compiled expression. `^` and `$` match at lines, `.` matches all but a newline.
class RegularExpression {
 public:
  struct Group {
    std::string name;
    std::uint32_t number;
  };

  /// The error has no file; its text names the expression.
  [[nodiscard]] static Expected<RegularExpression> compile(std::string_view pattern);

  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// The number of the group of this name.
  [[nodiscard]] std::optional<std::uint32_t> group(std::string_view name) const;
  [[nodiscard]] const std::string& pattern() const { return pattern_; }

 private:
  friend class Matches;
  friend class TextSearch;
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
    void operator()(pcre2_real_match_data_8* data) const;
    void operator()(pcre2_real_match_context_8* context) const;
    void operator()(pcre2_real_jit_stack_8* stack) const;
  };
  RegularExpression() = default;
  void read_groups();

  std::string pattern_;
  std::unique_ptr<pcre2_real_code_8, Free> code_;
  std::vector<Group> groups_;
};

/// The matches of an expression in a text, one after the other.
class Matches {
 public:
  /// The text must be valid UTF-8 and, like the expression, outlive this.
  Matches(const RegularExpression& expression, std::string_view text);
  /// Begins again with another text. Memory is kept.
  void restart(std::string_view text);

  /// Goes to the next match; false when there is none. Fails where the expression takes too long.
  [[nodiscard]] Expected<bool> next();

  /// Where the match begins and ends.
  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t end() const { return end_; }
  /// What a group has matched, if it took part in the match.
  [[nodiscard]] std::optional<std::string_view> group(std::uint32_t number) const;

 private:
  const RegularExpression& expression_;
  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t from_ = 0;  // where to look next
  std::unique_ptr<pcre2_real_match_data_8, RegularExpression::Free> data_;
  std::unique_ptr<pcre2_real_match_context_8, RegularExpression::Free> context_;
  std::unique_ptr<pcre2_real_jit_stack_8, RegularExpression::Free> stack_;
};

/// Looks for an expression in one text after the other. Memory is kept from text to text.
class TextSearch {
 public:
  /// The expression must outlive this.
  explicit TextSearch(const RegularExpression& expression);

  [[nodiscard]] const RegularExpression& expression() const { return expression_; }
  /// Returns whether the expression matches somewhere in the text; nothing where that takes too
  /// long to say. Bytes that are not UTF-8 count as U+FFFD.
  [[nodiscard]] std::optional<bool> is_in(std::string_view text);

 private:
  const RegularExpression& expression_;
  std::unique_ptr<pcre2_real_match_data_8, RegularExpression::Free> data_;
  std::unique_ptr<pcre2_real_match_context_8, RegularExpression::Free> context_;
  std::unique_ptr<pcre2_real_jit_stack_8, RegularExpression::Free> stack_;
};

}  // namespace lightcone
