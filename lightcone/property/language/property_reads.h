// What a property reads: the local predicates behind the labels that it names.
#pragma once

#include <lightcone/property/language/syntax.h>

#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// The names of all labels that a question mentions, in patterns, alphabets, `at` and formulas.
[[nodiscard]] std::vector<std::string> labels_named(const Property& property);

/// The expressions whose values decide a property: that of a global one, and the predicates of the
/// declared labels that it reads, also by way of other labels.
[[nodiscard]] std::vector<const Expression*> expressions_read(const Properties& properties,
                                                              const Property& property);

/// The first property that reads a declared label; nullptr for none.
[[nodiscard]] const Property* first_reader(const Properties& properties,
                                           const DeclaredLabel& label);

/// Returns whether a property depends on one of these regular expressions. One whose alphabet is
/// not spelt out may depend on every declared label.
[[nodiscard]] bool depends_on_matching(const Properties& properties, const Property& property,
                                       const std::set<std::string>& patterns);

/// Returns whether a property may ask for kinds of events, or for messages.
[[nodiscard]] bool reads_kinds_or_messages(const Properties& properties, const Property& property);

}  // namespace lightcone
