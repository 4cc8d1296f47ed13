// Finite automata over the truth of propositions, made from patterns.
#pragma once

#include <lightcone/property/automata/state_set.h>
#include <lightcone/property/states/vocabulary.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lightcone {

/// A finite automaton, deterministic or not, that reads letters: truth values of its inputs.
/// State 0 is where it starts.
class Automaton {
 public:
  /// Input i of the automaton is this proposition; at most 64.
  [[nodiscard]] const std::vector<std::uint32_t>& inputs() const { return inputs_; }
  [[nodiscard]] std::uint32_t states() const { return static_cast<std::uint32_t>(next_.size()); }
  [[nodiscard]] const StateSet& finals() const { return finals_; }
  /// Of an automaton of positions: how many pairs of states can follow each other.
  [[nodiscard]] std::size_t transitions() const;
  /// The states that follow each state on a letter; bit i of it is the truth of input i.
  [[nodiscard]] std::vector<StateSet> step(std::uint64_t letter) const;
  /// Returns whether it accepts a word; for tests and witnesses.
  [[nodiscard]] bool accepts(const std::vector<std::uint64_t>& word) const;

 private:
  /// The positions whose atom matches the letter; of an automaton of positions.
  [[nodiscard]] StateSet matching(std::uint64_t letter) const;

  friend class Positions;
  friend class Subsets;
  friend class Minimiser;

  std::vector<std::uint32_t> inputs_;
  StateSet finals_;
  /// What can follow a state, before the letter is looked at (an automaton of positions); or by
  /// class of letters (a deterministic one).
  std::vector<StateSet> next_;
  std::vector<std::uint64_t> wanted_, unwanted_;  // of each position: inputs that must (not) hold
  std::vector<std::vector<std::uint32_t>> by_class_;  // of each state; `none`: nowhere
  std::vector<std::uint32_t> class_of_letter_;        // 2^inputs of them; none: cannot occur
};

/// The automaton of the positions of a pattern (Glushkov's): as small as the pattern is long.
/// Fails when that is more than 4,096, or names more than 64 different atoms.
[[nodiscard]] Expected<Automaton> position_automaton(const Pattern& pattern,
                                                     Vocabulary& vocabulary);

/// The smallest deterministic automaton with the same language, or with the complement's; states
/// from which nothing is accepted are left out. Fails when a limit is hit on the way: 16 inputs,
/// `most_states` before minimising, or too much work. The automaton is one of positions.
[[nodiscard]] Expected<Automaton> minimal_automaton(const Automaton& automaton,
                                                    const Vocabulary& vocabulary, bool complement,
                                                    std::size_t most_states = 4096);

}  // namespace lightcone
