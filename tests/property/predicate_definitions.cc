// The arithmetic of local predicates: null, exact integers, reals where those end, texts.
#include "property/predicate_definitions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace lightcone::definition {
namespace {

using Kind = Expression::Kind;

/// Holds every integer and every real exactly, so that comparing the two never rounds.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

[[nodiscard]] Scalar from_real(double real) {
  if (std::isnan(real)) return {};
  return real;
}

[[nodiscard]] Scalar from_boolean(bool boolean) { return std::int64_t{boolean}; }

[[nodiscard]] double as_real(const Scalar& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) {
    return static_cast<double>(*integer);
  }
  return std::get<double>(number);
}

[[nodiscard]] Exact as_exact(const Scalar& number) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return Exact(*integer);
  return std::get<double>(number);
}

/// The quotient of two integers, where it is one.
[[nodiscard]] bool divides(std::int64_t a, std::int64_t b, std::int64_t* quotient) {
  if (a == INT64_MIN && b == -1) return false;
  if (a % b != 0) return false;
  *quotient = a / b;
  return true;
}

[[nodiscard]] std::optional<std::int64_t> exactly(Kind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool exact = false;
  switch (kind) {
    case Kind::plus: exact = !__builtin_add_overflow(a, b, &result); break;
    case Kind::minus: exact = !__builtin_sub_overflow(a, b, &result); break;
    case Kind::times: exact = !__builtin_mul_overflow(a, b, &result); break;
    default: exact = divides(a, b, &result);
  }
  return exact ? std::optional(result) : std::nullopt;
}

[[nodiscard]] double roughly(Kind kind, double a, double b) {
  switch (kind) {
    case Kind::plus: return a + b;
    case Kind::minus: return a - b;
    case Kind::times: return a * b;
    default: return a / b;
  }
}

template <class T>
[[nodiscard]] bool compare_alike(Kind kind, const T& a, const T& b) {
  switch (kind) {
    case Kind::equal: return a == b;
    case Kind::unequal: return a != b;
    case Kind::less: return a < b;
    case Kind::at_most: return a <= b;
    case Kind::greater: return a > b;
    default: return a >= b;
  }
}

/// Constants and operators; the rest is asked of `leaf`.
struct Evaluation {
  const std::function<Scalar(const Expression&)>& leaf;

  [[nodiscard]] Scalar value(const Expression& e) const {
    switch (e.kind) {
      case Kind::boolean: return from_boolean(e.boolean);
      case Kind::integer: return e.integer;
      case Kind::real: return from_real(e.real);
      case Kind::text: return e.name;
      case Kind::variable:
      case Kind::label:
      case Kind::event_is:
      case Kind::process_is:
      case Kind::process_variable:
      case Kind::aggregate: return leaf(e);
      case Kind::minus: return calculate(Kind::minus, std::int64_t{0}, value(e.parts[0]));
      case Kind::plus: return sum(e);
      case Kind::times:
      case Kind::divided: return calculate(e.kind, value(e.parts[0]), value(e.parts[1]));
      case Kind::negation:
      case Kind::conjunction:
      case Kind::disjunction: return from_boolean(holds(e));
      default: return from_boolean(compare(e.kind, value(e.parts[0]), value(e.parts[1])));
    }
  }

  /// From left to right; `a - b` is one operation, so that it is exact where its result is.
  [[nodiscard]] Scalar sum(const Expression& e) const {
    Scalar total = value(e.parts[0]);
    for (std::size_t i = 1; i < e.parts.size(); ++i) {
      const Expression& part = e.parts[i];
      const bool minus = part.kind == Kind::minus;
      total =
          calculate(minus ? Kind::minus : Kind::plus, total, value(minus ? part.parts[0] : part));
    }
    return total;
  }

  [[nodiscard]] bool holds(const Expression& e) const {
    const auto part_holds = [&](const Expression& part) { return is_true(value(part)); };
    switch (e.kind) {
      case Kind::negation: return !part_holds(e.parts[0]);
      case Kind::conjunction: return std::all_of(e.parts.begin(), e.parts.end(), part_holds);
      default: return std::any_of(e.parts.begin(), e.parts.end(), part_holds);
    }
  }
};

/// `*` stands for any run of characters, also for none.
[[nodiscard]] bool fits(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '*') {
    return fits(name, pattern.substr(1)) || (!name.empty() && fits(name.substr(1), pattern));
  }
  return !name.empty() && name.front() == pattern.front() &&
         fits(name.substr(1), pattern.substr(1));
}

}  // namespace

bool is_number(const Scalar& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

Scalar calculate(Kind kind, const Scalar& a, const Scalar& b) {
  if (!is_number(a) || !is_number(b)) return {};
  if (kind == Kind::divided && as_real(b) == 0) return {};
  const auto* i = std::get_if<std::int64_t>(&a);
  const auto* j = std::get_if<std::int64_t>(&b);
  if (i != nullptr && j != nullptr) {
    if (const auto exact = exactly(kind, *i, *j)) return *exact;
  }
  return from_real(roughly(kind, as_real(a), as_real(b)));
}

bool compare(Kind kind, const Scalar& a, const Scalar& b) {
  if (std::holds_alternative<std::monostate>(a) || std::holds_alternative<std::monostate>(b)) {
    return false;
  }
  if (is_number(a) && is_number(b)) return compare_alike(kind, as_exact(a), as_exact(b));
  const auto* text = std::get_if<std::string>(&a);
  const auto* other = std::get_if<std::string>(&b);
  if (text != nullptr && other != nullptr) return compare_alike(kind, *text, *other);
  return kind == Kind::unequal;
}

Scalar evaluate(const Expression& expression,
                const std::function<Scalar(const Expression&)>& leaf) {
  return Evaluation{leaf}.value(expression);
}

Row row_of(const Computation& computation, State state) {
  const auto [process, rank] = state;
  return rank == 0 ? computation.initial_row(process) : computation.event(process, rank);
}

Scalar value_of_variable(const Computation& computation, State state, std::string_view variable) {
  const auto [process, last] = state;
  Scalar value;
  for (Rank rank = 0; rank <= last; ++rank) {
    for (const Assignment& assignment :
         computation.assignments(row_of(computation, {process, rank}))) {
      if (computation.names()[assignment.variable] != variable) continue;
      const Value& given = assignment.value;
      if (const auto* boolean = std::get_if<bool>(&given)) value = from_boolean(*boolean);
      if (const auto* integer = std::get_if<std::int64_t>(&given)) value = *integer;
      if (const auto* real = std::get_if<double>(&given)) value = from_real(*real);
      if (const auto* text = std::get_if<NameIndex>(&given)) {
        value = std::string(computation.names()[*text]);
      }
    }
  }
  return value;
}

Scalar value_of(const Expression& expression, const Properties& properties,
                const Computation& computation, State state) {
  return evaluate(expression, [&](const Expression& e) -> Scalar {
    switch (e.kind) {
      case Kind::variable: return value_of_variable(computation, state, e.name);
      case Kind::label: return from_boolean(carries(properties, computation, state, e.name));
      case Kind::event_is: return from_boolean(has_event_label(computation, state, e.name));
      case Kind::process_is: return from_boolean(computation.process_name(state.first) == e.name);
      default: return {};  // of global states only
    }
  });
}

bool is_true(const Scalar& value) {
  if (is_number(value)) return as_exact(value) != 0;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && !text->empty();
}

bool has_event_label(const Computation& computation, State state, std::string_view label) {
  const auto labels = computation.labels(row_of(computation, state));
  return std::any_of(labels.begin(), labels.end(),
                     [&](NameIndex name) { return computation.names()[name] == label; });
}

bool carries(const Properties& properties, const Computation& computation, State state,
             std::string_view label) {
  const auto declared = properties.find_label(label);
  if (!declared) return has_event_label(computation, state, label);
  return is_true(value_of(properties.labels[*declared].predicate, properties, computation, state));
}

bool is_called(const Properties& properties, const Computation& computation, ProcessIndex process,
               const std::string& who) {
  const std::string_view name = computation.process_name(process);
  const Group* group = properties.find_group(who);
  if (group == nullptr) return name == who;
  return std::any_of(group->patterns.begin(), group->patterns.end(),
                     [&](const std::string& pattern) { return fits(name, pattern); });
}

}  // namespace lightcone::definition
