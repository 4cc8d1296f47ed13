// Shows the trees of properties as text, every level in parentheses: for tests to compare.
#pragma once

#include <lightcone/property/language/syntax.h>

#include <string>

namespace lightcone {

/// `a`, `p:a`, `[a b]`, `[^a]`, `.`
[[nodiscard]] std::string tree_text(const Atom& atom);
/// `(a (b){0,} | c)`: a sequence is `(x y)`, a choice `(x | y)`, a repetition `(x){m,n}`
[[nodiscard]] std::string tree_text(const Pattern& pattern);
/// `(a and (not prev x))`
[[nodiscard]] std::string tree_text(const Formula& formula, const Logic& logic);
/// `x := …; y := …; detect x`
[[nodiscard]] std::string tree_text(const Logic& logic);
/// `((x + 1) > 2)`; texts stand in single quotes, labels begin with `@`
[[nodiscard]] std::string tree_text(const Expression& expression);
/// All that a question says.
[[nodiscard]] std::string tree_text(const Property& property);

}  // namespace lightcone
