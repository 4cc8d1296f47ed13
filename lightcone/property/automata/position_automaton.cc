// From a pattern to the automaton of its positions.
#include <fmt/format.h>
#include <lightcone/property/automata/automaton.h>

#include <algorithm>

namespace lightcone {
namespace {

constexpr std::uint64_t most_positions = 4096;
constexpr std::size_t most_atoms = 64;

/// The number of atoms once repetitions are written out, or anything above the limit.
[[nodiscard]] std::uint64_t count_positions(const Pattern& pattern) {
  if (pattern.kind == Pattern::Kind::atom) return 1;
  std::uint64_t sum = 0;
  for (const Pattern& part : pattern.parts) {
    sum = std::min(sum + count_positions(part), most_positions + 1);
  }
  if (pattern.kind != Pattern::Kind::repeat) return sum;
  const std::uint64_t times =
      pattern.most == Pattern::unbounded ? std::max<std::uint64_t>(pattern.least, 1) : pattern.most;
  return std::min(sum * times, most_positions + 1);
}

}  // namespace

/// Glushkov's construction: one state for each atom of the pattern (its position) and one to start
/// from; an edge from p to q, read at q's atom, when q can come right after p in a word.
class Positions {
 public:
  Positions(Vocabulary& vocabulary, std::uint32_t count)
      : vocabulary_(vocabulary), states_(count + 1) {
    automaton_.next_.assign(states_, StateSet(states_));
    automaton_.wanted_.assign(states_, 0);
    automaton_.unwanted_.assign(states_, 0);
    automaton_.finals_ = StateSet(states_);
  }

  [[nodiscard]] Expected<Automaton> run(const Pattern& pattern) {
    const Part whole = add(pattern);
    if (automaton_.inputs_.size() > most_atoms) {
      return failure(fmt::format("the pattern has more than {} different atoms", most_atoms));
    }
    automaton_.next_[0] = whole.first;
    automaton_.finals_ = whole.last;
    if (whole.empty) automaton_.finals_.insert(0);
    return std::move(automaton_);
  }

 private:
  /// Where the words of a part can begin and end, and whether the empty word is one.
  struct Part {
    StateSet first, last;
    bool empty = true;
  };

  [[nodiscard]] Part nothing() const { return {StateSet(states_), StateSet(states_), true}; }

  [[nodiscard]] Part add(const Pattern& pattern) {
    switch (pattern.kind) {
      case Pattern::Kind::atom: return add_atom(pattern.atom);
      case Pattern::Kind::repeat: return add_repeat(pattern);
      case Pattern::Kind::choice: {
        Part whole = nothing();
        whole.empty = false;
        for (const Pattern& part : pattern.parts) {
          const Part other = add(part);
          whole.first |= other.first;
          whole.last |= other.last;
          whole.empty = whole.empty || other.empty;
        }
        return whole;
      }
      default: {
        Part whole = nothing();
        for (const Pattern& part : pattern.parts) append(whole, add(part));
        return whole;
      }
    }
  }

  [[nodiscard]] Part add_atom(const Atom& atom) {
    const std::uint32_t position = used_++;
    const Test test = vocabulary_.test(atom);
    const bool any_letter = atom.kind == Atom::Kind::none_of && atom.names.empty();
    if (!any_letter) {
      const std::size_t input = input_of(test.proposition);
      if (input < most_atoms) {
        (test.expected ? automaton_.wanted_ : automaton_.unwanted_)[position] = std::uint64_t{1}
                                                                                << input;
      }
    }
    Part part = nothing();
    part.empty = false;
    part.first.insert(position);
    part.last.insert(position);
    return part;
  }

  [[nodiscard]] std::size_t input_of(std::uint32_t proposition) {
    auto& inputs = automaton_.inputs_;
    const auto known = std::find(inputs.begin(), inputs.end(), proposition);
    const auto index = static_cast<std::size_t>(known - inputs.begin());
    if (known == inputs.end()) inputs.push_back(proposition);
    return index;
  }

  /// The part at least so many times, then as often as allowed: `x{2,4}` is `x x (x (x)?)?`, which
  /// has the same words as `x x x? x?`.
  [[nodiscard]] Part add_repeat(const Pattern& pattern) {
    Part whole = nothing();
    const Pattern& inner = pattern.parts.front();
    for (std::uint32_t i = 0; i < pattern.least; ++i) {
      Part part = add(inner);
      if (pattern.most == Pattern::unbounded && i + 1 == pattern.least) loop(part);
      append(whole, std::move(part));
    }
    if (pattern.most == Pattern::unbounded && pattern.least == 0) {
      Part part = add(inner);
      loop(part);
      part.empty = true;
      append(whole, std::move(part));
    }
    const std::uint32_t most = pattern.most == Pattern::unbounded ? 0 : pattern.most;
    for (std::uint32_t i = pattern.least; i < most; ++i) {
      Part part = add(inner);
      part.empty = true;
      append(whole, std::move(part));
    }
    return whole;
  }

  void loop(const Part& part) {
    part.last.for_each([&](std::uint32_t p) { automaton_.next_[p] |= part.first; });
  }

  void append(Part& whole, Part part) {
    whole.last.for_each([&](std::uint32_t p) { automaton_.next_[p] |= part.first; });
    if (whole.empty) whole.first |= part.first;
    if (part.empty) part.last |= whole.last;
    whole.last = std::move(part.last);
    whole.empty = whole.empty && part.empty;
  }

  Vocabulary& vocabulary_;
  std::uint32_t states_;
  std::uint32_t used_ = 1;
  Automaton automaton_;
};

Expected<Automaton> position_automaton(const Pattern& pattern, Vocabulary& vocabulary) {
  const std::uint64_t count = count_positions(pattern);
  if (count > most_positions) {
    return failure(
        fmt::format("the pattern is longer than {} atoms once its repetitions are "
                    "written out",
                    most_positions));
  }
  return Positions(vocabulary, static_cast<std::uint32_t>(count)).run(pattern);
}

std::size_t Automaton::transitions() const {
  std::size_t all = 0;
  for (const StateSet& next : next_) all += next.count();
  return all;
}

StateSet Automaton::matching(std::uint64_t letter) const {
  StateSet positions(states());
  for (std::uint32_t q = 1; q < states(); ++q) {
    if ((letter & wanted_[q]) == wanted_[q] && (letter & unwanted_[q]) == 0) positions.insert(q);
  }
  return positions;
}

std::vector<StateSet> Automaton::step(std::uint64_t letter) const {
  std::vector<StateSet> result(states(), StateSet(states()));
  if (by_class_.empty()) {
    const StateSet here = matching(letter);
    for (std::uint32_t q = 0; q < states(); ++q) (result[q] = next_[q]) &= here;
    return result;
  }
  const std::uint32_t letter_class = class_of_letter_[letter];
  LIGHTCONE_ASSERT(letter_class != UINT32_MAX);
  for (std::uint32_t q = 0; q < states(); ++q) {
    const std::uint32_t to = by_class_[q][letter_class];
    if (to != UINT32_MAX) result[q].insert(to);
  }
  return result;
}

bool Automaton::accepts(const std::vector<std::uint64_t>& word) const {
  StateSet now(states());
  now.insert(0);
  for (const std::uint64_t letter : word) {
    const std::vector<StateSet> next = step(letter);
    StateSet then(states());
    now.for_each([&](std::uint32_t q) { then |= next[q]; });
    now = std::move(then);
  }
  return now.meets(finals_);
}

}  // namespace lightcone
