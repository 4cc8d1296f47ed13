// A deterministic automaton accepts what the pattern does, and none of its states is one too many.
#include <gtest/gtest.h>
#include <lightcone/property/automata/automaton.h>
#include <lightcone/property/language/parser.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace lightcone {
namespace {

using Word = std::vector<std::uint64_t>;

/// A random pattern over the labels a and b.
[[nodiscard]] std::string some_pattern(std::mt19937_64& random, int depth) {
  const auto part = [&] { return some_pattern(random, depth - 1); };
  switch (random() % (depth == 0 ? 5U : 10U)) {
    case 0: return "a";
    case 1: return "b";
    case 2: return "!a";
    case 3: return ".";
    case 4: return "[a b]";
    case 5: return "(" + part() + " | " + part() + ")";
    case 6: return "(" + part() + ")*";
    case 7: return "(" + part() + "){1,3}";
    default: return part() + " " + part();
  }
}

/// The automaton of positions of a pattern, and what its inputs are called.
struct Positions {
  explicit Positions(const std::string& pattern)
      : properties(*parse_property_syntax("watch w : some flow matches " + pattern, "text")),
        vocabulary(properties),
        automaton(*position_automaton(
            std::get<Flow>(properties.properties.front().question).pattern, vocabulary)) {}

  Properties properties;
  Vocabulary vocabulary;
  Automaton automaton;
};

/// The letters that can occur: what holds of a, of b, and of both.
[[nodiscard]] Word letters_of(const Positions& positions) {
  std::set<std::uint64_t> letters;
  const auto& inputs = positions.automaton.inputs();
  const auto& propositions = positions.vocabulary.propositions();
  for (std::uint32_t carried = 0; carried < 4; ++carried) {
    std::uint64_t letter = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (const auto& name : propositions[inputs[i]].names) {
        const bool is_a = positions.vocabulary.labels()[name.label].name == "a";
        if ((carried & (is_a ? 1U : 2U)) != 0) letter |= std::uint64_t{1} << i;
      }
    }
    letters.insert(letter);
  }
  return {letters.begin(), letters.end()};
}

[[nodiscard]] std::vector<Word> words_up_to(std::size_t length, const Word& letters) {
  std::vector<Word> words{{}};
  for (std::size_t begin = 0, left = length; left > 0; --left) {
    const std::size_t end = words.size();
    for (; begin < end; ++begin) {
      for (const std::uint64_t letter : letters) {
        Word longer = words[begin];
        longer.push_back(letter);
        words.push_back(std::move(longer));
      }
    }
  }
  return words;
}

/// The pairs of states that some word tells apart; `states` is the number of one from which nothing
/// is accepted. By the definition: pairs that accept differently, and those that lead to such.
[[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> apart(const Automaton& automaton,
                                                                      const Word& letters) {
  const std::uint32_t states = automaton.states();
  const auto accepts = [&](std::uint32_t q) {
    return q < states && automaton.finals().contains(q);
  };
  std::vector<std::vector<StateSet>> steps;
  for (const std::uint64_t letter : letters) steps.push_back(automaton.step(letter));
  const auto next = [&](std::size_t letter, std::uint32_t q) {
    std::uint32_t to = states;
    if (q < states) steps[letter][q].for_each([&](std::uint32_t each) { to = each; });
    return to;
  };
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (bool grown = true; grown;) {
    const std::size_t before = pairs.size();
    for (std::uint32_t p = 0; p <= states; ++p) {
      for (std::uint32_t q = 0; q <= states; ++q) {
        bool differs = accepts(p) != accepts(q);
        for (std::size_t letter = 0; letter < letters.size(); ++letter) {
          differs = differs || pairs.contains({next(letter, p), next(letter, q)});
        }
        if (differs) pairs.emplace(p, q);
      }
    }
    grown = pairs.size() != before;
  }
  return pairs;
}

TEST(MinimalAutomaton, AcceptsWhatThePatternDoesWithAsFewStatesAsThereCanBe) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::string pattern = some_pattern(random, 3);
    SCOPED_TRACE(pattern);
    const Positions positions(pattern);
    const Word letters = letters_of(positions);
    const bool complement = random() % 2 == 0;
    const auto minimal = minimal_automaton(positions.automaton, positions.vocabulary, complement);
    ASSERT_TRUE(minimal) << minimal.error().text();
    for (const Word& word : words_up_to(5, letters)) {
      ASSERT_EQ(minimal->accepts(word), positions.automaton.accepts(word) != complement);
    }
    const auto pairs = apart(*minimal, letters);
    for (std::uint32_t p = 0; p < minimal->states(); ++p) {
      for (std::uint32_t q = 0; q < p; ++q) EXPECT_TRUE(pairs.contains({p, q})) << p << ' ' << q;
      // It accepts something; but for the start, which stays in any case.
      EXPECT_TRUE(p == 0 || pairs.contains({p, minimal->states()})) << p;
    }
  }
}

/// By Moore's refinement it took as many rounds as there are states.
TEST(MinimalAutomaton, LongChainsAreQuick) {
  const Positions positions("(a b !a .){1000}");
  const auto minimal = minimal_automaton(positions.automaton, positions.vocabulary, false);
  ASSERT_TRUE(minimal) << minimal.error().text();
  EXPECT_EQ(minimal->states(), 4001U);
}

}  // namespace
}  // namespace lightcone
