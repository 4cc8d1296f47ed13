// Lines of a JSON Lines trace, taken apart.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/error.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lightcone {

/// A line's content; its lists stand in the JsonlLines that it belongs to. A view without data
/// stands for a member that is not there.
struct JsonlLine {
  enum class Kind : std::uint8_t { header, initial, internal, send, receive };
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    [[nodiscard]] std::uint32_t size() const { return end - begin; }
  };

  Kind kind = Kind::internal;
  bool duplicate = false;
  std::uint64_t number = 0;  ///< of the line in its file, counted from 1
  std::string_view process;
  Range processes, messages, to, labels;  ///< of JsonlLines::strings
  Range variables;                        ///< of JsonlLines::variables
  std::string_view sends;                 ///< a message that leaves at an event of another kind
  std::string_view text, source;
  std::string_view extra;  ///< the members Lightcone does not know: `"key": value, …`
  std::optional<double> time;
  std::uint64_t digest = 0;  ///< of contents; 0 for none
};

/// Parsed lines. Their views hold as long as this object, and until the parser's next call.
struct JsonlLines {
  struct Variable {
    std::string_view name;
    SpelledValue value;
  };

  std::vector<JsonlLine> lines;
  std::vector<std::string_view> strings;
  std::vector<Variable> variables;
  std::deque<std::string> texts;              ///< those that nothing else keeps
  std::unique_ptr<std::uint8_t[]> kept = {};  ///< what `JsonlParser::hand_over` gave
  std::size_t null_values = 0;  ///< variables that are null: they are read as not-a-number
  std::size_t null_times = 0;   ///< times that are null: they are left out
  std::optional<Error> error;   ///< what is wrong with the line after these

  void clear();
  [[nodiscard]] std::span<const std::string_view> operator[](JsonlLine::Range range) const {
    return {strings.data() + range.begin, range.size()};
  }
};

/// Takes whole lines apart that are not JSON Lines themselves.
class LineParser {
 public:
  virtual ~LineParser() = default;
  /// Does what JsonlParser::parse does. The views must hold as long as `into`.
  virtual std::uint64_t parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into) = 0;
  /// Returns whether each line is a JSON object. Of other lines nobody can tell whether they are
  /// whole.
  [[nodiscard]] virtual bool has_objects() const = 0;
};

/// Parses many lines at once. Memory is kept from call to call.
class JsonlParser {
 public:
  JsonlParser();
  ~JsonlParser();
  JsonlParser(JsonlParser&&) noexcept;
  JsonlParser& operator=(JsonlParser&&) noexcept;

  /// How many bytes before and after the text it may use.
  static constexpr std::size_t room_before = 1;
  static const std::size_t room_after;

  /// Parses whole lines. The first one has this number. The text is overwritten. Errors have
  /// no file name. Returns the number of lines, blank ones too.
  std::uint64_t parse(std::span<char> text, std::uint64_t first_line, JsonlLines& into);
  /// The lines that were parsed last need neither this parser nor the text from now on. Returns how
  /// many bytes they were given.
  std::size_t hand_over(JsonlLines& to);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Returns whether `json` is a list of members, as JsonlLine::extra holds them.
[[nodiscard]] bool are_json_members(std::string_view json);

}  // namespace lightcone
