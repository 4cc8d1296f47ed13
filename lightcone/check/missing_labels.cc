// Compares where a label occurs with what a place knows.
#include <lightcone/check/missing_labels.h>

#include <fmt/format.h>
#include <lightcone/base/wording.h>
#include <lightcone/causal/process_words.h>
#include <lightcone/causality.h>

#include <algorithm>
#include <optional>

namespace lightcone {
namespace {

constexpr std::size_t processes_told = 3;

void collect_atoms(const Pattern& pattern, std::vector<Atom>& atoms) {
  if (pattern.kind == Pattern::Kind::atom) atoms.push_back(pattern.atom);
  for (const Pattern& part : pattern.parts) collect_atoms(part, atoms);
}

void collect_atoms(const Formula& formula, bool is_negated, std::vector<Atom>& atoms) {
  if (formula.kind == Formula::Kind::atom && !is_negated) atoms.push_back(formula.atom);
  const bool turns = formula.kind == Formula::Kind::negation;
  for (const Formula& part : formula.parts) collect_atoms(part, is_negated != turns, atoms);
}

/// The atoms that ask for a label.
[[nodiscard]] std::vector<Atom> wanted_atoms(const Property& property) {
  std::vector<Atom> atoms;
  if (const auto* flow = std::get_if<Flow>(&property.question)) {
    collect_atoms(flow->pattern, atoms);
  } else if (const auto* logic = std::get_if<Logic>(&property.question)) {
    for (const Equation& equation : logic->equations) collect_atoms(equation.formula, false, atoms);
  }
  std::erase_if(atoms, [](const Atom& atom) { return atom.kind != Atom::Kind::one_of; });
  return atoms;
}

[[nodiscard]] std::string text_of(const Atom& atom) {
  std::string text;
  for (const LabelName& name : atom.names) {
    text += (text.empty() ? "" : " ") + (name.who.empty() ? "" : name.who + ":") + name.label;
  }
  return atom.names.size() == 1 ? text : "[" + text + "]";
}

/// The number of an atom's proposition.
[[nodiscard]] std::optional<std::uint32_t> proposition_of(const Vocabulary& vocabulary,
                                                          const Atom& atom) {
  Proposition wanted;
  for (const LabelName& name : atom.names) {
    const auto label = std::ranges::find(vocabulary.labels(), name.label, &Vocabulary::Label::name);
    const auto who = std::ranges::find(vocabulary.whos(), name.who, &Vocabulary::Who::name);
    if (label == vocabulary.labels().end() || who == vocabulary.whos().end()) return std::nullopt;
    wanted.names.push_back({static_cast<std::uint32_t>(who - vocabulary.whos().begin()),
                            static_cast<std::uint32_t>(label - vocabulary.labels().begin())});
  }
  std::ranges::sort(wanted.names);
  const auto& all = vocabulary.propositions();
  const auto found = std::ranges::find(all, wanted);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - all.begin());
}

/// Looks for a proposition in all states; nothing if the past has it.
[[nodiscard]] std::optional<MissingLabel> look_for(const Inspection& inspection,
                                                   std::uint32_t proposition,
                                                   const std::vector<Rank>* past) {
  const Computation& computation = inspection.computation();
  MissingLabel missing;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    std::optional<EventPlace> first;
    const auto look = [&](Row row, Rank rank) {
      if (!inspection.observer().holds(inspection.scene(row), proposition)) return true;
      if (past == nullptr || rank <= (*past)[p]) return false;
      ++missing.count;
      if (!first) first = EventPlace{p, rank};
      return true;
    };
    const bool knows_process = past == nullptr || (*past)[p] > 0;
    if (knows_process && !look(computation.initial_row(p), 0)) return std::nullopt;
    for (Rank rank = 1; rank <= computation.last_rank(p); ++rank) {
      if (!look(computation.event(p, rank), rank)) return std::nullopt;
    }
    if (!first || missing.at.size() >= processes_told) continue;
    missing.at.push_back(*first);
    missing.known.emplace_back(p, (*past)[p]);
  }
  return missing;
}

}  // namespace

std::vector<MissingLabel> missing_labels(const Inspection& inspection, const Property& property,
                                         const Row* place) {
  const Computation& computation = inspection.computation();
  std::optional<std::vector<Rank>> past;
  if (place != nullptr && *place < computation.event_count()) {
    past = causal_past(computation, *place);
  }
  std::vector<MissingLabel> all;
  for (const Atom& atom : wanted_atoms(property)) {
    const std::string label = text_of(atom);
    if (std::ranges::find(all, label, &MissingLabel::label) != all.end()) continue;
    const auto proposition = proposition_of(inspection.properties().vocabulary(), atom);
    if (!proposition) continue;
    auto missing = look_for(inspection, *proposition, past ? &*past : nullptr);
    if (!missing) continue;
    missing->label = label;
    all.push_back(std::move(*missing));
  }
  return all;
}

std::string sentence_of(const MissingLabel& missing, const Computation& computation) {
  const std::string label = printable(missing.label);
  if (missing.count == 0) return fmt::format("`{}` happened nowhere.", label);
  const auto name = [&](ProcessIndex p) { return process_words(computation, p); };
  std::string places, known;
  for (const EventPlace place : missing.at) {
    places += fmt::format("{}{}:{}", places.empty() ? "" : ", ", name(place.process), place.rank);
  }
  for (const auto& [process, rank] : missing.known) {
    const std::string what =
        rank == 0 ? fmt::format("no event of {} is known here", name(process))
                  : fmt::format("the last event of {} known here is {}", name(process), rank);
    known += (known.empty() ? "" : ", ") + what;
  }
  const std::string others =
      missing.count > missing.at.size()
          ? fmt::format(" and {} other places", grouped(missing.count - missing.at.size()))
          : "";
  return fmt::format("`{}` happened at {}{}; {} in the past of this event; {}.", label, places,
                     others, missing.count == 1 ? "it is not" : "none of them is", known);
}

}  // namespace lightcone
