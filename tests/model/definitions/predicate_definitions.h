// What local predicates and labels mean, state by state, straight from docs/semantics.md.
#pragma once

#include <gmpxx.h>
#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lightcone::definition {

/// A local state: the one that the event of this rank creates, or (0) the initial one.
using State = std::pair<ProcessIndex, Rank>;

/// Null, a number (booleans are 0 and 1) or a text. How a number was written makes no difference.
using Scalar = std::variant<std::monostate, mpq_class, std::string>;

/// Where the computation says what this state's event carries and assigns.
[[nodiscard]] Row row_of(const Computation& computation, State state);

/// The value that the variable was last given in this process, up to this state.
[[nodiscard]] Scalar value_of_variable(const Computation& computation, State state,
                                       std::string_view variable);

/// What a number becomes when it is the result of something: a whole number below 2^127 away from 0
/// stays what it is; any other becomes the nearest real, or null if it is beyond all of them.
[[nodiscard]] Scalar rounded(const mpq_class& number);
/// `a OP b` for times and divided.
[[nodiscard]] Scalar calculate(Expression::Kind operation, const Scalar& a, const Scalar& b);
/// The sum of all; null where one is no number.
[[nodiscard]] Scalar sum_of(const std::vector<Scalar>& numbers);
/// An integer, exactly.
[[nodiscard]] mpq_class number(std::int64_t integer);
/// `a OP b` for a comparison.
[[nodiscard]] bool compare(Expression::Kind comparison, const Scalar& a, const Scalar& b);
[[nodiscard]] bool is_number(const Scalar& value);

/// The value of an expression, given that of what is neither a constant nor an operator.
[[nodiscard]] Scalar evaluate(const Expression& expression,
                              const std::function<Scalar(const Expression&)>& leaf);

/// The value of a local predicate, or of a part of one.
[[nodiscard]] Scalar value_of(const Expression& expression, const Properties& properties,
                              const Computation& computation, State state);

/// Non-zero numbers and non-empty texts are true; null is false.
[[nodiscard]] bool is_true(const Scalar& value);

/// Whether the state's event was recorded with this label, declared labels aside.
[[nodiscard]] bool has_event_label(const Computation& computation, State state,
                                   std::string_view label);

/// Whether the state carries this label: by its predicate if it is declared, else by its event.
[[nodiscard]] bool carries(const Properties& properties, const Computation& computation,
                           State state, std::string_view label);

/// Whether this is the name of the process, or of a group it belongs to. A group hides a process
/// of the same name.
[[nodiscard]] bool is_called(const Properties& properties, const Computation& computation,
                             ProcessIndex process, const std::string& who);

}  // namespace lightcone::definition
