// No automata, no sets of states: paths, the words they spell, and patterns matched against them.
#include "model/definitions/property_definitions.h"

#include "model/definitions/definitions.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <string>

namespace lightcone::definition {
namespace {

/// All states, by process and rank.
[[nodiscard]] std::vector<State> all_states(const Computation& computation) {
  std::vector<State> states;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) {
    for (Rank k = 0; k <= computation.last_rank(p); ++k) states.emplace_back(p, k);
  }
  return states;
}

[[nodiscard]] State state_after(const Computation& computation, EventIndex e) {
  return {computation.process_of(e), computation.rank_of(e)};
}

/// The initial states, then the others in a causal order.
[[nodiscard]] std::vector<State> states_in_order(const Computation& computation) {
  std::vector<State> states;
  for (ProcessIndex p = 0; p < computation.process_count(); ++p) states.emplace_back(p, 0);
  for (const EventIndex e : computation.order()) states.push_back(state_after(computation, e));
  return states;
}

/// The states that the events which sent the messages just taken created.
[[nodiscard]] std::vector<State> remote_predecessors(const Computation& computation, State state) {
  std::vector<State> senders;
  if (state.second == 0) return senders;
  for (const MessageIndex m : computation.takes(row_of(computation, state))) {
    senders.push_back(state_after(computation, computation.sent_by(m)));
  }
  return senders;
}

/// What every state carries, looked up once.
class Letters {
 public:
  Letters(const Properties& properties, const Computation& computation)
      : properties_(properties), computation_(computation) {
    for (const State& state : all_states(computation)) {
      std::set<std::string>& names = names_[state];
      for (const NameIndex label : computation.labels(row_of(computation, state))) {
        const std::string name(computation.names()[label]);
        event_labels_.insert(name);
        if (carries(properties, computation, state, name)) names.insert(name);
      }
      for (const DeclaredLabel& label : properties.labels) {
        if (carries(properties, computation, state, label.name)) names.insert(label.name);
      }
    }
  }

  /// Every label of every event and initial state of the trace, hidden or not.
  [[nodiscard]] const std::set<std::string>& event_labels() const { return event_labels_; }

  [[nodiscard]] bool carries_one_of(State state, const std::set<std::string>& alphabet) const {
    return std::any_of(alphabet.begin(), alphabet.end(),
                       [&](const std::string& name) { return names_.at(state).contains(name); });
  }

  [[nodiscard]] bool fits(State state, const Atom& atom) const {
    const bool has_one =
        std::any_of(atom.names.begin(), atom.names.end(), [&](const LabelName& name) {
          if (!names_.at(state).contains(name.label)) return false;
          return name.who.empty() || is_called(properties_, computation_, state.first, name.who);
        });
    return has_one == (atom.kind == Atom::Kind::one_of);
  }

 private:
  const Properties& properties_;
  const Computation& computation_;
  std::set<std::string> event_labels_;
  std::map<State, std::set<std::string>> names_;
};

/// Positions between the letters of a word: 0 before the first.
using Positions = std::vector<bool>;

/// One word, and the places to which a pattern leads in it.
struct Match {
  const Letters& letters;
  const Word& word;
  /// Whether the second state is reached within so many seconds after the first.
  std::function<bool(State, State, double)> in_time = {};

  [[nodiscard]] bool whole(const Pattern& pattern) const {
    Positions start(word.size() + 1, false);
    start[0] = true;
    return ends(pattern, start)[word.size()];
  }

  /// The ends of all parts of the word that match and begin at one of these places.
  [[nodiscard]] Positions ends(const Pattern& pattern, const Positions& starts) const {
    switch (pattern.kind) {
      case Pattern::Kind::atom: return after_letter(pattern.atom, starts);
      case Pattern::Kind::repeat: return after_repetitions(pattern, starts);
      case Pattern::Kind::sequence: {
        Positions reached = starts;
        for (const Pattern& part : pattern.parts) {
          reached = part.within ? after_gap(part, reached) : ends(part, reached);
        }
        return reached;
      }
      case Pattern::Kind::choice: break;
    }
    Positions reached(starts.size(), false);
    for (const Pattern& part : pattern.parts) reached = either(reached, ends(part, starts));
    return reached;
  }

  /// Between P and Q of `P -> Q within D`: Q begins at a letter in time.
  [[nodiscard]] Positions after_gap(const Pattern& gap, const Positions& starts) const {
    Positions reached(starts.size(), false);
    for (std::size_t k = 1; k < starts.size(); ++k) {
      for (std::size_t m = k; starts[k] && m < word.size(); ++m) {
        if (in_time(word[k - 1], word[m], *gap.within)) reached[m] = true;
        if (!letters.fits(word[m], gap.parts.front().atom)) break;
      }
    }
    return reached;
  }

  [[nodiscard]] Positions after_letter(const Atom& atom, const Positions& starts) const {
    Positions reached(starts.size(), false);
    for (std::size_t i = 0; i < word.size(); ++i) {
      reached[i + 1] = starts[i] && letters.fits(word[i], atom);
    }
    return reached;
  }

  [[nodiscard]] Positions after_repetitions(const Pattern& pattern, const Positions& starts) const {
    Positions reached(starts.size(), false);
    Positions after = starts;  // exactly `times` repetitions
    for (std::uint32_t times = 0;; ++times) {
      if (times >= pattern.least) {
        const Positions before = reached;
        reached = either(reached, after);
        if (reached == before || times == pattern.most) return reached;
      }
      after = ends(pattern.parts.front(), after);
    }
  }

  [[nodiscard]] static Positions either(Positions a, const Positions& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
    return a;
  }
};

void add_names(const Pattern& pattern, std::set<std::string>& names) {
  for (const LabelName& name : pattern.atom.names) names.insert(name.label);
  for (const Pattern& part : pattern.parts) add_names(part, names);
}

[[nodiscard]] std::set<std::string> alphabet_of(const Properties& properties, const Flow& flow,
                                                const Letters& letters) {
  std::set<std::string> alphabet;
  if (flow.over) {
    for (const LabelName& name : *flow.over) alphabet.insert(name.label);
    return alphabet;
  }
  alphabet = letters.event_labels();
  std::set<std::string> named;
  add_names(flow.pattern, named);
  for (const std::string& name : named) {
    if (properties.find_label(name)) alphabet.insert(name);
  }
  return alphabet;
}

/// Words of states, made from those of their predecessors.
class Spelling {
 public:
  /// The words that continue those of any of the predecessors; false when there are too many.
  [[nodiscard]] bool add(State state, const std::vector<State>& predecessors, bool labelled) {
    Words& words = words_[state];
    if (predecessors.empty()) words.insert(Word());
    for (const State& before : predecessors) {
      const Words& others = words_.at(before);
      words.insert(others.begin(), others.end());
    }
    count_ += words.size();
    if (count_ > most_words) return false;
    if (!labelled) return true;
    Words longer;
    for (Word word : words) {
      word.push_back(state);
      longer.insert(std::move(word));
    }
    words = std::move(longer);
    return true;
  }

  [[nodiscard]] const Words& of(State state) const { return words_.at(state); }

 private:
  std::map<State, Words> words_;
  std::size_t count_ = 0;
};

using SpelledStates = std::optional<std::vector<std::pair<State, Words>>>;

/// Of the maximal paths that end at each labelled event in their covering graph.
[[nodiscard]] SpelledStates words_of_longest_flows(const Computation& computation,
                                                   const Letters& letters,
                                                   const std::set<std::string>& alphabet) {
  const Selection labelled(computation, [&](EventIndex e) {
    return letters.carries_one_of(state_after(computation, e), alphabet);
  });
  const HappenedBefore before(computation);
  Spelling spelling;
  for (const EventIndex f : computation.order()) {
    if (!labelled.contains(f)) continue;
    std::vector<State> predecessors;
    for (EventIndex e = 0; e < computation.event_count(); ++e) {
      if (!covers(computation, before, labelled, f, e)) continue;
      predecessors.push_back(state_after(computation, e));
    }
    if (!spelling.add(state_after(computation, f), predecessors, true)) return std::nullopt;
  }
  SpelledStates result(std::in_place);
  for (EventIndex e = 0; e < computation.event_count(); ++e) {
    const State state = state_after(computation, e);
    if (labelled.contains(e)) result->emplace_back(state, spelling.of(state));
  }
  return result;
}

/// Of all paths from an initial state along local steps and messages.
[[nodiscard]] SpelledStates words_of_flows(const Computation& computation, const Letters& letters,
                                           const std::set<std::string>& alphabet) {
  Spelling spelling;
  for (const State& state : states_in_order(computation)) {
    const auto [process, rank] = state;
    std::vector<State> predecessors = remote_predecessors(computation, state);
    if (rank > 0) predecessors.emplace_back(process, rank - 1);
    if (!spelling.add(state, predecessors, letters.carries_one_of(state, alphabet))) {
      return std::nullopt;
    }
  }
  SpelledStates result(std::in_place);
  for (const State& state : all_states(computation)) {
    if (state.second > 0) result->emplace_back(state, spelling.of(state));
  }
  return result;
}

[[nodiscard]] std::optional<Answer> answer_flow(const Properties& properties, const Flow& flow,
                                                const Computation& computation) {
  const auto spelled = words_of(properties, flow, computation);
  if (!spelled) return std::nullopt;
  const Letters letters(properties, computation);
  Answer answer;
  for (const auto& [state, words] : *spelled) {
    if (flow.at && !letters.fits(state, *flow.at)) continue;
    answer.asked.push_back(state);
    const auto matches = [&](const Word& word) { return Match{letters, word}.whole(flow.pattern); };
    const bool found = flow.every ? std::all_of(words.begin(), words.end(), matches)
                                  : std::any_of(words.begin(), words.end(), matches);
    if (found) answer.found.push_back(state);
  }
  return answer;
}

/// The decimal number with the fewest digits that is stored as this number.
[[nodiscard]] mpq_class as_written(double stored) {
  for (int digits = 1;; ++digits) {
    std::array<char, 40> text{};
    (void)std::snprintf(text.data(), text.size(), "%.*e", digits - 1, stored);
    if (std::strtod(text.data(), nullptr) != stored) continue;
    std::string_view written(text.data());
    const std::size_t e = written.find('e');
    std::string whole(written.substr(0, e));
    long power = std::strtol(text.data() + e + 1, nullptr, 10) - (digits - 1);
    std::erase(whole, '.');
    mpz_class ten_to;
    mpz_ui_pow_ui(ten_to.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(power)));
    mpq_class number(mpz_class(whole), 1);
    return power < 0 ? mpq_class(number / ten_to) : mpq_class(number * ten_to);
  }
}

/// Whether two states compare as asked, given how far clocks may be apart.
[[nodiscard]] bool is_in_time(const Computation& computation, State a, State b, double within,
                              double uncertainty) {
  const auto first = computation.time(row_of(computation, a));
  const auto second = computation.time(row_of(computation, b));
  if (!first || !second) return false;
  mpq_class difference = as_written(*second) - as_written(*first);
  if (a.first != b.first) difference += as_written(uncertainty);
  return difference <= as_written(within);
}

/// The variables of a block, state by state.
class LogicValues {
 public:
  LogicValues(const Properties& properties, const Logic& logic, const Computation& computation)
      : computation_(computation), letters_(properties, computation) {
    for (const State& state : states_in_order(computation)) {
      for (const Equation& equation : logic.equations) {
        const bool value = holds(equation.formula, state);
        values_[state].push_back(value);
      }
    }
  }

  [[nodiscard]] bool at(State state, std::uint32_t variable) const {
    return values_.at(state).at(variable);
  }

 private:
  [[nodiscard]] bool sends(State state) const {
    if (state.second == 0) return false;
    const EventIndex e = row_of(computation_, state);
    return computation_.kind(e) == Kind::send || computation_.sends(e) != none;
  }

  [[nodiscard]] bool receives(State state) const {
    return state.second > 0 && computation_.kind(row_of(computation_, state)) == Kind::receive;
  }

  [[nodiscard]] bool held_at_a_sender(std::uint32_t variable, State state) const {
    const auto senders = remote_predecessors(computation_, state);
    return std::any_of(senders.begin(), senders.end(),
                       [&](State sender) { return at(sender, variable); });
  }

  [[nodiscard]] bool holds(const Formula& formula, State state) const {
    const auto& parts = formula.parts;
    const auto part_holds = [&](const Formula& part) { return holds(part, state); };
    switch (formula.kind) {
      case Formula::Kind::constant: return formula.value;
      case Formula::Kind::atom: return letters_.fits(state, formula.atom);
      case Formula::Kind::initial: return state.second == 0;
      case Formula::Kind::send: return sends(state);
      case Formula::Kind::receive: return receives(state);
      case Formula::Kind::variable: return at(state, formula.variable);
      case Formula::Kind::previous:
        return state.second > 0 && at({state.first, state.second - 1}, formula.variable);
      case Formula::Kind::message: return held_at_a_sender(formula.variable, state);
      case Formula::Kind::negation: return !part_holds(parts[0]);
      case Formula::Kind::conjunction: return std::all_of(parts.begin(), parts.end(), part_holds);
      case Formula::Kind::disjunction: return std::any_of(parts.begin(), parts.end(), part_holds);
      case Formula::Kind::equivalence: return part_holds(parts[0]) == part_holds(parts[1]);
    }
    return false;
  }

  const Computation& computation_;
  Letters letters_;
  std::map<State, std::vector<bool>> values_;
};

[[nodiscard]] Answer answer_logic(const Properties& properties, const Logic& logic,
                                  const Computation& computation) {
  const LogicValues values(properties, logic, computation);
  Answer answer;
  answer.asked = all_states(computation);
  std::copy_if(answer.asked.begin(), answer.asked.end(), std::back_inserter(answer.found),
               [&](State state) { return values.at(state, logic.detected); });
  return answer;
}

}  // namespace

std::optional<TimedAnswer> timed_answer(const Properties& properties, const Flow& flow,
                                        const Computation& computation) {
  const auto spelled = words_of(properties, flow, computation);
  if (!spelled) return std::nullopt;
  const Letters letters(properties, computation);
  const double bound = properties.clocks_within.value_or(0);
  TimedAnswer answer;
  for (const auto& [state, words] : *spelled) {
    if (flow.at && !letters.fits(state, *flow.at)) continue;
    const auto matches = [&](const Word& word, double uncertainty) {
      const auto in_time = [&](State a, State b, double within) {
        return is_in_time(computation, a, b, within, uncertainty);
      };
      return Match{letters, word, in_time}.whole(flow.pattern);
    };
    const auto certainly = [&](const Word& word) { return matches(word, bound); };
    const auto perhaps = [&](const Word& word) { return matches(word, -bound); };
    const auto over_words = [&](const auto& test) {
      return flow.every ? std::all_of(words.begin(), words.end(), test)
                        : std::any_of(words.begin(), words.end(), test);
    };
    answer.asked.push_back(state);
    if (over_words(certainly)) {
      answer.found.push_back(state);
    } else if (over_words(perhaps)) {
      answer.undecided.push_back(state);
    }
  }
  return answer;
}

std::optional<std::vector<std::pair<State, Words>>> words_of(const Properties& properties,
                                                             const Flow& flow,
                                                             const Computation& computation) {
  const Letters letters(properties, computation);
  const std::set<std::string> alphabet = alphabet_of(properties, flow, letters);
  return flow.longest ? words_of_longest_flows(computation, letters, alphabet)
                      : words_of_flows(computation, letters, alphabet);
}

std::optional<Answer> answer(const Properties& properties, const Property& property,
                             const Computation& computation) {
  if (const auto* flow = std::get_if<Flow>(&property.question)) {
    return answer_flow(properties, *flow, computation);
  }
  if (const auto* logic = std::get_if<Logic>(&property.question)) {
    return answer_logic(properties, *logic, computation);
  }
  return std::nullopt;
}

}  // namespace lightcone::definition
