// Finds the labels that matter to a property, and the messages along a path.
#include <lightcone/check/witness_steps.h>

#include <lightcone/causal/order/causal_route.h>

#include <algorithm>
#include <set>
#include <utility>

namespace lightcone {
namespace {

constexpr std::size_t scenery_shown = 4;  // steps that do not matter, beside those that do

void collect(const Pattern& pattern, std::set<std::string>& names) {
  for (const LabelName& name : pattern.atom.names) names.insert(name.label);
  for (const Pattern& part : pattern.parts) collect(part, names);
}

/// The labels that the property names, except those that only make its alphabet.
[[nodiscard]] std::set<std::string> named_labels(const Flow& flow) {
  std::set<std::string> names;
  collect(flow.pattern, names);
  if (flow.at) {
    for (const LabelName& name : flow.at->names) names.insert(name.label);
  }
  return names;
}

class LabelFinder {
 public:
  LabelFinder(const Inspection& inspection, const CompiledFlow& flow)
      : inspection_(inspection),
        computation_(inspection.computation()),
        vocabulary_(inspection.properties().vocabulary()),
        propositions_(flow.automaton.inputs()),
        named_(named_labels(
            std::get<Flow>(inspection.properties().source().properties[flow.property].question))) {
    if (flow.timed) {
      for (const TimedAutomaton::Position& position : flow.timed->positions) {
        if (position.test) propositions_.push_back(position.test->proposition);
      }
    }
    if (flow.at) propositions_.push_back(flow.at->proposition);
    propositions_.push_back(flow.labelled);
  }

  void find(WitnessStep& step) const {
    for (const NameIndex label : computation_.labels(step.row)) {
      step.labels.emplace_back(computation_.names()[label]);
    }
    for (const std::uint32_t proposition : propositions_) {
      if (inspection_.observer().holds(inspection_.scene(step.row), proposition)) {
        add_declared(vocabulary_.propositions()[proposition], step.labels);
      }
    }
    const auto others =
        std::stable_partition(step.labels.begin(), step.labels.end(),
                              [&](const std::string& label) { return named_.contains(label); });
    step.named = static_cast<std::size_t>(others - step.labels.begin());
  }

 private:
  /// A declared label is no part of the trace: that it holds is known from a proposition that
  /// asks for it alone. Where one asks for several, it is one of them.
  void add_declared(const Proposition& proposition, std::vector<std::string>& labels) const {
    if (proposition.kind != Proposition::Kind::one_of) return;
    std::string all;
    for (const Proposition::Name& name : proposition.names) {
      const std::string& label = vocabulary_.labels()[name.label].name;
      if (std::find(labels.begin(), labels.end(), label) != labels.end()) return;
      all += (all.empty() ? "" : " ") + label;
    }
    labels.push_back(proposition.names.size() == 1 ? all : "[" + all + "]");
  }

  const Inspection& inspection_;
  const Computation& computation_;
  const Vocabulary& vocabulary_;
  std::vector<std::uint32_t> propositions_;
  std::set<std::string> named_;
};

/// The message by which one state is the direct cause of the next; `none` for a local step.
[[nodiscard]] MessageIndex link(const Computation& computation, Row from, Row to) {
  if (from >= computation.event_count()) return none;
  if (to == from + 1 && computation.process_of(from) == computation.process_of(to)) return none;
  for (const MessageIndex m : computation.takes(to)) {
    if (computation.sent_by(m) == from) return m;
  }
  return none;
}

}  // namespace

std::vector<WitnessStep> witness_steps(const Inspection& inspection, const CompiledFlow& flow,
                                       const FlowWitness& witness) {
  const Computation& computation = inspection.computation();
  std::vector<RouteStep> route;
  if (flow.longest) {
    route = causal_route(computation, witness.path);
  } else {
    for (const Row row : witness.path) route.push_back({row, true, true});
  }
  const LabelFinder finder(inspection, flow);
  std::vector<WitnessStep> steps;
  std::vector<MessageIndex> messages;
  std::size_t given = 0;
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (i > 0) {
      const MessageIndex message = link(computation, route[i - 1].row, route[i].row);
      if (message != none) messages.push_back(message);
    }
    if (!route[i].given) continue;
    WitnessStep step{route[i].row, false, witness.turns[given++],
                     {},           0,     std::exchange(messages, {})};
    step.is_letter = inspection.observer().holds(inspection.scene(step.row), flow.labelled);
    finder.find(step);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<WitnessStep> told_steps(std::vector<WitnessStep> steps) {
  const std::size_t last = steps.size() - 1;
  std::vector<WitnessStep> told;
  for (std::size_t i = 0; i <= last; ++i) {
    if (steps[i].is_letter || !steps[i].messages.empty() || i == last) {
      told.push_back(std::move(steps[i]));
    }
  }
  return told;
}

std::vector<bool> steps_with_room(const std::vector<WitnessStep>& steps, std::size_t most) {
  std::vector<bool> shown(steps.size(), steps.size() <= most);
  if (steps.size() <= most) return shown;
  std::vector<std::size_t> first, others;
  const bool has_turns =
      std::any_of(steps.begin(), steps.end(), [](const WitnessStep& step) { return step.turns; });
  bool begun = !has_turns;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    begun = begun || steps[i].turns;
    const bool hops = begun && !steps[i].messages.empty();
    const bool matters = steps[i].turns || hops || i + 1 == steps.size();
    (matters ? first : others).push_back(i);
  }
  if (first.size() > most) {
    const auto middle = first.begin() + static_cast<std::ptrdiff_t>(most / 2);
    first.erase(middle, middle + static_cast<std::ptrdiff_t>(first.size() - most));
  }
  for (const std::size_t i : first) shown[i] = true;
  std::size_t room = most - first.size();
  if (has_turns) room = std::min({room, scenery_shown, others.size()});
  for (; room > 0; --room) {
    shown[others.back()] = true;
    others.pop_back();
  }
  return shown;
}

}  // namespace lightcone
