// Whether the names in a property file mean something in a computation.
#include <lightcone/property/language/check_names.h>

#include <fmt/format.h>
#include <lightcone/base/spelling.h>
#include <lightcone/property/language/expression_text.h>
#include <lightcone/property/language/property_reads.h>
#include <lightcone/property/states/vocabulary.h>

#include <algorithm>
#include <cmath>

namespace lightcone {
namespace {

[[nodiscard]] std::vector<std::string> texts(const Computation& computation,
                                             const std::vector<bool>& chosen) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) names.emplace_back(computation.names()[static_cast<NameIndex>(i)]);
  }
  return names;
}

void find_variables(const Computation& computation, TraceNames& names) {
  std::vector<bool> assigned(computation.names().size(), false);
  std::vector<bool> has_text(assigned);
  for (const Assignment& assignment : computation.attributes().assignments) {
    const auto variable = static_cast<std::uint32_t>(assignment.variable);
    assigned[variable] = true;
    if (std::holds_alternative<NameIndex>(assignment.value)) has_text[variable] = true;
  }
  names.variables = texts(computation, assigned);
  names.texts = texts(computation, has_text);
}

class NameCheck {
 public:
  NameCheck(const Properties& properties, TraceNames names)
      : properties_(properties),
        labels_(std::move(names.labels)),
        variables_(std::move(names.variables)),
        processes_(std::move(names.processes)),
        texts_(std::move(names.texts)),
        has_times_(names.has_times) {}

  [[nodiscard]] Expected<std::vector<std::string>> run() {
    for (const Group& group : properties_.groups) check_group(group);
    for (const DeclaredLabel& label : properties_.labels) {
      const Property* const reader = first_reader(properties_, label);
      asks_ = reader == nullptr ? "" : reader->name;
      check(label.predicate);
    }
    for (const Property& property : properties_.properties) {
      asks_ = property.name;
      if (!property.each.empty()) {
        Expression variable;
        variable.name = property.each;
        variable.place = property.each_place;
        check_variable(variable);
      }
      if (const auto* flow = std::get_if<Flow>(&property.question)) {
        check(flow->pattern);
        if (has_times(flow->pattern) && !has_times_) {
          warn(property.place, "no event has a time, and `within` matches nothing without times",
               {});
        }
        if (flow->at) check(*flow->at);
        if (flow->over) check(Atom{Atom::Kind::one_of, *flow->over});
      } else if (const auto* logic = std::get_if<Logic>(&property.question)) {
        for (const Equation& equation : logic->equations) check(equation.formula);
      } else {
        check(std::get<Global>(property.question).expression);
      }
    }
    if (error_) return failure(std::move(*error_));
    return std::move(warnings_);
  }

 private:
  [[nodiscard]] static bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void fail(TextPlace place, std::string what, std::string hint) {
    if (error_) return;
    error_ =
        Error{std::move(what), properties_.file, place.line, std::move(hint), place.column, {}};
  }
  void warn(TextPlace place, const std::string& what, const std::string& hint) {
    std::string text = fmt::format("{}:{}:{}: {}{}", properties_.file, place.line, place.column,
                                   asks_.empty() ? "" : fmt::format("`{}`: ", asks_), what);
    if (!hint.empty()) text += "; " + hint;
    if (!has(warnings_, text)) warnings_.push_back(std::move(text));
  }

  void check_group(const Group& group) {
    const bool some = std::any_of(processes_.begin(), processes_.end(),
                                  [&](const auto& process) { return contains(group, process); });
    if (some) return;
    fail(group.place, fmt::format("no process of the trace belongs to the group `{}`", group.name),
         did_you_mean(group.patterns.front(), processes_));
  }

  void check_process(const std::string& name, TextPlace place) {
    if (properties_.find_group(name) != nullptr || has(processes_, name)) return;
    std::vector<std::string> known = processes_;
    for (const Group& group : properties_.groups) known.push_back(group.name);
    fail(place, fmt::format("no process or group is called `{}`", name), did_you_mean(name, known));
  }

  void check_label(const std::string& name, TextPlace place) {
    if (properties_.find_label(name) || has(labels_, name)) return;
    if (std::find(missing_.begin(), missing_.end(), name) != missing_.end()) return;
    missing_.push_back(name);
    std::vector<std::string> known = labels_;
    for (const DeclaredLabel& label : properties_.labels) known.push_back(label.name);
    warn(place, fmt::format("no event carries the label `{}`", name), did_you_mean(name, known));
  }

  void check_variable(const Expression& variable) {
    if (has(variables_, variable.name)) return;
    static const std::vector<std::string> kinds{"init", "internal", "send", "receive"};
    std::vector<std::string> known = variables_;
    known.insert(known.end(), {"text", "source", "time", "kind", "message"});
    std::string hint = did_you_mean(variable.name, known);
    if (variable.name == "event" || variable.name == "process") {
      hint = fmt::format(
          "only `{0} == \"name\"` and `{0} != \"name\"` ask for it, with the name in "
          "double quotes{1}",
          variable.name, variable.name == "process" ? "; a `group` has several" : "");
    } else if (has(kinds, variable.name)) {
      hint =
          fmt::format("a kind of events stands in double quotes: `kind == \"{}\"`", variable.name);
    } else if (has(labels_, variable.name)) {
      hint = fmt::format("there is an event label of that name: `event == \"{}\"` asks for it",
                         variable.name);
    }
    fail(variable.place, fmt::format("no variable `{}` occurs in the trace", variable.name),
         std::move(hint));
  }

  void check(const Atom& atom) {
    for (const LabelName& name : atom.names) {
      if (!name.who.empty()) check_process(name.who, name.place);
      check_label(name.label, name.place);
    }
  }

  void check(const Pattern& pattern) {
    if (pattern.kind == Pattern::Kind::atom) check(pattern.atom);
    for (const Pattern& part : pattern.parts) check(part);
  }

  void check(const Formula& formula) {
    if (formula.kind == Formula::Kind::atom) check(formula.atom);
    for (const Formula& part : formula.parts) check(part);
  }

  void check(const Expression& expression) {
    using Kind = Expression::Kind;
    switch (expression.kind) {
      case Kind::variable: check_variable(expression); break;
      case Kind::event_is: check_label_of_event(expression); break;
      case Kind::attribute:
        if (has(variables_, expression.name)) {
          warn(expression.place,
               fmt::format("`{0}` asks for the {0} of the event, not for the variable `{0}`",
                           expression.name),
               fmt::format("`vars.{}` asks for the variable", expression.name));
        }
        if (expression.name == "time" && !has_times_) {
          warn(expression.place, "no event has a time", {});
        }
        break;
      case Kind::process_is:
        if (!has(processes_, expression.name)) {
          fail(expression.place, fmt::format("no process is called `{}`", expression.name),
               did_you_mean(expression.name, processes_));
        }
        break;
      case Kind::process_variable:
        if (!has(processes_, expression.who)) {
          fail(expression.place, fmt::format("no process is called `{}`", expression.who),
               did_you_mean(expression.who, processes_));
        }
        if (!properties_.find_label(expression.name)) check_variable(expression);
        break;
      case Kind::aggregate:
        if (!expression.who.empty()) check_process(expression.who, expression.place);
        break;
      default: break;
    }
    for (const Expression& part : expression.parts) check(part);
    if (wants_numbers(expression)) check_numbers(expression);
    if (is_comparison(expression.kind)) check_texts(expression);
  }

  /// In `"order.id" == "x"` both are texts, and the first one was probably meant to be a name.
  void check_texts(const Expression& comparison) {
    const Expression &first = comparison.parts[0], &second = comparison.parts[1];
    if (first.kind != Expression::Kind::text || second.kind != Expression::Kind::text) return;
    const std::string& meant = has(variables_, second.name) ? second.name : first.name;
    const bool is_known = has(variables_, meant);
    warn(comparison.place, "this compares two texts, and reads no variable",
         fmt::format("`vars.\"{}\"` asks for {}", meant,
                     is_known ? "the variable" : "a variable of this name"));
  }

  /// Returns whether texts among the parts are passed over: in sums, in arithmetic, and compared
  /// with a number.
  [[nodiscard]] static bool wants_numbers(const Expression& expression) {
    using Kind = Expression::Kind;
    const auto is_number = [](const Expression& part) {
      return part.kind == Kind::integer || part.kind == Kind::real || is_arithmetic(part.kind);
    };
    if (expression.kind == Kind::aggregate) {
      return expression.aggregate >= Expression::Aggregate::sum;
    }
    if (is_comparison(expression.kind)) {
      return is_number(expression.parts[0]) || is_number(expression.parts[1]);
    }
    return is_arithmetic(expression.kind);
  }
  [[nodiscard]] static bool is_comparison(Expression::Kind kind) {
    return kind >= Expression::Kind::equal && kind <= Expression::Kind::at_least;
  }
  [[nodiscard]] static bool is_arithmetic(Expression::Kind kind) {
    return kind >= Expression::Kind::minus && kind <= Expression::Kind::divided;
  }

  void check_numbers(const Expression& expression) {
    for (const Expression& part : expression.parts) {
      const bool is_variable = part.kind == Expression::Kind::variable ||
                               part.kind == Expression::Kind::process_variable;
      if (!is_variable || !has(texts_, part.name) || properties_.find_label(part.name)) continue;
      warn(expression.place,
           fmt::format("`{}` passes over the texts that `{}` has in this trace",
                       text_of(expression), part.name),
           fmt::format("`--numbers` reads them as numbers, if all values of `{}` are", part.name));
    }
  }

  void check_label_of_event(const Expression& test) {
    if (has(labels_, test.name)) return;
    warn(test.place, fmt::format("no event carries the label `{}`", test.name),
         did_you_mean(test.name, labels_));
  }

  const Properties& properties_;
  std::vector<std::string> labels_, variables_, processes_, texts_, missing_;
  bool has_times_;
  std::string asks_;  // the property that is being looked at
  std::vector<std::string> warnings_;
  std::optional<Error> error_;
};

}  // namespace

std::vector<std::string> event_labels(const Computation& computation) {
  // Bytes: a bit would have to wait for the one before it in its word.
  std::vector<std::uint8_t> sets(computation.name_sets().size(), 0);
  for (const NameSetIndex set : computation.attributes().labels) sets[set] = 1;
  std::vector<bool> carried(computation.names().size(), false);
  for (NameSetIndex set = 0; set < sets.size(); ++set) {
    if (sets[set] == 0) continue;
    for (const NameIndex name : computation.name_sets()[set]) {
      carried[static_cast<std::uint32_t>(name)] = true;
    }
  }
  return texts(computation, carried);
}

Expected<std::vector<std::string>> check_names(const Properties& properties, TraceNames names) {
  return NameCheck(properties, std::move(names)).run();
}

TraceNames names_of(const Computation& computation) {
  TraceNames names{event_labels(computation), {}, {}};
  find_variables(computation, names);
  names.has_times = std::ranges::any_of(computation.attributes().time,
                                        [](double time) { return !std::isnan(time); });
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    names.processes.emplace_back(computation.process_name(p));
  }
  return names;
}

Expected<std::vector<std::string>> check_names(const Properties& properties,
                                               const Computation& computation) {
  return check_names(properties, names_of(computation));
}

}  // namespace lightcone
