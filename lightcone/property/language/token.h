// The words, numbers and signs of a property file, each with its place.
#pragma once

#include <lightcone/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// Where something stands in a property file; both counted from 1, columns in bytes.
struct TextPlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// One word, number or sign.
struct Token {
  enum class Kind : std::uint8_t {
    word,          ///< a bare name or keyword
    text,          ///< what stood in double quotes, without them
    integer,       ///< digits only
    real,          ///< a number with a point or an exponent
    sign,          ///< punctuation: `:=`, `->`, `(`, …
    name_pattern,  ///< a pattern of process names in a `group`
    end,
  };

  Kind kind = Kind::end;
  std::string text;          ///< as written, quotes and their escapes resolved
  std::int64_t integer = 0;  ///< negative only for 2^63 after `-`, which is the least integer
  double real = 0;
  TextPlace place;
  std::uint32_t length = 0;  ///< in bytes, as written
  std::uint32_t indent = 0;  ///< columns before the first token of its line
  bool first_on_line = false;

  [[nodiscard]] bool is_sign(std::string_view sign) const {
    return kind == Kind::sign && text == sign;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return kind == Kind::word && text == word;
  }
  [[nodiscard]] bool is_name() const { return kind == Kind::word || kind == Kind::text; }
};

/// How many seconds a unit of time has: a whole number times a power of ten.
struct TimeUnit {
  std::uint32_t factor = 1;
  int power_of_ten = 0;
};

/// One of ns, us, ms, s, min, h.
[[nodiscard]] std::optional<TimeUnit> time_unit(std::string_view unit);

/// The text of a property file, which knows how to point at a place of it.
class PropertyText {
 public:
  PropertyText(std::string_view text, std::string file);

  [[nodiscard]] std::string_view text() const { return text_; }
  /// An error at this place, with the line and a mark under it; its column counts characters.
  [[nodiscard]] Error error(TextPlace place, std::string what, std::string hint = {}) const;

 private:
  std::string_view text_;
  std::string file_;
};

/// All tokens, the last of kind `end`.
[[nodiscard]] Expected<std::vector<Token>> tokens_of(const PropertyText& text);

}  // namespace lightcone
