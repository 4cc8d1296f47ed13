// All `flow` and `logic` properties of a file as one set of LRDAG equations.
#pragma once

#include <lightcone/property/automata/compiled.h>
#include <lightcone/property/states/observer.h>
#include <lightcone/property/states/word_code.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace lightcone {

/// One bit per variable of a logic block, one per state of the automaton of a flow (RR-2384, 4.4).
/// A flow's variable j holds in a state iff one of its words leads the automaton to j:
///   xⱼ := (labelled and ∨ₖ any xₖ with k → j on this letter) or (not labelled and any xⱼ)
/// and in an initial state as if x₀ alone had held before (semantics: unlabelled states contribute
/// nothing, a labelled initial state takes its step).
class Lrdag {
 public:
  /// Where a property's bits stand, and when it is found.
  struct Member {
    std::uint32_t property = 0;
    std::uint32_t first_bit = 0;
    const CompiledFlow* flow = nullptr;  ///< or else:
    const CompiledLogic* logic = nullptr;
    std::vector<std::uint64_t> deciding;  ///< found iff one of these bits is set (every: none)
  };

  Lrdag(const CompiledProperties& properties, const Observer& observer);

  [[nodiscard]] std::uint32_t bits() const { return bits_; }
  [[nodiscard]] std::uint32_t words() const { return (bits_ + 63) / 64; }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  /// The code that computes the bits of a state that shows this scene.
  [[nodiscard]] const WordCode& code(Scene scene) {
    if (scene < codes_.size() && codes_[scene]) return *codes_[scene];
    return compile(scene);
  }
  /// Returns whether the member's question is asked of states that show this scene.
  [[nodiscard]] bool is_asked(std::size_t member, Scene scene) const;
  [[nodiscard]] bool is_found(std::size_t member, const std::uint64_t* state) const;
  /// Calls `visit(member, found)` for each member that is asked of a state of this scene.
  template <class Visit>
  void for_each_answer(Scene scene, const std::uint64_t* state, const Visit& visit) const {
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (is_asked(m, scene)) visit(members_[m], is_found(m, state));
    }
  }

 private:
  const WordCode& compile(Scene scene);
  void add_flow(WordCoder& coder, const Member& member, Scene scene) const;

  const Observer& observer_;
  std::uint32_t bits_ = 0;
  std::vector<Member> members_;
  std::vector<std::optional<WordCode>> codes_;
};

/// The letter that an automaton reads at a state that shows this scene.
[[nodiscard]] std::uint64_t letter(const Automaton& automaton, const Observer& observer,
                                   Scene scene);

}  // namespace lightcone
