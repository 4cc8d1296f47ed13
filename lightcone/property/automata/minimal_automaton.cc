// Determinises an automaton over the truth of its inputs, complements it if asked, minimises it.
#include <fmt/format.h>
#include <lightcone/property/automata/automaton.h>

#include <algorithm>
#include <map>

namespace lightcone {
namespace {

constexpr std::size_t most_inputs = 16;
constexpr std::size_t most_transitions = 1 << 20;
constexpr std::uint32_t nowhere = UINT32_MAX;

}  // namespace

/// The subset construction. Letters that match the same positions are one class. Once a position is
/// reached from which everything is accepted (the end of `contains`), the others no longer matter;
/// without that, subsets would go on being told apart to no avail.
class Subsets {
 public:
  Subsets(const Automaton& from, const Vocabulary& vocabulary, std::size_t most_states)
      : from_(from), vocabulary_(vocabulary), most_states_(most_states) {}

  /// A complete deterministic automaton: every class leads somewhere from everywhere.
  [[nodiscard]] Expected<Automaton> run() {
    if (from_.inputs().size() > most_inputs) {
      return failure(
          fmt::format("the pattern has {} different atoms, and no more than {} can be "
                      "told apart letter by letter",
                      from_.inputs().size(), most_inputs));
    }
    classify_letters();
    find_universal();
    StateSet start(from_.states());
    start.insert(0);
    (void)number(std::move(start));
    for (std::size_t i = 0; i < subsets_.size(); ++i) {
      if (subsets_.size() > most_states_) {
        return failure(fmt::format("the pattern needs more than {} states", most_states_));
      }
      const StateSet subset = subsets_[i];
      std::vector<std::uint32_t> to;
      for (const std::vector<StateSet>& step : steps_) {
        // Each subset that is known needs a transition for each class.
        if (subsets_.size() * steps_.size() > most_transitions) {
          return failure(
              fmt::format("the pattern needs more than {} transitions", most_transitions));
        }
        StateSet next(from_.states());
        subset.for_each([&](std::uint32_t q) { next |= step[q]; });
        to.push_back(number(std::move(next)));
      }
      result_.by_class_.push_back(std::move(to));
    }
    return finish();
  }

 private:
  [[nodiscard]] bool can_occur(std::uint64_t letter) const {
    const auto& inputs = from_.inputs();
    for (std::size_t a = 0; a < inputs.size(); ++a) {
      if ((letter >> a & 1) == 0) continue;
      for (std::size_t b = 0; b < inputs.size(); ++b) {
        if ((letter >> b & 1) == 0 && vocabulary_.implies(inputs[a], inputs[b])) return false;
      }
    }
    return true;
  }

  void classify_letters() {
    const std::uint64_t letters = std::uint64_t{1} << from_.inputs().size();
    std::map<StateSet, std::uint32_t> classes;
    for (std::uint64_t letter = 0; letter < letters; ++letter) {
      if (!can_occur(letter)) {
        result_.class_of_letter_.push_back(nowhere);
        continue;
      }
      const auto [at, is_new] =
          classes.try_emplace(from_.matching(letter), static_cast<std::uint32_t>(steps_.size()));
      if (is_new) steps_.push_back(from_.step(letter));
      result_.class_of_letter_.push_back(at->second);
    }
  }

  /// Final positions that lead, on every letter, to one that is final and loops on every letter.
  void find_universal() {
    StateSet loops(from_.states());
    for (std::uint32_t q = 1; q < from_.states(); ++q) {
      const bool any_letter = (from_.wanted_[q] | from_.unwanted_[q]) == 0;
      if (any_letter && from_.finals().contains(q) && from_.next_[q].contains(q)) loops.insert(q);
    }
    universal_ = StateSet(from_.states());
    for (std::uint32_t q = 0; q < from_.states(); ++q) {
      if (from_.finals().contains(q) && from_.next_[q].meets(loops)) universal_.insert(q);
    }
  }

  [[nodiscard]] std::uint32_t number(StateSet subset) {
    if (subset.meets(universal_)) subset = universal_;
    const auto [at, is_new] =
        numbers_.try_emplace(subset, static_cast<std::uint32_t>(subsets_.size()));
    if (is_new) subsets_.push_back(std::move(subset));
    return at->second;
  }

  [[nodiscard]] Automaton finish() {
    const auto states = static_cast<std::uint32_t>(subsets_.size());
    result_.inputs_ = from_.inputs();
    result_.next_.resize(states);
    result_.finals_ = StateSet(states);
    for (std::uint32_t q = 0; q < states; ++q) {
      if (subsets_[q].meets(from_.finals())) result_.finals_.insert(q);
    }
    return std::move(result_);
  }

  const Automaton& from_;
  const Vocabulary& vocabulary_;
  std::size_t most_states_;
  std::vector<std::vector<StateSet>> steps_;  // of each class
  StateSet universal_;
  std::map<StateSet, std::uint32_t> numbers_;
  std::vector<StateSet> subsets_;
  Automaton result_;
};

/// Moore's refinement: states are apart once they accept differently, or lead to states that are.
/// Blocks are numbered in the order in which they are reached from the start, so that every
/// process that reads the same pattern numbers them alike.
class Minimiser {
 public:
  Minimiser(Automaton complete, bool complement)
      : from_(std::move(complete)), complement_(complement), block_(from_.states()) {}

  [[nodiscard]] Automaton run() {
    for (std::uint32_t q = 0; q < from_.states(); ++q) block_[q] = is_final(q) ? 1 : 0;
    std::size_t blocks = 0;
    for (std::size_t refined = refine(); refined != blocks; refined = refine()) blocks = refined;
    find_useful_blocks(blocks);
    return build();
  }

 private:
  [[nodiscard]] bool is_final(std::uint32_t q) const {
    return from_.finals().contains(q) != complement_;
  }

  /// Splits blocks by where their states lead; returns how many there are.
  [[nodiscard]] std::size_t refine() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> signatures;
    std::vector<std::uint32_t> refined(block_.size());
    for (std::uint32_t q = 0; q < block_.size(); ++q) {
      std::vector<std::uint32_t> signature{block_[q]};
      for (const std::uint32_t to : from_.by_class_[q]) signature.push_back(block_[to]);
      refined[q] =
          signatures
              .try_emplace(std::move(signature), static_cast<std::uint32_t>(signatures.size()))
              .first->second;
    }
    block_ = std::move(refined);
    return signatures.size();
  }

  /// Those from which a final state can be reached.
  void find_useful_blocks(std::size_t blocks) {
    useful_.assign(blocks, false);
    for (bool grown = true; grown;) {
      grown = false;
      for (std::uint32_t q = 0; q < block_.size(); ++q) {
        if (useful_[block_[q]]) continue;
        const auto& to = from_.by_class_[q];
        if (is_final(q) || std::any_of(to.begin(), to.end(),
                                       [&](std::uint32_t next) { return useful_[block_[next]]; })) {
          useful_[block_[q]] = grown = true;
        }
      }
    }
  }

  [[nodiscard]] Automaton build() {
    Automaton result;
    std::vector<std::uint32_t> number(useful_.size(), nowhere);
    std::vector<std::uint32_t> representative{0};
    number[block_[0]] = 0;  // where it starts stays, even if nothing is accepted
    for (std::size_t i = 0; i < representative.size(); ++i) {
      std::vector<std::uint32_t> row;
      for (const std::uint32_t to : from_.by_class_[representative[i]]) {
        const std::uint32_t block = block_[to];
        if (useful_[block] && number[block] == nowhere) {
          number[block] = static_cast<std::uint32_t>(representative.size());
          representative.push_back(to);
        }
        row.push_back(useful_[block] ? number[block] : nowhere);
      }
      result.by_class_.push_back(std::move(row));
    }
    const auto states = static_cast<std::uint32_t>(representative.size());
    result.next_.resize(states);
    result.finals_ = StateSet(states);
    for (std::uint32_t q = 0; q < states; ++q) {
      if (is_final(representative[q])) result.finals_.insert(q);
    }
    result.inputs_ = std::move(from_.inputs_);
    result.class_of_letter_ = std::move(from_.class_of_letter_);
    return result;
  }

  Automaton from_;
  bool complement_;
  std::vector<std::uint32_t> block_;
  std::vector<bool> useful_;
};

Expected<Automaton> minimal_automaton(const Automaton& automaton, const Vocabulary& vocabulary,
                                      bool complement, std::size_t most_states) {
  auto complete = Subsets(automaton, vocabulary, most_states).run();
  if (!complete) return failure(complete.error());
  return Minimiser(std::move(*complete), complement).run();
}

}  // namespace lightcone
