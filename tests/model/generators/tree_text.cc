// Writes trees down, level by level.
#include "model/generators/tree_text.h"

#include <fmt/format.h>

namespace lightcone {
namespace {

[[nodiscard]] std::string tree_text(const LabelName& name) {
  return name.who.empty() ? name.label : name.who + ":" + name.label;
}

template <class Part, class... Context>
[[nodiscard]] std::string joined(const std::vector<Part>& parts, std::string_view between,
                                 const Context&... context) {
  std::string out;
  for (const Part& part : parts) {
    if (&part != &parts.front()) out += between;
    out += tree_text(part, context...);
  }
  return out;
}

[[nodiscard]] std::string aggregate_text(const Expression& e) {
  static constexpr const char* names[] = {"count", "all", "any", "sum", "min", "max"};
  const std::string whom = e.who.empty() ? "" : " in " + e.who;
  return fmt::format("{}({}{})", names[static_cast<int>(e.aggregate)], tree_text(e.parts.front()),
                     whom);
}

[[nodiscard]] std::string_view operator_text(Expression::Kind kind) {
  switch (kind) {
    case Expression::Kind::plus: return " + ";
    case Expression::Kind::times: return " * ";
    case Expression::Kind::divided: return " / ";
    case Expression::Kind::equal: return " == ";
    case Expression::Kind::unequal: return " != ";
    case Expression::Kind::less: return " < ";
    case Expression::Kind::at_most: return " <= ";
    case Expression::Kind::greater: return " > ";
    case Expression::Kind::at_least: return " >= ";
    case Expression::Kind::containing: return " contains ";
    case Expression::Kind::conjunction: return " and ";
    case Expression::Kind::disjunction: return " or ";
    default: return " ? ";
  }
}

[[nodiscard]] std::string tree_text(const Flow& flow) {
  std::string out = flow.every ? "every" : "some";
  out += flow.longest ? " longest flow" : " flow";
  if (flow.over) out += " over {" + joined(*flow.over, ", ") + "}";
  if (flow.at) out += " at " + tree_text(*flow.at);
  return out + " matches " + tree_text(flow.pattern);
}

[[nodiscard]] std::string tree_text(const Global& global) {
  static constexpr const char* modalities[] = {"possibly ", "definitely ", "properly "};
  return modalities[static_cast<int>(global.modality)] + tree_text(global.expression);
}

}  // namespace

std::string tree_text(const Atom& atom) {
  const bool positive = atom.kind == Atom::Kind::one_of;
  if (atom.names.empty() && !positive) return ".";
  if (atom.names.size() == 1 && positive) return tree_text(atom.names.front());
  return (positive ? "[" : "[^") + joined(atom.names, " ") + "]";
}

std::string tree_text(const Pattern& pattern) {
  switch (pattern.kind) {
    case Pattern::Kind::atom: return tree_text(pattern.atom);
    case Pattern::Kind::sequence: return "(" + joined(pattern.parts, " ") + ")";
    case Pattern::Kind::choice: return "(" + joined(pattern.parts, " | ") + ")";
    case Pattern::Kind::repeat: break;
  }
  const std::string most = pattern.most == Pattern::unbounded ? "" : std::to_string(pattern.most);
  return fmt::format("({}){{{},{}}}", joined(pattern.parts, " "), pattern.least, most);
}

std::string tree_text(const Formula& formula, const Logic& logic) {
  const auto variable = [&] { return logic.equations[formula.variable].name; };
  switch (formula.kind) {
    case Formula::Kind::constant: return formula.value ? "true" : "false";
    case Formula::Kind::atom: return tree_text(formula.atom);
    case Formula::Kind::initial: return "initial";
    case Formula::Kind::send: return "send";
    case Formula::Kind::receive: return "receive";
    case Formula::Kind::variable: return "$" + variable();
    case Formula::Kind::previous: return "prev " + variable();
    case Formula::Kind::message: return "msg " + variable();
    case Formula::Kind::negation: return "(not " + tree_text(formula.parts.front(), logic) + ")";
    case Formula::Kind::conjunction: return "(" + joined(formula.parts, " and ", logic) + ")";
    case Formula::Kind::disjunction: return "(" + joined(formula.parts, " or ", logic) + ")";
    case Formula::Kind::equivalence: return "(" + joined(formula.parts, " <=> ", logic) + ")";
  }
  return {};
}

std::string tree_text(const Logic& logic) {
  std::string out;
  for (const Equation& equation : logic.equations) {
    out += equation.name + " := " + tree_text(equation.formula, logic) + "; ";
  }
  return out + "detect " + logic.equations[logic.detected].name;
}

std::string tree_text(const Expression& e) {
  using Kind = Expression::Kind;
  switch (e.kind) {
    case Kind::boolean: return e.boolean ? "true" : "false";
    case Kind::integer: return std::to_string(e.integer);
    case Kind::real: return fmt::format("{:#}", e.real);
    case Kind::text: return "'" + e.name + "'";
    case Kind::variable: return e.name;
    case Kind::label: return "@" + e.name;
    case Kind::event_is: return "event='" + e.name + "'";
    case Kind::process_is: return "process='" + e.name + "'";
    case Kind::process_variable: return e.who + "." + e.name;
    case Kind::aggregate: return aggregate_text(e);
    case Kind::minus: return "(-" + tree_text(e.parts.front()) + ")";
    case Kind::negation: return "(not " + tree_text(e.parts.front()) + ")";
    default: return "(" + joined(e.parts, operator_text(e.kind)) + ")";
  }
}

std::string tree_text(const Property& property) {
  return std::visit([](const auto& question) { return tree_text(question); }, property.question);
}

}  // namespace lightcone
