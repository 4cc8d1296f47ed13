// Evaluates declared labels when something they read has changed, and looks scenes up otherwise.
#include <lightcone/property/observer.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] std::uint32_t number(std::map<std::vector<bool>, std::uint32_t>& index,
                                   std::vector<std::vector<bool>>& all, std::vector<bool> value) {
  const auto [at, is_new] = index.try_emplace(value, static_cast<std::uint32_t>(all.size()));
  if (is_new) all.push_back(std::move(value));
  return at->second;
}

[[nodiscard]] std::size_t kind_number(const StateContent& state) {
  if (state.kind == Kind::initial) return 4;
  const bool sends = state.kind == Kind::send || state.sends;
  return (state.kind == Kind::receive ? 1 : 0) + (sends ? 2 : 0);
}

[[nodiscard]] bool is_among(std::span<const NameIndex> names, NameIndex name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Observer::Observer(const Vocabulary& vocabulary, const Names& names)
    : vocabulary_(vocabulary), names_(names), words_((vocabulary.propositions().size() + 63) / 64) {
  for (const Vocabulary::Label& label : vocabulary.labels()) {
    label_names_.push_back(names.find(label.name));
  }
  for (const DeclaredLabel& label : vocabulary.properties().labels) {
    hidden_.push_back(names.find(label.name));
    predicates_.push_back(bind(label.predicate));
  }
  order_labels();
  rows_.emplace_back();  // row 0: none
}

Names Observer::names_of(const Vocabulary& vocabulary) {
  Names names;
  for (const Vocabulary::Label& label : vocabulary.labels()) (void)names.intern(label.name);
  std::vector<const Expression*> open;
  for (const DeclaredLabel& label : vocabulary.properties().labels) {
    (void)names.intern(label.name);
    open.push_back(&label.predicate);
  }
  while (!open.empty()) {
    const Expression* expression = open.back();
    open.pop_back();
    for (const Expression& part : expression->parts) open.push_back(&part);
    if (expression->kind == Expression::Kind::variable ||
        expression->kind == Expression::Kind::event_is) {
      (void)names.intern(expression->name);
    }
  }
  return names;
}

Observer::Bound Observer::bind(const Expression& expression) {
  Bound bound{expression.kind, {}, 0, NameIndex::none, {}, {}};
  switch (expression.kind) {
    case Expression::Kind::boolean: bound.constant = std::int64_t{expression.boolean}; break;
    case Expression::Kind::integer: bound.constant = expression.integer; break;
    case Expression::Kind::real: bound.constant = expression.real; break;
    case Expression::Kind::text: bound.constant = std::string_view(expression.name); break;
    case Expression::Kind::variable: bound.slot = slot(expression.name); break;
    case Expression::Kind::label:
      bound.slot = *vocabulary_.properties().find_label(expression.name);
      break;
    case Expression::Kind::event_is:
      bound.label = names_.find(expression.name);
      reads_events_ = true;
      break;
    case Expression::Kind::process_is: bound.process = expression.name; break;
    default: break;
  }
  for (const Expression& part : expression.parts) bound.parts.push_back(bind(part));
  return bound;
}

std::uint32_t Observer::slot(const std::string& variable) {
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
void Observer::order_labels() {
  std::vector<bool> placed(predicates_.size(), false);
  const auto ready = [&](const auto& self, const Bound& bound) -> bool {
    if (bound.kind == Expression::Kind::label && !placed[bound.slot]) return false;
    return std::all_of(bound.parts.begin(), bound.parts.end(),
                       [&](const Bound& part) { return self(self, part); });
  };
  while (label_order_.size() < predicates_.size()) {
    const std::size_t before = label_order_.size();
    for (std::uint32_t i = 0; i < predicates_.size(); ++i) {
      if (placed[i] || !ready(ready, predicates_[i])) continue;
      placed[i] = true;
      label_order_.push_back(i);
    }
    LIGHTCONE_ASSERT(label_order_.size() > before);
  }
}

ProcessIndex Observer::add_process(std::string_view name) {
  std::vector<bool> member;
  for (const Vocabulary::Who& who : vocabulary_.whos()) {
    const bool everyone = who.name.empty() && who.group == nullptr;
    member.push_back(everyone ||
                     (who.group != nullptr ? contains(*who.group, name) : who.name == name));
  }
  Process process;
  process.membership = number(membership_index_, memberships_, std::move(member));
  process.name = name;
  process.variables.resize(variables_.size());
  processes_.push_back(std::move(process));
  return static_cast<ProcessIndex>(processes_.size() - 1);
}

Scene Observer::observe(ProcessIndex index, const StateContent& state) {
  Process& process = processes_[index];
  if (!predicates_.empty()) {
    const bool changed = !state.assignments.empty() && assign(process, state.assignments);
    if (changed || reads_events_ || !process.known) declare(process, state.labels);
  }
  const std::size_t kind = kind_number(state);
  std::uint32_t& row_number = process.rows[kind];
  if (row_number == 0) row_number = row(process, kind);
  std::vector<Scene>& scenes = rows_[row_number];
  if (state.label_set >= scenes.size()) scenes.resize(state.label_set + 1, none);
  Scene& scene = scenes[state.label_set];
  if (scene == none) scene = make_scene(process, state);
  return scene;
}

/// Whether a variable that a predicate reads has been assigned.
bool Observer::assign(Process& process, std::span<const Assignment> assignments) const {
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
      variable = *real == *real ? Datum(*real) : Datum();
    } else {
      variable = names_[std::get<NameIndex>(assignment.value)];
    }
  }
  return read;
}

Datum Observer::evaluate(const Bound& bound, const Process& process,
                         std::span<const NameIndex> labels, const DeclaredTruth& truth) const {
  using K = Expression::Kind;
  const auto part = [&](std::size_t i) { return evaluate(bound.parts[i], process, labels, truth); };
  const auto boolean = [](bool value) { return Datum(std::int64_t{value}); };
  switch (bound.kind) {
    case K::boolean:
    case K::integer:
    case K::real:
    case K::text: return bound.constant;
    case K::variable: return process.variables[bound.slot];
    case K::label: return boolean(truth[bound.slot]);
    case K::event_is: return boolean(is_among(labels, bound.label));
    case K::process_is: return boolean(process.name == bound.process);
    case K::minus: return negative(part(0));
    case K::plus: {
      Datum sum = part(0);
      for (std::size_t i = 1; i < bound.parts.size(); ++i) {
        const Bound& next = bound.parts[i];
        sum = next.kind == K::minus
                  ? arithmetic(K::minus, sum, evaluate(next.parts[0], process, labels, truth))
                  : arithmetic(K::plus, sum, part(i));
      }
      return sum;
    }
    case K::times:
    case K::divided: return arithmetic(bound.kind, part(0), part(1));
    case K::negation: return boolean(!is_true(part(0)));
    case K::conjunction:
      for (std::size_t i = 0; i < bound.parts.size(); ++i) {
        if (!is_true(part(i))) return boolean(false);
      }
      return boolean(true);
    case K::disjunction:
      for (std::size_t i = 0; i < bound.parts.size(); ++i) {
        if (is_true(part(i))) return boolean(true);
      }
      return boolean(false);
    case K::process_variable:
    case K::aggregate: return {};  // of global states only
    default: return boolean(compare(bound.kind, part(0), part(1)));
  }
}

void Observer::declare(Process& process, std::span<const NameIndex> labels) {
  DeclaredTruth truth(predicates_.size());
  for (const std::uint32_t i : label_order_) {
    truth[i] = is_true(evaluate(predicates_[i], process, labels, truth));
  }
  const std::uint32_t index = number(truth_index_, declared_truths_, std::move(truth));
  if (!process.known || index != process.truth) process.rows = {};
  process.truth = index;
  process.known = true;
}

std::uint32_t Observer::row(const Process& process, std::size_t kind) {
  const std::array<std::uint32_t, 3> key{process.membership, process.truth,
                                         static_cast<std::uint32_t>(kind)};
  const auto [at, is_new] = row_index_.try_emplace(key, static_cast<std::uint32_t>(rows_.size()));
  if (is_new) rows_.emplace_back();
  return at->second;
}

bool Observer::carries(const Process& process, std::span<const NameIndex> labels,
                       Proposition::Name name) const {
  if (!memberships_[process.membership][name.who]) return false;
  const auto& declared = vocabulary_.labels()[name.label].declared;
  if (declared) return declared_truths_[process.truth][*declared];
  return label_names_[name.label] != NameIndex::none && is_among(labels, label_names_[name.label]);
}

Scene Observer::make_scene(const Process& process, const StateContent& state) {
  const std::size_t kind = kind_number(state);
  std::vector<std::uint64_t> truth(words_, 0);
  for (std::size_t i = 0; i < vocabulary_.propositions().size(); ++i) {
    const Proposition& proposition = vocabulary_.propositions()[i];
    const bool one =
        std::any_of(proposition.names.begin(), proposition.names.end(),
                    [&](Proposition::Name name) { return carries(process, state.labels, name); });
    const bool any = std::any_of(state.labels.begin(), state.labels.end(),
                                 [&](NameIndex label) { return !is_among(hidden_, label); });
    bool holds = one;
    switch (proposition.kind) {
      case Proposition::Kind::initial: holds = kind == 4; break;
      case Proposition::Kind::send: holds = kind != 4 && (kind & 2) != 0; break;
      case Proposition::Kind::receive: holds = kind != 4 && (kind & 1) != 0; break;
      case Proposition::Kind::one_of: break;
      case Proposition::Kind::any_or_one: holds = one || any; break;
    }
    if (holds) truth[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  const auto [at, is_new] = scene_index_.try_emplace(truth, scene_count());
  if (is_new) truths_.insert(truths_.end(), truth.begin(), truth.end());
  return at->second;
}

std::vector<Scene> observe(const Computation& computation, Observer& observer) {
  std::vector<Scene> scenes(computation.row_count());
  const auto& label_sets = computation.attributes().labels;
  const auto content = [&](Row row) {
    StateContent state;
    if (!label_sets.empty()) state.label_set = label_sets[row];
    state.labels = computation.labels(row);
    state.assignments = computation.assignments(row);
    return state;
  };
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const ProcessIndex process = observer.add_process(computation.process_name(p));
    const Row initial = computation.initial_row(p);
    StateContent state = content(initial);
    state.kind = Kind::initial;
    scenes[initial] = observer.observe(process, state);
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      state = content(e);
      state.kind = computation.kind(e);
      state.sends = computation.sends(e) != none;
      scenes[e] = observer.observe(process, state);
    }
  }
  return scenes;
}

}  // namespace lightcone
