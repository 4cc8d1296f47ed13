// What the operators of expressions mean, whatever the leaves are.
#pragma once

#include <lightcone/property/datum.h>

#include <algorithm>
#include <cstdint>

namespace lightcone {

/// The value of an expression with its names looked up: a node has `kind`, `constant` and `parts`.
/// What is neither a constant nor an operator is asked of `leaf`.
template <class Node, class Leaf>
[[nodiscard]] Datum evaluate(const Node& node, const Leaf& leaf) {
  using K = Expression::Kind;
  const auto value = [&](const Node& part) { return evaluate(part, leaf); };
  const auto holds = [&](const Node& part) { return is_true(evaluate(part, leaf)); };
  const auto boolean = [](bool truth) { return Datum(std::int64_t{truth}); };
  const auto& parts = node.parts;
  switch (node.kind) {
    case K::boolean:
    case K::integer:
    case K::real:
    case K::text: return node.constant;
    case K::variable:
    case K::label:
    case K::event_is:
    case K::process_is:
    case K::process_variable:
    case K::aggregate: return leaf(node);
    case K::minus: return negative(value(parts[0]));
    case K::plus: {
      Datum sum = value(parts[0]);
      for (std::size_t i = 1; i < parts.size(); ++i) {
        sum = parts[i].kind == K::minus ? arithmetic(K::minus, sum, value(parts[i].parts[0]))
                                        : arithmetic(K::plus, sum, value(parts[i]));
      }
      return sum;
    }
    case K::times:
    case K::divided: return arithmetic(node.kind, value(parts[0]), value(parts[1]));
    case K::negation: return boolean(!holds(parts[0]));
    case K::conjunction: return boolean(std::all_of(parts.begin(), parts.end(), holds));
    case K::disjunction: return boolean(std::any_of(parts.begin(), parts.end(), holds));
    default: return boolean(compare(node.kind, value(parts[0]), value(parts[1])));
  }
}

/// The constant that an expression is, where it is one.
[[nodiscard]] Datum constant_of(const Expression& expression);

}  // namespace lightcone
