// Compiles property files: what can be done before there is a computation.
#include <lightcone/property/automata/compiled.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace lightcone {
namespace {

constexpr std::size_t most_transitions_kept = 1 << 20;  // of an automaton of positions

void collect_names(const Pattern& pattern, std::vector<LabelName>& names) {
  names.insert(names.end(), pattern.atom.names.begin(), pattern.atom.names.end());
  for (const Pattern& part : pattern.parts) collect_names(part, names);
}

}  // namespace

/// Takes the file; returns the declared labels that hide event labels.
std::vector<std::string> CompiledProperties::start(Properties properties,
                                                   const std::vector<std::string>& event_labels) {
  properties_ = std::make_unique<Properties>(std::move(properties));
  vocabulary_ = std::make_unique<Vocabulary>(*properties_);
  std::vector<std::string> also;
  for (const DeclaredLabel& label : properties_->labels) {
    if (std::find(event_labels.begin(), event_labels.end(), label.name) != event_labels.end()) {
      also.push_back(label.name);
    }
  }
  return also;
}

CompiledProperties CompiledProperties::compile(Properties properties,
                                               const std::vector<std::string>& event_labels) {
  CompiledProperties compiled;
  const auto also = compiled.start(std::move(properties), event_labels);
  for (std::uint32_t i = 0; i < compiled.source().properties.size(); ++i) {
    if (compiled.source().properties[i].each.empty()) compiled.add(i, also);
  }
  return compiled;
}

CompiledProperties CompiledProperties::compile_alone(Properties properties,
                                                     const std::vector<std::string>& event_labels,
                                                     std::uint32_t property) {
  CompiledProperties compiled;
  const auto also = compiled.start(std::move(properties), event_labels);
  compiled.add(property, also);
  return compiled;
}

void CompiledProperties::add(std::uint32_t property, const std::vector<std::string>& also) {
  const auto& question = properties_->properties[property].question;
  if (const auto* flow = std::get_if<Flow>(&question)) {
    if (auto added = add_flow(property, *flow, also); !added) {
      undecided_.push_back({property, added.error().what});
    }
  } else if (const auto* logic = std::get_if<Logic>(&question)) {
    add_logic(property, *logic);
  }
}

Expected<void> CompiledProperties::add_flow(std::uint32_t property, const Flow& flow,
                                            const std::vector<std::string>& also) {
  CompiledFlow compiled;
  compiled.property = property;
  compiled.longest = flow.longest;
  compiled.every = flow.every;
  if (flow.over) {
    compiled.labelled = vocabulary_->one_of(*flow.over);
  } else {
    std::vector<LabelName> names;
    collect_names(flow.pattern, names);
    compiled.labelled = vocabulary_->any_or_one(names, also);
  }
  if (flow.at) compiled.at = vocabulary_->test(*flow.at);
  if (has_times(flow.pattern)) {
    auto timed = timed_automaton(flow.pattern, *vocabulary_);
    if (!timed) return failure(timed.error());
    compiled.timed = std::move(*timed);
    flows_.push_back(std::move(compiled));
    return {};
  }
  auto positions = position_automaton(flow.pattern, *vocabulary_);
  if (!positions) return failure(positions.error());
  // Only `every` needs determinism; for `some` the smaller one serves, so that it is not worth much
  // work to find one that is hardly smaller.
  auto minimal = flow.every ? minimal_automaton(*positions, *vocabulary_, true)
                            : minimal_automaton(*positions, *vocabulary_, false,
                                                4 * std::size_t{positions->states()} + 16);
  if (!minimal && flow.every) return failure(minimal.error());
  const bool smaller = minimal && (flow.every || minimal->states() <= positions->states());
  // Each kind of event is compiled to equations with as many terms.
  if (!smaller && positions->transitions() > most_transitions_kept) {
    return failure(
        fmt::format("the pattern needs more than {} transitions", most_transitions_kept));
  }
  compiled.automaton = smaller ? std::move(*minimal) : std::move(*positions);
  flows_.push_back(std::move(compiled));
  return {};
}

void CompiledProperties::add_logic(std::uint32_t property, const Logic& logic) {
  CompiledLogic compiled;
  compiled.property = property;
  compiled.logic = &logic;
  const std::function<void(Formula&)> number = [&](Formula& formula) {
    if (formula.kind == Formula::Kind::atom) {
      formula.variable = static_cast<std::uint32_t>(compiled.tests.size());
      compiled.tests.push_back(vocabulary_->test(formula.atom));
    }
    for (Formula& part : formula.parts) number(part);
  };
  for (const Equation& equation : logic.equations) {
    compiled.formulas.push_back(equation.formula);
    number(compiled.formulas.back());
  }
  logics_.push_back(std::move(compiled));
}

}  // namespace lightcone
