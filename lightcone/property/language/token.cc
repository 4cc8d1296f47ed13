// Splits a property file into tokens.
#include <lightcone/property/language/token.h>

#include <fmt/format.h>
#include <lightcone/base/utf8.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t longest_file = 16 << 20;
constexpr std::size_t longest_excerpt = 200;

// Longer signs first, so that `<=>` is not read as `<=` and `>`.
constexpr std::array<std::string_view, 32> signs{
    "<=>", ":=", "->", "==", "=~", "!=", "<=", ">=", "=>", "<", ">", "=", ":", ",", ".", "(",
    ")",   "[",  "]",  "{",  "}",  "|",  "*",  "+",  "?",  "!", "^", "-", "/", ";", "&", "~"};

[[nodiscard]] bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Returns whether this byte is not the first of its UTF-8 character.
[[nodiscard]] bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}
[[nodiscard]] bool in_word(char c) { return starts_word(c) || is_digit(c); }

/// At most so much as a message should quote.
[[nodiscard]] std::string excerpt_of(std::string_view written) {
  return std::string(written.substr(0, 40)) + (written.size() > 40 ? "…" : "");
}

class Lexer {
 public:
  explicit Lexer(const PropertyText& text) : source_(text), text_(text.text()) {}

  [[nodiscard]] Expected<std::vector<Token>> run() {
    if (text_.size() > longest_file) return failure(error("a property file of more than 16 MiB"));
    for (skip_space(); at_ < text_.size(); skip_space()) {
      if (auto done = starts_group() ? take_group() : take_token(); !done) {
        return failure(done.error());
      }
    }
    push(Token::Kind::end, {}, 0);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] TextPlace place() const {
    return {line_, static_cast<std::uint32_t>(at_ - line_begin_ + 1)};
  }
  [[nodiscard]] Error error(std::string what, std::string hint = {}) const {
    return source_.error(place(), std::move(what), std::move(hint));
  }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
        line_is_new_ = true;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  /// Adds a token that is written with this many bytes, and goes past it.
  Token& push(Token::Kind kind, std::string text, std::size_t length) {
    Token token;
    token.kind = kind;
    token.text = std::move(text);
    token.place = place();
    token.length = static_cast<std::uint32_t>(length);
    at_ += length;
    token.first_on_line = line_is_new_;
    if (line_is_new_) indent_ = token.place.column - 1;
    token.indent = indent_;
    line_is_new_ = false;
    tokens_.push_back(std::move(token));
    return tokens_.back();
  }

  [[nodiscard]] Expected<void> take_token() {
    const char c = peek();
    if (starts_word(c)) {
      std::size_t end = at_;
      while (end < text_.size() && in_word(text_[end])) ++end;
      push(Token::Kind::word, std::string(text_.substr(at_, end - at_)), end - at_);
      return {};
    }
    if (is_digit(c)) return take_number();
    if (c == '"') return take_text(Token::Kind::text);
    for (const std::string_view sign : signs) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      push(Token::Kind::sign, std::string(sign), sign.size());
      return {};
    }
    if (c == '\'') return failure(error("names and texts go in double quotes, not single ones"));
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      return failure(error(fmt::format("a control character (byte {:#04x})", c)));
    }
    return failure(error("this character cannot begin a word, a number or a sign",
                         "a name of other characters than letters, digits and _ goes in double "
                         "quotes"));
  }

  [[nodiscard]] Expected<void> take_number() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && is_digit(text_[end])) ++end;
    };
    digits();
    bool real = false;
    if (end + 1 < text_.size() && text_[end] == '.' && is_digit(text_[end + 1])) {
      real = true;
      ++end;
      digits();
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) {
        real = true;
        end = exponent;
        digits();
      }
    }
    const std::string_view written = text_.substr(at_, end - at_);
    if (end < text_.size() && in_word(text_[end])) {
      std::size_t stop = end;
      while (stop < text_.size() && in_word(text_[stop])) ++stop;
      if (time_unit(text_.substr(end, stop - end))) {
        return failure(error(
            "a number and its unit stand apart",
            fmt::format("write `{} {}`", excerpt_of(written), text_.substr(end, stop - end))));
      }
      return failure(
          error("a name does not begin with a digit", "put it in double quotes, as \"7zip\""));
    }
    return real ? take_real(written) : take_integer(written);
  }

  [[nodiscard]] bool follows_minus() const {
    return !tokens_.empty() && tokens_.back().is_sign("-");
  }

  [[nodiscard]] Expected<void> take_integer(std::string_view written) {
    std::int64_t value = 0;
    const char* end = written.data() + written.size();
    const std::errc problem = std::from_chars(written.data(), end, value).ec;
    std::uint64_t magnitude = 0;
    const bool is_least = problem != std::errc{} && follows_minus() &&
                          std::from_chars(written.data(), end, magnitude).ec == std::errc{} &&
                          magnitude == std::uint64_t{1} << 63;
    if (is_least) {
      value = INT64_MIN;
    } else if (problem != std::errc{}) {
      return failure(error(fmt::format("{} is more than an integer can be", excerpt_of(written)),
                           fmt::format("integers end at {} and {}; with a point it is a real",
                                       INT64_MIN, INT64_MAX)));
    }
    push(Token::Kind::integer, std::string(written), written.size()).integer = value;
    return {};
  }

  [[nodiscard]] Expected<void> take_real(std::string_view written) {
    double value = 0;
    if (std::from_chars(written.data(), written.data() + written.size(), value).ec != std::errc{}) {
      return failure(error(
          fmt::format("{} is more, or nearer to 0, than a real can be", excerpt_of(written))));
    }
    push(Token::Kind::real, std::string(written), written.size()).real = value;
    return {};
  }

  [[nodiscard]] Expected<void> take_text(Token::Kind kind) {
    std::string value;
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '"') {
        push(kind, std::move(value), i + 1 - at_);
        return {};
      }
      const bool escaped =
          text_[i] == '\\' && i + 1 < text_.size() && (text_[i + 1] == '"' || text_[i + 1] == '\\');
      if (escaped) ++i;
      value += text_[i];
    }
    return failure(error("this double quote is not closed on its line"));
  }

  /// `group NAME =` at the beginning of a line: what follows are patterns, not tokens.
  [[nodiscard]] bool starts_group() const {
    const std::size_t n = tokens_.size();
    if (n < 3 || n == after_empty_group_) return false;
    if (!tokens_[n - 1].is_sign("=") || !tokens_[n - 2].is_name()) return false;
    return tokens_[n - 3].is_word("group") && tokens_[n - 3].first_on_line;
  }

  /// Patterns and the commas between them; the parser complains if one is missing.
  [[nodiscard]] Expected<void> take_group() {
    for (;;) {
      skip_space();
      if (at_ == text_.size() || peek() == ',' || at_statement()) {
        after_empty_group_ = tokens_.size();
        return {};
      }
      if (auto done = take_name_pattern(); !done) return done;
      if (peek() != ',') return {};
      push(Token::Kind::sign, ",", 1);
    }
  }

  [[nodiscard]] Expected<void> take_name_pattern() {
    if (peek() == '"') {
      if (auto done = take_text(Token::Kind::name_pattern); !done) return done;
      while (peek() == ' ' || peek() == '\t') ++at_;
      return {};
    }
    const std::size_t stop = std::min(text_.find_first_of(",#\n", at_), text_.size());
    std::string_view pattern = text_.substr(at_, stop - at_);
    pattern = pattern.substr(0, pattern.find_last_not_of(" \t\r") + 1);
    push(Token::Kind::name_pattern, std::string(pattern), pattern.size());
    at_ = stop;
    return {};
  }

  /// Returns whether a line begins here that can only be a statement, as `label x =`.
  [[nodiscard]] bool at_statement() const {
    static constexpr std::array<std::string_view, 6> begins{"group",  "label",   "forbid",
                                                            "expect", "require", "watch"};
    if (!line_is_new_) return false;
    const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
    return line.find_first_of("=:") != std::string_view::npos &&
           std::any_of(begins.begin(), begins.end(), [&](std::string_view begin) {
             return line.starts_with(begin) && line.substr(begin.size()).find_first_of(" \t") == 0;
           });
  }

  const PropertyText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t indent_ = 0;
  bool line_is_new_ = true;
  std::size_t after_empty_group_ = 0;  // how many tokens there were then
  std::vector<Token> tokens_;
};

}  // namespace

PropertyText::PropertyText(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
}

Error PropertyText::error(TextPlace place, std::string what, std::string hint) const {
  Error error{std::move(what), file_, place.line, std::move(hint), place.column, {}};
  if (place.line == 0) return error;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    const std::size_t end = text_.find('\n', begin);
    if (end == std::string_view::npos) return error;
    begin = end + 1;
  }
  const std::string_view line = text_.substr(begin, text_.find('\n', begin) - begin);
  const std::string_view before = line.substr(0, place.column - 1);
  error.column -=
      static_cast<std::uint64_t>(std::count_if(before.begin(), before.end(), continues_character));
  if (place.column > longest_excerpt) return error;
  std::size_t length = std::min(line.size(), longest_excerpt);
  while (length < line.size() && continues_character(line[length])) --length;
  if (!is_utf8(line.substr(0, length))) return error;  // a binary file, or another encoding
  error.excerpt = line.substr(0, length);
  for (char& c : error.excerpt) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';  // tabs too: one column each
  }
  return error;
}

std::optional<TimeUnit> time_unit(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, TimeUnit>, 6> units{{
      {"ns", {1, -9}},
      {"us", {1, -6}},
      {"ms", {1, -3}},
      {"s", {1, 0}},
      {"min", {60, 0}},
      {"h", {3600, 0}},
  }};
  for (const auto& [name, found] : units) {
    if (name == unit) return found;
  }
  return std::nullopt;
}

Expected<std::vector<Token>> tokens_of(const PropertyText& text) { return Lexer(text).run(); }

}  // namespace lightcone
