// Evaluates declared labels when something they read has changed, and looks scenes up otherwise.
#include <lightcone/property/states/observer.h>

#include <lightcone/property/states/recorded_states.h>

#include <algorithm>

namespace lightcone {
namespace {

[[nodiscard]] std::uint32_t number(std::map<std::vector<bool>, std::uint32_t>& index,
                                   std::vector<std::vector<bool>>& all, std::vector<bool> value) {
  const auto [at, is_new] = index.try_emplace(value, static_cast<std::uint32_t>(all.size()));
  if (is_new) all.push_back(std::move(value));
  return at->second;
}

}  // namespace

Observer::Observer(const Vocabulary& vocabulary, const Names& names)
    : vocabulary_(vocabulary),
      words_((vocabulary.propositions().size() + 63) / 64),
      labels_(vocabulary.properties(), names) {
  for (const Vocabulary::Label& label : vocabulary.labels()) {
    label_names_.push_back(names.find(label.name));
  }
  for (const DeclaredLabel& label : vocabulary.properties().labels) {
    hidden_.push_back(names.find(label.name));
  }
  rows_.emplace_back();  // row 0: none
}

Names Observer::names_of(const Vocabulary& vocabulary) {
  Names names;
  intern_names(vocabulary, names);
  return names;
}

void Observer::intern_names(const Vocabulary& vocabulary, Names& names) {
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
  process.state = labels_.start(name);
  processes_.push_back(std::move(process));
  return static_cast<ProcessIndex>(processes_.size() - 1);
}

ProcessIndex Observer::copy_process(ProcessIndex from) {
  processes_.push_back(processes_[from]);
  return static_cast<ProcessIndex>(processes_.size() - 1);
}

Scene Observer::observe(ProcessIndex index, const StateContent& state) {
  Process& process = processes_[index];
  if (labels_.declared_count() > 0) {
    const bool changed =
        !state.assignments.empty() && labels_.assign(process.state, state.assignments);
    if (changed || labels_.read_events() || !process.known) declare(process, state);
  }
  const std::size_t kind = kind_number(state.kind, state.sends);
  std::uint32_t& row_number = process.rows[kind];
  if (row_number == 0) row_number = row(process, kind);
  std::vector<Scene>& scenes = rows_[row_number];
  if (state.label_set >= scenes.size()) scenes.resize(state.label_set + 1, none);
  Scene& scene = scenes[state.label_set];
  if (scene == none) scene = make_scene(process, state);
  return scene;
}

void Observer::declare(Process& process, const StateContent& state) {
  const std::uint32_t index =
      number(truth_index_, declared_truths_, labels_.declared(process.state, state));
  if (!process.known || index != process.truth) process.rows = {};
  process.truth = index;
  process.known = true;
}

std::vector<bool> Observer::ever_true() const {
  std::vector<bool> ever(labels_.declared_count(), false);
  for (const std::vector<bool>& truth : declared_truths_) {
    for (std::size_t i = 0; i < ever.size(); ++i) ever[i] = ever[i] || truth[i];
  }
  return ever;
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
  const std::size_t kind = kind_number(state.kind, state.sends);
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

std::vector<Scene> observe(const Computation& computation, Observer& observer, ValueSlice slice) {
  std::vector<Scene> scenes(computation.row_count());
  RecordedStates states(computation, observer.expressions(), slice);
  const bool is_plain = observer.expressions().declared_count() == 0 && slice.values == nullptr;
  const Columns& columns = computation.columns();
  const std::vector<NameSetIndex>& label_sets = columns.attributes.labels;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    const ProcessIndex process = observer.add_process(computation.process_name(p));
    const Row initial = computation.initial_row(p);
    scenes[initial] = observer.observe(process, states.at(initial));
    for (EventIndex e = computation.first_event(p); e < computation.end_event(p); ++e) {
      Scene scene = none;
      if (is_plain) {
        scene = observer.known_scene(process, columns.kinds[e], columns.sends[e] != none,
                                     label_sets.empty() ? 0 : label_sets[e]);
      }
      scenes[e] = scene != none ? scene : observer.observe(process, states.at(e));
    }
  }
  return scenes;
}

}  // namespace lightcone
