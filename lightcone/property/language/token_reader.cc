// Taking tokens, and saying what was expected instead.
#include <lightcone/property/language/token_reader.h>

#include <fmt/format.h>
#include <lightcone/base/spelling.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lightcone {
namespace {

/// At most so much as a message should quote, cut between characters.
[[nodiscard]] std::string beginning(const std::string& text) {
  std::size_t length = 40;
  if (text.size() <= length) return text;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  return text.substr(0, length) + "…";
}

[[nodiscard]] std::string described(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end: return "the end of the statement";
    case Token::Kind::text: return fmt::format("\"{}\"", beginning(token.text));
    default: return fmt::format("`{}`", beginning(token.text));
  }
}

/// What someone who wrote this sign here may have meant; other languages have other signs.
[[nodiscard]] std::string hint_about(const Token& found) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> meant{{
      {"&", "write `and`"},
      {"|", "in formulas and predicates write `or`"},
      {"!", "in predicates write `not`"},
      {"~", "write `not`"},
      {"=>", "in patterns write `->`, in predicates `not a or b`"},
      {"=~", "texts are matched in predicates: `label put = text =~ \"…\"`"},
      {"-", "a name of other characters than letters, digits and _ goes in double quotes"},
      {"->", "it goes between two patterns; in formulas write `=>`"},
      {";", "a statement ends with its line"},
  }};
  for (const auto& [sign, hint] : meant) {
    if (found.is_sign(sign)) return std::string(hint);
  }
  return {};
}

[[nodiscard]] std::string as_written(const Token& token) {
  if (token.kind != Token::Kind::text) return token.text;
  std::string out = "\"";
  for (const char c : token.text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// Returns whether people put a space between these two.
[[nodiscard]] bool spaced(const Token& before, const Token& after) {
  static constexpr std::string_view tight_before = "):].,*+?;";
  static constexpr std::string_view tight_after = "([.!:";
  const auto is_one_of = [](const Token& token, std::string_view set) {
    return token.kind == Token::Kind::sign && token.text.size() == 1 &&
           set.find(token.text[0]) != std::string_view::npos;
  };
  if (before.place.line == after.place.line) {
    return before.place.column + before.length != after.place.column;
  }
  return !is_one_of(after, tight_before) && !is_one_of(before, tight_after);
}

}  // namespace

const Token& TokenReader::peek(std::size_t ahead) const {
  if (error_) return tokens_.back();
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token TokenReader::take() {
  Token token = peek();
  if (token.kind != Token::Kind::end) ++at_;
  return token;
}

bool TokenReader::take_sign(std::string_view sign) {
  if (!peek().is_sign(sign)) return false;
  ++at_;
  return true;
}

bool TokenReader::take_word(std::string_view word) {
  if (!peek().is_word(word)) return false;
  ++at_;
  return true;
}

bool TokenReader::expect_sign(std::string_view sign, std::string_view why, std::string hint) {
  if (take_sign(sign)) return true;
  fail_expecting(fmt::format("`{}` {}", sign, why), {}, std::move(hint));
  return false;
}

std::string TokenReader::expect_name(std::string_view what) {
  if (peek().is_name()) return take().text;
  fail_expecting(what);
  return {};
}

void TokenReader::fail(TextPlace place, std::string what, std::string hint) {
  if (!error_) error_ = text_.error(place, std::move(what), std::move(hint));
}

void TokenReader::fail_expecting(std::string_view what, const std::vector<std::string>& words,
                                 std::string hint) {
  const Token& found = peek();
  if (hint.empty()) hint = hint_about(found);
  if (hint.empty() && found.kind == Token::Kind::word && found.text.size() > 1) {
    hint = did_you_mean(found.text, words);
  }
  fail(found.place, fmt::format("expected {}, found {}", what, described(found)), std::move(hint));
}

TokenReader::Depth::Depth(TokenReader& reader) : reader_(reader) {
  if (++reader_.depth_ > deepest_nesting) {
    reader_.fail(reader_.peek().place,
                 fmt::format("nested more than {} levels deep", deepest_nesting));
  }
}

std::string TokenReader::written_since(std::size_t token_index) const {
  std::string out;
  for (std::size_t i = token_index; i < at_; ++i) {
    if (i > token_index && spaced(tokens_[i - 1], tokens_[i])) out += ' ';
    out += as_written(tokens_[i]);
  }
  return out;
}

}  // namespace lightcone
