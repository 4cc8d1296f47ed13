// The parts of the parser: one per kind of question, all with one reader of tokens.
#pragma once

#include <lightcone/property/language/syntax.h>
#include <lightcone/property/language/token_reader.h>

#include <utility>
#include <vector>

namespace lightcone {

/// The parts of a tree in a vector, moved: from an initializer list whole trees would be copied,
/// again at every level.
template <class First, class... Rest>
[[nodiscard]] std::vector<First> parts_of(First first, Rest... rest) {
  std::vector<First> parts;
  parts.reserve(1 + sizeof...(rest));
  parts.push_back(std::move(first));
  (parts.push_back(std::move(rest)), ...);
  return parts;
}

// Each takes as many tokens as belong to it. What it returns after the reader failed is of no use.

/// `a`, `!a`, `[a b]`, `[^a b]`, `.`, `who:a`
[[nodiscard]] Atom parse_atom(TokenReader& reader);
/// Returns whether the next token can begin an atom.
[[nodiscard]] bool at_atom(const TokenReader& reader);
/// A pattern, with `->` and `without`.
[[nodiscard]] Pattern parse_pattern(TokenReader& reader);
/// `some longest flow …`
[[nodiscard]] Flow parse_flow(TokenReader& reader);
/// `logic { … }`
[[nodiscard]] Logic parse_logic(TokenReader& reader);
/// `5 s`, in seconds.
[[nodiscard]] double parse_duration(TokenReader& reader);
/// A predicate on one local state.
[[nodiscard]] Expression parse_local_predicate(TokenReader& reader);
/// `possibly E`
[[nodiscard]] Global parse_global(TokenReader& reader);

}  // namespace lightcone
