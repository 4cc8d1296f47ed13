// Reads tokens for all parts of the parser, and reports errors.
#pragma once

#include <lightcone/property/language/token.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lightcone {

/// How deep parentheses may nest; a parser that calls itself must stop somewhere.
inline constexpr int deepest_nesting = 200;

/// The tokens of one statement, taken one by one. After an error nothing more is read: the parser
/// sees the end, and the error that was first is the one that counts.
class TokenReader {
 public:
  /// `tokens` end with one of kind `end`.
  TokenReader(const PropertyText& text, std::span<const Token> tokens)
      : text_(text), tokens_(tokens) {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool at_end() const { return peek().kind == Token::Kind::end; }
  Token take();
  /// Takes this sign or word if it is next.
  bool take_sign(std::string_view sign);
  bool take_word(std::string_view word);
  /// Takes this sign, or complains: `expected `)` …`.
  bool expect_sign(std::string_view sign, std::string_view why, std::string hint = {});
  /// Takes a bare or quoted name, or complains: `expected WHAT`.
  std::string expect_name(std::string_view what);

  /// Remembers the first error; the reader is at its end afterwards.
  void fail(TextPlace place, std::string what, std::string hint = {});
  /// `expected WHAT, found …` at the next token; without a hint it may guess which of `words` was
  /// meant.
  void fail_expecting(std::string_view what, const std::vector<std::string>& words = {},
                      std::string hint = {});
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] const Error& error() const { return *error_; }

  /// Counts how deep the parser is; complains when it is too deep.
  class Depth {
   public:
    explicit Depth(TokenReader& reader);
    ~Depth() { --reader_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    TokenReader& reader_;
  };

  /// What was written from one place up to the next token, on one line.
  [[nodiscard]] std::string written_since(std::size_t token_index) const;
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  const PropertyText& text_;
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;
};

}  // namespace lightcone
