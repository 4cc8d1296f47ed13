// Property files made ready to be followed: atoms numbered, patterns as automata.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/automata/automaton.h>
#include <lightcone/property/automata/timed_automaton.h>
#include <lightcone/property/states/vocabulary.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lightcone {

/// A flow property.
struct CompiledFlow {
  std::uint32_t property = 0;  ///< its index in the file
  bool longest = false;
  bool every = false;
  std::uint32_t labelled = 0;  ///< the proposition that makes a state a letter
  std::optional<Test> at;
  /// Accepts the words that decide: those of the pattern, or for `every` all others.
  Automaton automaton;
  /// Of a pattern with `within`, instead: accepts the words of the pattern.
  std::optional<TimedAutomaton> timed = {};
};

/// A logic block. In its formulas `variable` of an atom is an index into `tests`.
struct CompiledLogic {
  std::uint32_t property = 0;
  const Logic* logic = nullptr;
  std::vector<Formula> formulas;
  std::vector<Test> tests;
};

/// A property that is beyond a limit, and which.
struct Undecided {
  std::uint32_t property = 0;
  std::string why;
};

/// A property file with everything that does not depend on a computation worked out.
class CompiledProperties {
 public:
  /// `event_labels` are those known to occur: a declared label of the same name belongs to every
  /// alphabet that is not spelt out.
  [[nodiscard]] static CompiledProperties compile(
      Properties properties, const std::vector<std::string>& event_labels = {});
  /// Only the property of this index, as it is asked of one value of its `for each`. `compile`
  /// leaves those properties out.
  [[nodiscard]] static CompiledProperties compile_alone(
      Properties properties, const std::vector<std::string>& event_labels, std::uint32_t property);

  [[nodiscard]] const Properties& source() const { return *properties_; }
  [[nodiscard]] const Vocabulary& vocabulary() const { return *vocabulary_; }
  [[nodiscard]] const std::vector<CompiledFlow>& flows() const { return flows_; }
  [[nodiscard]] const std::vector<CompiledLogic>& logics() const { return logics_; }
  /// Those whose automaton would be too large.
  [[nodiscard]] const std::vector<Undecided>& undecided() const { return undecided_; }

 private:
  void add(std::uint32_t property, const std::vector<std::string>& also);
  [[nodiscard]] std::vector<std::string> start(Properties properties,
                                               const std::vector<std::string>& event_labels);
  [[nodiscard]] Expected<void> add_flow(std::uint32_t property, const Flow& flow,
                                        const std::vector<std::string>& also);
  void add_logic(std::uint32_t property, const Logic& logic);

  std::unique_ptr<Properties> properties_;  // at a fixed address: others point into it
  std::unique_ptr<Vocabulary> vocabulary_;
  std::vector<CompiledFlow> flows_;
  std::vector<CompiledLogic> logics_;
  std::vector<Undecided> undecided_;
};

}  // namespace lightcone
