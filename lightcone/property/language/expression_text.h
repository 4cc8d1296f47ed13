// Expressions as a person would write them.
#pragma once

#include <lightcone/property/language/expression.h>
#include <lightcone/property/states/datum.h>

#include <string>

namespace lightcone {

/// Returns whether this word asks for something that an event has beside labels and variables.
[[nodiscard]] bool is_attribute(std::string_view word);

/// The expression in the language of property files, with as few parentheses as needed.
[[nodiscard]] std::string text_of(const Expression& expression);

/// A value as it would stand in a property file; `null` for none.
[[nodiscard]] std::string text_of(const Datum& value);

}  // namespace lightcone
