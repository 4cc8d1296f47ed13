// What expressions compute with: numbers, texts, and null for unknown values.
#pragma once

#include <lightcone/property/language/syntax.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lightcone {

__extension__ using Integer128 = __int128;
__extension__ using Natural128 = unsigned __int128;

/// An integer of more than 64 bits, below 2^127 away from 0.
struct WideInteger {
  std::int64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const WideInteger&, const WideInteger&) = default;
};

/// Null, an integer, a real or a text. Booleans are the integers 0 and 1.
///
/// A value has one form, so that two values are equal iff their forms are, and what is computed
/// with them depends on nothing else: a whole number below 2^127 away from 0 is an integer, however
/// it was written, and of 64 bits where these hold it. A real is finite, and no such number.
using Datum = std::variant<std::monostate, std::int64_t, double, std::string_view, WideInteger>;

[[nodiscard]] Integer128 integer_of(WideInteger wide);
/// A number in its one form. What is not finite is null.
[[nodiscard]] Datum datum_of(double real);
/// The same; an integer that is 2^127 or more away from 0 becomes the nearest real.
[[nodiscard]] Datum datum_of(Integer128 integer);

[[nodiscard]] bool is_number(const Datum& datum);

/// Returns whether it counts as true: a number other than 0, a text other than the empty one.
[[nodiscard]] bool is_true(const Datum& datum);

/// `a OP b` for a comparison; false where one of them is null. Numbers compare by value, exactly; a
/// text and a number are unequal and in no order.
[[nodiscard]] bool compare(Expression::Kind comparison, const Datum& a, const Datum& b);

/// What `contains` and `=~` look at: a text, or a number in its shortest form: `503`, `0.5`. It may
/// stand in `room`. Nothing for null.
[[nodiscard]] std::optional<std::string_view> matched_text(const Datum& datum, std::string& room);

/// Returns whether the text of `b` stands somewhere in that of `a`. False where one is null.
[[nodiscard]] bool contains(const Datum& a, const Datum& b);

/// `a * b` or `a / b`. Integers stay exact while the result is one below 2^127. Otherwise both
/// become the nearest reals, and the result is that of reals. Null where an operand is no number,
/// where the divisor is 0, and where the result is beyond all reals.
[[nodiscard]] Datum product(const Datum& a, const Datum& b);
[[nodiscard]] Datum quotient(const Datum& a, const Datum& b);

}  // namespace lightcone
