// Determinises an automaton over the truth of its inputs, complements it if asked, minimises it.
#include <fmt/format.h>
#include <lightcone/property/automata/automaton.h>
#include <lightcone/property/automata/partition.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <span>

namespace lightcone {
namespace {

constexpr std::size_t most_inputs = 16;
constexpr std::size_t most_transitions = 1 << 20;
constexpr std::uint32_t nowhere = UINT32_MAX;
// A few words of text can ask for much work: about half a second at most.
constexpr std::uint64_t most_words_joined = std::uint64_t{1} << 28;  // by the subset construction

}  // namespace

/// The subset construction. Letters that match the same positions are one class. Where a subset
/// leads on a letter is where its positions lead at all, as far as the letter matches there. Once a
/// position is reached from which everything is accepted (the end of `contains`), the others no
/// longer matter; without that, subsets would go on being told apart to no avail.
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
    std::uint64_t joined = 0;
    for (std::size_t i = 0; i < subsets_.size(); ++i) {
      if (subsets_.size() > most_states_) {
        return failure(fmt::format("the pattern needs more than {} states", most_states_));
      }
      const StateSet next = all_next(subsets_[i]);
      joined += (subsets_[i].count() + matching_.size()) * next.words().size();
      if (joined > most_words_joined) {
        return failure("the pattern needs too much work to be made deterministic");
      }
      std::vector<std::uint32_t> to;
      for (const StateSet& here : matching_) {
        // Each subset that is known needs a transition for each class.
        if (subsets_.size() * matching_.size() > most_transitions) {
          return failure(
              fmt::format("the pattern needs more than {} transitions", most_transitions));
        }
        StateSet both = next;
        both &= here;
        to.push_back(number(std::move(both)));
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

  /// Positions that want the same match the same letters.
  void find_kinds() {
    for (std::uint32_t q = 1; q < from_.states(); ++q) {
      const std::pair wants(from_.wanted_[q], from_.unwanted_[q]);
      const auto known = std::find(kinds_.begin(), kinds_.end(), wants);
      const auto kind = static_cast<std::size_t>(known - kinds_.begin());
      if (known == kinds_.end()) {
        kinds_.push_back(wants);
        positions_.emplace_back(from_.states());
      }
      positions_[kind].insert(q);
    }
    LIGHTCONE_ASSERT(kinds_.size() <= 64);  // each wants nothing, or an input, or not an input
  }

  void classify_letters() {
    find_kinds();
    const std::uint64_t letters = std::uint64_t{1} << from_.inputs().size();
    std::map<std::uint64_t, std::uint32_t> classes;  // by the kinds that match
    for (std::uint64_t letter = 0; letter < letters; ++letter) {
      if (!can_occur(letter)) {
        result_.class_of_letter_.push_back(nowhere);
        continue;
      }
      std::uint64_t kinds = 0;
      for (std::size_t i = 0; i < kinds_.size(); ++i) {
        const auto [wanted, unwanted] = kinds_[i];
        const bool matches = (letter & wanted) == wanted && (letter & unwanted) == 0;
        kinds |= std::uint64_t{matches} << i;
      }
      const auto [at, is_new] =
          classes.try_emplace(kinds, static_cast<std::uint32_t>(matching_.size()));
      if (is_new) matching_.push_back(positions_of(kinds));
      result_.class_of_letter_.push_back(at->second);
    }
  }

  [[nodiscard]] StateSet positions_of(std::uint64_t kinds) const {
    StateSet all(from_.states());
    for (; kinds != 0; kinds &= kinds - 1) {
      all |= positions_[static_cast<std::size_t>(std::countr_zero(kinds))];
    }
    return all;
  }

  [[nodiscard]] StateSet all_next(const StateSet& subset) const {
    StateSet next(from_.states());
    subset.for_each([&](std::uint32_t q) { next |= from_.next_[q]; });
    return next;
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
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kinds_;  // wanted and unwanted inputs
  std::vector<StateSet> positions_;                             // of each kind
  std::vector<StateSet> matching_;                              // of each class
  StateSet universal_;
  std::map<StateSet, std::uint32_t> numbers_;
  std::vector<StateSet> subsets_;
  Automaton result_;
};

/// Where the states of a complete deterministic automaton are reached from.
class Predecessors {
 public:
  explicit Predecessors(const std::vector<std::vector<std::uint32_t>>& by_class)
      : states_(by_class.size()),
        classes_(by_class.front().size()),
        begin_(states_ * classes_ + 1, 0),
        from_(states_ * classes_) {
    for (const auto& row : by_class) {
      for (std::size_t each = 0; each < classes_; ++each) ++begin_[place(each, row[each]) + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t q = 0; q < states_; ++q) {
      for (std::size_t each = 0; each < classes_; ++each) {
        from_[next[place(each, by_class[q][each])]++] = q;
      }
    }
  }

  [[nodiscard]] std::size_t classes() const { return classes_; }
  /// The states that lead to this one on the letters of a class.
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t each, std::uint32_t q) const {
    const std::uint32_t begin = begin_[place(each, q)];
    return std::span(from_).subspan(begin, begin_[place(each, q) + 1] - begin);
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t each, std::uint32_t q) const {
    return each * states_ + q;
  }

  std::size_t states_, classes_;
  std::vector<std::uint32_t> begin_, from_;
};

/// Hopcroft's algorithm: states are apart once they accept differently, or lead to states that are.
/// Whenever a block is split, the smaller part splits others by what leads there, so that n states
/// take O(n log n) steps per class. Blocks are numbered in the order in which they are reached from
/// the start, so that every process that reads the same pattern numbers them alike.
class Minimiser {
 public:
  Minimiser(Automaton complete, bool complement)
      : from_(std::move(complete)),
        complement_(complement),
        leading_to_(from_.by_class_),
        states_(from_.states()) {}

  [[nodiscard]] Automaton run() {
    refine();
    find_useful_blocks();
    return build();
  }

 private:
  [[nodiscard]] bool is_final(std::uint32_t q) const {
    return from_.finals().contains(q) != complement_;
  }

  void refine() {
    for (std::uint32_t q = 0; q < from_.states(); ++q) {
      if (is_final(q)) states_.mark(q);
    }
    std::vector<std::uint32_t> splitting{0};
    const auto split_by = [&](std::uint32_t block) { splitting.push_back(block); };
    states_.split(split_by);
    while (!splitting.empty()) {
      const auto members = states_.members(splitting.back());
      splitting.pop_back();
      // They may be split themselves meanwhile.
      const std::vector<std::uint32_t> targets(members.begin(), members.end());
      for (std::size_t each = 0; each < leading_to_.classes(); ++each) {
        for (const std::uint32_t q : targets) {
          for (const std::uint32_t before : leading_to_.of(each, q)) states_.mark(before);
        }
        states_.split(split_by);
      }
    }
  }

  /// Those from which a final state can be reached.
  void find_useful_blocks() {
    useful_.assign(states_.blocks(), false);
    std::vector<std::uint32_t> found;
    const auto find = [&](std::uint32_t q) {
      if (!useful_[states_.block_of(q)]) found.push_back(q);
      useful_[states_.block_of(q)] = true;
    };
    for (std::uint32_t q = 0; q < from_.states(); ++q) {
      if (is_final(q)) find(q);
    }
    while (!found.empty()) {
      const auto block = states_.members(states_.block_of(found.back()));
      found.pop_back();
      for (const std::uint32_t q : block) {
        for (std::size_t each = 0; each < leading_to_.classes(); ++each) {
          for (const std::uint32_t before : leading_to_.of(each, q)) find(before);
        }
      }
    }
  }

  [[nodiscard]] Automaton build() {
    Automaton result;
    std::vector<std::uint32_t> number(useful_.size(), nowhere);  // of each block
    std::vector<std::uint32_t> representative{0};
    number[states_.block_of(0)] = 0;  // where it starts stays, even if nothing is accepted
    for (std::size_t i = 0; i < representative.size(); ++i) {
      std::vector<std::uint32_t> row;
      for (const std::uint32_t to : from_.by_class_[representative[i]]) {
        const std::uint32_t block = states_.block_of(to);
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
  Predecessors leading_to_;
  Partition states_;
  std::vector<bool> useful_;  // by block
};

Expected<Automaton> minimal_automaton(const Automaton& automaton, const Vocabulary& vocabulary,
                                      bool complement, std::size_t most_states) {
  auto complete = Subsets(automaton, vocabulary, most_states).run();
  if (!complete) return failure(complete.error());
  return Minimiser(std::move(*complete), complement).run();
}

}  // namespace lightcone
