// One line of a JSON Lines trace, taken apart.
#pragma once

#include <lightcone/causal/error.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

/// A line's content. Its views hold as long as the line's text and this object do.
struct JsonlLine {
  enum class Kind : std::uint8_t { header, initial, internal, send, receive };
  struct Variable {
    std::string_view name;
    std::variant<bool, std::int64_t, double, std::string_view> value;
  };

  Kind kind = Kind::internal;
  std::uint64_t number = 0;                 ///< of the line in its file, counted from 1
  std::vector<std::string_view> processes;  ///< of the header
  std::string_view process;
  std::vector<std::string_view> messages;
  std::optional<std::string_view> sends;  ///< a message that leaves at an event of another kind
  std::vector<std::string_view> to;
  std::vector<std::string_view> labels;
  std::vector<Variable> variables;
  std::optional<double> time;
  std::optional<std::string_view> text;
  std::optional<std::string_view> source;
  bool duplicate = false;
  std::deque<std::string> unescaped;  ///< strings whose text is not that of the line
  std::string extra;  ///< the members Lightcone does not know: `"key": value, …`

  void clear();
};

/// Parses lines, one after the other. Memory is kept from line to line.
class JsonlLineParser {
 public:
  JsonlLineParser();
  ~JsonlLineParser();

  /// How many readable bytes must follow each line that is parsed.
  static const std::size_t padding;

  /// Parses one line that is not blank; the error has neither file nor line number.
  [[nodiscard]] Expected<void> parse(std::string_view line, JsonlLine& into);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether `json` is a list of members, as JsonlLine::extra holds them.
[[nodiscard]] bool are_json_members(std::string_view json);

}  // namespace lightcone
