// Small traces, a property of each, and where it is found: for every implementation to agree on.
#pragma once

#include <lightcone/computation.h>

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace lightcone::semantics {

/// One property of one trace. There are no names in it that the trace does not have, so that no
/// implementation has anything to complain of.
struct Case {
  std::string name;                                 ///< letters and digits only
  std::string trace;                                ///< JSON Lines
  std::string properties;                           ///< a property file with one property
  std::vector<std::pair<std::string, Rank>> found;  ///< by process, in header order, and rank
  std::size_t asked;                                ///< of how many events or states
};

/// The decisions 1 to 7 about what the papers leave open, and the facts about their figure.
[[nodiscard]] std::vector<Case> decisions();
/// Patterns, quantifiers, alphabets, `at`, processes and groups.
[[nodiscard]] std::vector<Case> flows();
/// Equations, and the messages that carry their values.
[[nodiscard]] std::vector<Case> logic();
/// Local predicates: null, numbers, texts, precedence.
[[nodiscard]] std::vector<Case> predicates();

/// All of them.
[[nodiscard]] std::vector<Case> all();

/// How a case is shown by a test that fails.
void PrintTo(const Case& shown, std::ostream* out);

}  // namespace lightcone::semantics
