// What a trace says about one event or initial state, in words for people.
#pragma once

#include <lightcone/computation.h>

#include <string>

namespace lightcone::cli {

/// Its labels, separated by commas; empty where there are none.
[[nodiscard]] std::string label_words(const Computation& computation, Row row);

/// A value of a variable; a string stands in quotes.
[[nodiscard]] std::string value_words(const Computation& computation, const Value& value);

/// All that is known about it, a line for each: who and when, messages, labels, variables, text,
/// source. As it stands in the trace: not made safe to show.
[[nodiscard]] std::string all_words(const Computation& computation, Row row);

}  // namespace lightcone::cli
