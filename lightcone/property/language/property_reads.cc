// Walks from a question to the labels it names, and on to what these read.
#include <lightcone/property/language/property_reads.h>

#include <algorithm>

namespace lightcone {
namespace {

void collect(const Atom& atom, std::vector<std::string>& names) {
  for (const LabelName& name : atom.names) names.push_back(name.label);
}

void collect(const Pattern& pattern, std::vector<std::string>& names) {
  collect(pattern.atom, names);
  for (const Pattern& part : pattern.parts) collect(part, names);
}

void collect(const Formula& formula, std::vector<std::string>& names) {
  collect(formula.atom, names);
  for (const Formula& part : formula.parts) collect(part, names);
}

/// The declared labels that an expression names.
void collect_labels(const Properties& properties, const Expression& expression,
                    std::vector<std::string>& names) {
  using Kind = Expression::Kind;
  const bool is_label =
      expression.kind == Kind::label || (expression.kind == Kind::process_variable &&
                                         properties.find_label(expression.name).has_value());
  if (is_label) names.push_back(expression.name);
  for (const Expression& part : expression.parts) collect_labels(properties, part, names);
}

[[nodiscard]] bool has_pattern(const Expression& expression,
                               const std::set<std::string>& patterns) {
  if (expression.kind == Expression::Kind::matching && patterns.contains(expression.name)) {
    return true;
  }
  return std::ranges::any_of(expression.parts,
                             [&](const Expression& part) { return has_pattern(part, patterns); });
}

}  // namespace

std::vector<std::string> labels_named(const Property& property) {
  std::vector<std::string> names;
  if (const auto* flow = std::get_if<Flow>(&property.question)) {
    collect(flow->pattern, names);
    if (flow->at) collect(*flow->at, names);
    if (flow->over) collect(Atom{Atom::Kind::one_of, *flow->over}, names);
  } else if (const auto* logic = std::get_if<Logic>(&property.question)) {
    for (const Equation& equation : logic->equations) collect(equation.formula, names);
  }
  return names;
}

std::vector<const Expression*> expressions_read(const Properties& properties,
                                                const Property& property) {
  std::vector<const Expression*> read;
  std::vector<std::string> open = labels_named(property);
  if (const auto* global = std::get_if<Global>(&property.question)) {
    read.push_back(&global->expression);
    collect_labels(properties, global->expression, open);
  }
  std::set<std::uint32_t> seen;
  while (!open.empty()) {
    const auto label = properties.find_label(open.back());
    open.pop_back();
    if (!label || !seen.insert(*label).second) continue;
    read.push_back(&properties.labels[*label].predicate);
    collect_labels(properties, properties.labels[*label].predicate, open);
  }
  return read;
}

const Property* first_reader(const Properties& properties, const DeclaredLabel& label) {
  for (const Property& property : properties.properties) {
    const auto read = expressions_read(properties, property);
    if (std::ranges::find(read, &label.predicate) != read.end()) return &property;
  }
  return nullptr;
}

namespace {

/// The same with all declared labels, if the alphabet of a flow is not spelt out.
[[nodiscard]] std::vector<const Expression*> expressions_that_matter(const Properties& properties,
                                                                     const Property& property) {
  std::vector<const Expression*> read = expressions_read(properties, property);
  const auto* flow = std::get_if<Flow>(&property.question);
  if (flow != nullptr && !flow->over) {
    for (const DeclaredLabel& label : properties.labels) read.push_back(&label.predicate);
  }
  return read;
}

[[nodiscard]] bool asks_for_kind_or_message(const Expression& expression) {
  using Kind = Expression::Kind;
  if (expression.kind == Kind::some_message) return true;
  if (expression.kind == Kind::attribute) {
    return expression.name == "kind" || expression.name == "message";
  }
  return std::ranges::any_of(expression.parts, asks_for_kind_or_message);
}

}  // namespace

bool depends_on_matching(const Properties& properties, const Property& property,
                         const std::set<std::string>& patterns) {
  if (patterns.empty()) return false;
  return std::ranges::any_of(
      expressions_that_matter(properties, property),
      [&](const Expression* expression) { return has_pattern(*expression, patterns); });
}

bool reads_kinds_or_messages(const Properties& properties, const Property& property) {
  return std::ranges::any_of(
      expressions_that_matter(properties, property),
      [](const Expression* expression) { return asks_for_kind_or_message(*expression); });
}

}  // namespace lightcone
