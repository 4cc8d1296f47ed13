// What expressions compute with: numbers, texts, and null for what is not known.
#pragma once

#include <lightcone/property/syntax.h>

#include <cstdint>
#include <string_view>
#include <variant>

namespace lightcone {

/// Null, an integer, a real or a text. Booleans are the integers 0 and 1. A real is never
/// not-a-number: that is null.
using Datum = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// Whether it counts as true: a number other than 0, a text other than the empty one.
[[nodiscard]] bool is_true(const Datum& datum);

/// `a OP b` for a comparison; false where one of them is null. Integers and reals compare by
/// value, exactly; a text and a number are unequal and in no order.
[[nodiscard]] bool compare(Expression::Kind comparison, const Datum& a, const Datum& b);

/// `a OP b` for plus, minus, times, divided. Integers stay exact as long as they fit into 64 bits
/// and divide without rest, else they become real. Null where an operand is no number, where the
/// divisor is 0, and where the result is no number.
[[nodiscard]] Datum arithmetic(Expression::Kind operation, const Datum& a, const Datum& b);
[[nodiscard]] Datum negative(const Datum& a);

}  // namespace lightcone
