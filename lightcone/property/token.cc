// Splits a property file into tokens.
#include <lightcone/property/token.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lightcone {
namespace {

constexpr std::size_t longest_file = 16 << 20;
constexpr std::size_t longest_excerpt = 200;

// Longer signs first, so that `<=>` is not read as `<=` and `>`.
constexpr std::array<std::string_view, 31> signs{
    "<=>", ":=", "->", "==", "!=", "<=", ">=", "=>", "<", ">", "=", ":", ",", ".", "(", ")",
    "[",   "]",  "{",  "}",  "|",  "*",  "+",  "?",  "!", "^", "-", "/", ";", "&", "~"};

[[nodiscard]] bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] bool in_word(char c) { return starts_word(c) || is_digit(c); }

class Lexer {
 public:
  explicit Lexer(const PropertyText& text) : source_(text), text_(text.text()) {}

  [[nodiscard]] Expected<std::vector<Token>> run() {
    if (text_.size() > longest_file) return failure(error("a property file of more than 16 MiB"));
    if (text_.starts_with("\xef\xbb\xbf")) at_ = line_begin_ = 3;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      if (auto done = starts_group() ? take_group() : take_token(); !done) {
        return failure(done.error());
      }
    }
    push(Token::Kind::end, {});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] Place place() const {
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

  Token& push(Token::Kind kind, std::string text) {
    Token token;
    token.kind = kind;
    token.text = std::move(text);
    token.place = place();
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
      push(Token::Kind::word, std::string(text_.substr(at_, end - at_)));
      at_ = end;
      return {};
    }
    if (is_digit(c)) return take_number();
    if (c == '"') return take_text();
    for (const std::string_view sign : signs) {
      if (!text_.substr(at_).starts_with(sign)) continue;
      push(Token::Kind::sign, std::string(sign));
      at_ += sign.size();
      return {};
    }
    if (c == '\'') return failure(error("names and texts stand in double quotes, not single ones"));
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      return failure(error(fmt::format("a control character (byte {:#04x})", c)));
    }
    return failure(error("no word, number or sign begins like this",
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
      return failure(
          error("a name does not begin with a digit", "put it in double quotes, as \"7zip\""));
    }
    Token& token = push(real ? Token::Kind::real : Token::Kind::integer, std::string(written));
    const auto parsed =
        real ? std::from_chars(written.data(), written.data() + written.size(), token.real)
             : std::from_chars(written.data(), written.data() + written.size(), token.integer);
    if (parsed.ec != std::errc{}) {
      return failure(error(fmt::format("the number {} is out of range", written.substr(0, 40))));
    }
    at_ = end;
    return {};
  }

  [[nodiscard]] Expected<void> take_text() {
    std::string value;
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '"') {
        push(Token::Kind::text, std::move(value));
        at_ = i + 1;
        return {};
      }
      const bool escaped =
          text_[i] == '\\' && i + 1 < text_.size() && (text_[i + 1] == '"' || text_[i + 1] == '\\');
      if (escaped) ++i;
      value += text_[i];
    }
    return failure(error("the double quote that begins here is not closed on this line"));
  }

  /// `group NAME =` at the beginning of a line: what follows are patterns, not tokens.
  [[nodiscard]] bool starts_group() const {
    const std::size_t n = tokens_.size();
    if (n < 3 || !tokens_[n - 1].is_sign("=") || !tokens_[n - 2].is_name()) return false;
    return tokens_[n - 3].is_word("group") && tokens_[n - 3].first_on_line;
  }

  [[nodiscard]] Expected<void> take_group() {
    for (;; ++at_) {
      skip_space();
      const std::size_t stop = std::min(text_.find_first_of(",#\n", at_), text_.size());
      std::string_view pattern = text_.substr(at_, stop - at_);
      pattern = pattern.substr(0, pattern.find_last_not_of(" \t\r") + 1);
      const bool quoted = pattern.size() >= 2 && pattern.front() == '"' && pattern.back() == '"';
      if (quoted) pattern = pattern.substr(1, pattern.size() - 2);
      if (pattern.empty()) {
        return failure(error("expected a process name, or a pattern like worker-*"));
      }
      push(Token::Kind::name_pattern, std::string(pattern));
      at_ = stop;
      if (peek() != ',') return {};
    }
  }

  const PropertyText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t indent_ = 0;
  bool line_is_new_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

PropertyText::PropertyText(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {}

Error PropertyText::error(Place place, std::string what, std::string hint) const {
  Error error{std::move(what), file_, place.line, std::move(hint), place.column, {}};
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    const std::size_t end = text_.find('\n', begin);
    if (end == std::string_view::npos) return error;
    begin = end + 1;
  }
  std::string_view line = text_.substr(begin, text_.find('\n', begin) - begin);
  if (place.column > longest_excerpt) return error;
  error.excerpt = line.substr(0, longest_excerpt);
  for (char& c : error.excerpt) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';  // tabs too: one column each
  }
  return error;
}

Expected<std::vector<Token>> tokens_of(const PropertyText& text) { return Lexer(text).run(); }

}  // namespace lightcone
