// The arithmetic of local predicates: null, rational numbers, rounded where they end, texts.
#include "model/definitions/predicate_definitions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace lightcone::definition {
namespace {

using ExpressionKind = Expression::Kind;

[[nodiscard]] Scalar from_real(double real) {
  if (!std::isfinite(real)) return {};
  return mpq_class(real);
}

[[nodiscard]] Scalar from_boolean(bool boolean) { return number(boolean ? 1 : 0); }

[[nodiscard]] bool is_integer(const mpq_class& number) { return number.get_den() == 1; }

[[nodiscard]] mpq_class power_of_two(unsigned exponent) { return mpz_class(1) << exponent; }

/// The nearest of the two reals around a number, or the even one; infinite beyond all reals.
[[nodiscard]] double nearest_real(const mpq_class& number) {
  const double near = number.get_d();  // GMP rounds towards 0
  if (std::isinf(near)) return near;
  const double far = std::nextafter(near, number < 0 ? -INFINITY : INFINITY);
  const mpq_class from_near = abs(number) - abs(mpq_class(near));
  const mpq_class from_far =
      (std::isinf(far) ? power_of_two(1024) : mpq_class(abs(mpq_class(far)))) - abs(number);
  if (from_near == from_far) return (std::bit_cast<std::uint64_t>(near) & 1) == 0 ? near : far;
  return from_near < from_far ? near : far;
}

/// A text as it is, a number with the fewest digits that still are this number.
[[nodiscard]] std::optional<std::string> text_of(const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (!is_number(value)) return std::nullopt;
  const auto& exact = std::get<mpq_class>(value);
  if (is_integer(exact) && abs(exact) < power_of_two(127)) return exact.get_num().get_str();
  for (int digits = 1;; ++digits) {
    std::array<char, 40> text{};
    (void)std::snprintf(text.data(), text.size(), "%.*g", digits, exact.get_d());
    if (std::strtod(text.data(), nullptr) == exact.get_d()) return text.data();
  }
}

template <class T>
[[nodiscard]] bool compare_alike(ExpressionKind kind, const T& a, const T& b) {
  switch (kind) {
    case ExpressionKind::equal: return a == b;
    case ExpressionKind::unequal: return a != b;
    case ExpressionKind::less: return a < b;
    case ExpressionKind::at_most: return a <= b;
    case ExpressionKind::greater: return a > b;
    default: return a >= b;
  }
}

/// Constants and operators; the rest is asked of `leaf`.
struct Evaluation {
  const std::function<Scalar(const Expression&)>& leaf;

  [[nodiscard]] Scalar value(const Expression& e) const {
    switch (e.kind) {
      case ExpressionKind::boolean: return from_boolean(e.boolean);
      case ExpressionKind::integer: return number(e.integer);
      case ExpressionKind::real: return from_real(e.real);
      case ExpressionKind::text: return e.name;
      case ExpressionKind::variable:
      case ExpressionKind::label:
      case ExpressionKind::event_is:
      case ExpressionKind::process_is:
      case ExpressionKind::attribute:
      case ExpressionKind::process_variable:
      case ExpressionKind::aggregate: return leaf(e);
      case ExpressionKind::minus:
      case ExpressionKind::plus: return sum_of(summands(e, false));
      case ExpressionKind::times:
      case ExpressionKind::divided: return calculate(e.kind, value(e.parts[0]), value(e.parts[1]));
      case ExpressionKind::negation:
      case ExpressionKind::conjunction:
      case ExpressionKind::disjunction: return from_boolean(holds(e));
      case ExpressionKind::containing: {
        const auto whole = text_of(value(e.parts[0])), part = text_of(value(e.parts[1]));
        return from_boolean(whole && part && whole->find(*part) != std::string::npos);
      }
      default: return from_boolean(compare(e.kind, value(e.parts[0]), value(e.parts[1])));
    }
  }

  /// All that `+` and `-` join, whatever the parentheses.
  [[nodiscard]] std::vector<Scalar> summands(const Expression& e, bool negative) const {
    if (e.kind == ExpressionKind::minus) return summands(e.parts[0], !negative);
    std::vector<Scalar> all;
    if (e.kind == ExpressionKind::plus) {
      for (const Expression& part : e.parts) {
        for (Scalar& summand : summands(part, negative)) all.push_back(std::move(summand));
      }
      return all;
    }
    Scalar own = value(e);
    if (auto* summand = std::get_if<mpq_class>(&own); summand != nullptr && negative) {
      *summand = -*summand;
    }
    all.push_back(std::move(own));
    return all;
  }

  [[nodiscard]] bool holds(const Expression& e) const {
    const auto part_holds = [&](const Expression& part) { return is_true(value(part)); };
    switch (e.kind) {
      case ExpressionKind::negation: return !part_holds(e.parts[0]);
      case ExpressionKind::conjunction:
        return std::all_of(e.parts.begin(), e.parts.end(), part_holds);
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

bool is_number(const Scalar& value) { return std::holds_alternative<mpq_class>(value); }

mpq_class number(std::int64_t integer) { return mpz_class(std::to_string(integer)); }

Scalar rounded(const mpq_class& number) {
  if (is_integer(number) && abs(number) < power_of_two(127)) return number;
  return from_real(nearest_real(number));
}

Scalar sum_of(const std::vector<Scalar>& numbers) {
  mpq_class sum = 0;
  for (const Scalar& number : numbers) {
    if (!is_number(number)) return {};
    sum += std::get<mpq_class>(number);
  }
  return rounded(sum);
}

Scalar calculate(ExpressionKind kind, const Scalar& a, const Scalar& b) {
  if (!is_number(a) || !is_number(b)) return {};
  const auto& left = std::get<mpq_class>(a);
  const auto& right = std::get<mpq_class>(b);
  if (kind == ExpressionKind::divided && right == 0) return {};
  const mpq_class exact =
      kind == ExpressionKind::times ? mpq_class(left * right) : mpq_class(left / right);
  if (is_integer(left) && is_integer(right) && is_integer(exact) && abs(left) < power_of_two(127) &&
      abs(right) < power_of_two(127) && abs(exact) < power_of_two(127)) {
    return exact;
  }
  const double x = nearest_real(left);
  const double y = nearest_real(right);
  return from_real(kind == ExpressionKind::times ? x * y : x / y);
}

bool compare(ExpressionKind kind, const Scalar& a, const Scalar& b) {
  if (std::holds_alternative<std::monostate>(a) || std::holds_alternative<std::monostate>(b)) {
    return false;
  }
  if (is_number(a) && is_number(b)) {
    return compare_alike(kind, std::get<mpq_class>(a), std::get<mpq_class>(b));
  }
  const auto* text = std::get_if<std::string>(&a);
  const auto* other = std::get_if<std::string>(&b);
  if (text != nullptr && other != nullptr) return compare_alike(kind, *text, *other);
  return kind == ExpressionKind::unequal;
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
      if (const auto* integer = std::get_if<std::int64_t>(&given)) value = number(*integer);
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
      case ExpressionKind::variable: return value_of_variable(computation, state, e.name);
      case ExpressionKind::label:
        return from_boolean(carries(properties, computation, state, e.name));
      case ExpressionKind::event_is:
        return from_boolean(has_event_label(computation, state, e.name));
      case ExpressionKind::process_is:
        return from_boolean(computation.process_name(state.first) == e.name);
      case ExpressionKind::attribute: {
        if (e.name != "text") return {};
        const auto text = computation.text(row_of(computation, state));
        return text ? Scalar(std::string(*text)) : Scalar();
      }
      default: return {};  // of global states only
    }
  });
}

bool is_true(const Scalar& value) {
  if (is_number(value)) return std::get<mpq_class>(value) != 0;
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
