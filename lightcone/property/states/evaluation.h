// What the operators of expressions mean, whatever the leaves are.
#pragma once

#include <lightcone/property/states/datum.h>
#include <lightcone/property/states/exact_sum.h>

#include <algorithm>
#include <cstdint>

namespace lightcone {

template <class Node, class Leaf>
[[nodiscard]] Datum evaluate(const Node& node, const Leaf& leaf);

/// Adds an expression to a sum, or takes it away. What `+` and `-` join is one sum, whatever the
/// parentheses: it is rounded once.
template <class Node, class Leaf>
void add_to_sum(const Node& node, const Leaf& leaf, bool negative, ExactSum& sum) {
  if (node.kind == Expression::Kind::plus) {
    for (const Node& part : node.parts) add_to_sum(part, leaf, negative, sum);
  } else if (node.kind == Expression::Kind::minus) {
    add_to_sum(node.parts[0], leaf, !negative, sum);
  } else {
    sum.add(evaluate(node, leaf), negative);
  }
}

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
    case K::attribute:
    case K::some_message:
    case K::matching:
    case K::process_variable:
    case K::aggregate: return leaf(node);
    case K::minus:
    case K::plus: {
      ExactSum sum;
      add_to_sum(node, leaf, false, sum);
      return sum.value();
    }
    case K::times: return product(value(parts[0]), value(parts[1]));
    case K::divided: return quotient(value(parts[0]), value(parts[1]));
    case K::negation: return boolean(!holds(parts[0]));
    case K::conjunction: return boolean(std::all_of(parts.begin(), parts.end(), holds));
    case K::disjunction: return boolean(std::any_of(parts.begin(), parts.end(), holds));
    case K::containing: return boolean(contains(value(parts[0]), value(parts[1])));
    default: return boolean(compare(node.kind, value(parts[0]), value(parts[1])));
  }
}

/// The constant that an expression is, where it is one.
[[nodiscard]] Datum constant_of(const Expression& expression);

}  // namespace lightcone
