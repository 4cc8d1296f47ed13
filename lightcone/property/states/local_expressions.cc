// Looks names up once, then evaluates expressions in one state after the other.
#include <lightcone/property/states/local_expressions.h>

#include <lightcone/error.h>
#include <lightcone/property/states/evaluation.h>

#include <algorithm>
#include <optional>

namespace lightcone {
namespace {

/// As JSON Lines spell it.
[[nodiscard]] std::string_view word_of(Kind kind) {
  switch (kind) {
    case Kind::internal: return "internal";
    case Kind::send: return "send";
    case Kind::receive: return "receive";
    case Kind::initial: break;
  }
  return "init";
}

}  // namespace

Datum constant_of(const Expression& expression) {
  switch (expression.kind) {
    case Expression::Kind::boolean: return std::int64_t{expression.boolean};
    case Expression::Kind::integer: return expression.integer;
    case Expression::Kind::real: return datum_of(expression.real);
    case Expression::Kind::text: return std::string_view(expression.name);
    default: return {};
  }
}

bool is_among(std::span<const NameIndex> names, NameIndex name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

LocalExpressions::LocalExpressions(const Properties& properties, const Names& names)
    : properties_(properties), names_(names), declared_count_(properties.labels.size()) {
  for (const DeclaredLabel& label : properties.labels) {
    expressions_.push_back(bind(label.predicate));
  }
  order_labels();
}

std::uint32_t LocalExpressions::add(const Expression& expression) {
  expressions_.push_back(bind(expression));
  return static_cast<std::uint32_t>(expressions_.size() - 1);
}

LocalExpressions::Bound LocalExpressions::bind(const Expression& expression) {
  Bound bound{expression.kind, constant_of(expression), 0, NameIndex::none, {}, {}, {}};
  switch (expression.kind) {
    case Expression::Kind::variable: bound.slot = slot(expression.name); break;
    case Expression::Kind::label: bound.slot = *properties_.find_label(expression.name); break;
    case Expression::Kind::event_is:
      bound.label = names_.find(expression.name);
      read_events_ = true;
      break;
    case Expression::Kind::process_is: bound.name = expression.name; break;
    case Expression::Kind::attribute:
      bound.name = expression.name;
      read_events_ = true;
      reads_content_ = true;
      reads_messages_ = reads_messages_ || expression.name == "message";
      break;
    case Expression::Kind::matching:
      bound.search = std::make_shared<TextSearch>(*expression.regex);
      break;
    default: break;
  }
  for (const Expression& part : expression.parts) bound.parts.push_back(bind(part));
  return bound;
}

std::uint32_t LocalExpressions::slot(const std::string& variable) {
  const auto known = std::find(variables_.begin(), variables_.end(), variable);
  if (known != variables_.end()) return static_cast<std::uint32_t>(known - variables_.begin());
  const auto fresh = static_cast<std::uint32_t>(variables_.size());
  variables_.push_back(variable);
  if (const NameIndex name = names_.find(variable); name != NameIndex::none) {
    slot_of_name_[static_cast<std::uint32_t>(name)] = fresh;
  }
  return fresh;
}

/// Those that a label reads come before it; the parser has seen to it that this is possible.
void LocalExpressions::order_labels() {
  std::vector<bool> placed(declared_count_, false);
  const auto ready = [&](const auto& self, const Bound& bound) -> bool {
    if (bound.kind == Expression::Kind::label && !placed[bound.slot]) return false;
    return std::all_of(bound.parts.begin(), bound.parts.end(),
                       [&](const Bound& part) { return self(self, part); });
  };
  while (label_order_.size() < declared_count_) {
    const std::size_t before = label_order_.size();
    for (std::uint32_t i = 0; i < declared_count_; ++i) {
      if (placed[i] || !ready(ready, expressions_[i])) continue;
      placed[i] = true;
      label_order_.push_back(i);
    }
    LIGHTCONE_ASSERT(label_order_.size() > before);
  }
}

LocalExpressions::Process LocalExpressions::start(std::string_view name) const {
  return {name, std::vector<Datum>(variables_.size())};
}

bool LocalExpressions::assign(Process& process, std::span<const Assignment> assignments) const {
  bool read = false;
  for (const Assignment& assignment : assignments) {
    const auto slot = slot_of_name_.find(static_cast<std::uint32_t>(assignment.variable));
    if (slot == slot_of_name_.end()) continue;
    read = true;
    Datum& variable = process.variables[slot->second];
    if (const auto* truth = std::get_if<bool>(&assignment.value)) {
      variable = std::int64_t{*truth};
    } else if (const auto* integer = std::get_if<std::int64_t>(&assignment.value)) {
      variable = *integer;
    } else if (const auto* real = std::get_if<double>(&assignment.value)) {
      variable = datum_of(*real);
    } else {
      variable = names_[std::get<NameIndex>(assignment.value)];
    }
  }
  return read;
}

LocalExpressions::DeclaredTruth LocalExpressions::declared(const Process& process,
                                                           const StateContent& state) const {
  DeclaredTruth truth(declared_count_);
  const Moment moment{process, state, truth};
  for (const std::uint32_t i : label_order_) truth[i] = is_true(value(expressions_[i], moment));
  return truth;
}

Datum LocalExpressions::value(std::uint32_t number, const Process& process,
                              const StateContent& state, const DeclaredTruth& truth) const {
  return value(expressions_[number], {process, state, truth});
}

Datum LocalExpressions::value(const Bound& bound, const Moment& moment) const {
  return evaluate(bound, [&](const Bound& leaf) { return leaf_value(leaf, moment); });
}

Datum LocalExpressions::leaf_value(const Bound& leaf, const Moment& moment) const {
  using enum Expression::Kind;
  switch (leaf.kind) {
    case variable: return moment.process.variables[leaf.slot];
    case label: return std::int64_t{moment.truth[leaf.slot]};
    case event_is: return std::int64_t{is_among(moment.state.labels, leaf.label)};
    case process_is: return std::int64_t{moment.process.name == leaf.name};
    case matching: return std::int64_t{matches(leaf, moment)};
    case some_message: return std::int64_t{holds_of_some_message(leaf, moment)};
    case attribute: break;
    default: return {};  // of global states only
  }
  const auto text_or_null = [](std::optional<std::string_view> text) {
    return text ? Datum(*text) : Datum();
  };
  const StateContent& state = moment.state;
  if (leaf.name == "text") return text_or_null(state.text);
  if (leaf.name == "source") return text_or_null(state.source);
  if (leaf.name == "time") return datum_of(state.time);
  if (leaf.name == "kind") return word_of(state.kind);
  const bool is_first = !moment.message && !state.messages.empty();
  return text_or_null(is_first ? state.messages.front() : moment.message);
}

/// What took too long counts as no match, and is remembered: who reads it is not known.
bool LocalExpressions::matches(const Bound& leaf, const Moment& moment) const {
  const Datum matched = value(leaf.parts[0], moment);
  std::string room;
  const std::optional<std::string_view> text = matched_text(matched, room);
  if (!text) return false;
  const std::optional<bool> found = leaf.search->is_in(*text);
  if (!found) given_up_.insert(leaf.search->expression().pattern());
  return found.value_or(false);
}

bool LocalExpressions::holds_of_some_message(const Bound& leaf, const Moment& moment) const {
  const auto& messages = moment.state.messages;
  return std::any_of(messages.begin(), messages.end(), [&](std::string_view message) {
    const Moment with{moment.process, moment.state, moment.truth, message};
    return is_true(value(leaf.parts[0], with));
  });
}

}  // namespace lightcone
