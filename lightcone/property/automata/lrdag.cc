// Writes properties as equations, and compiles them for one scene after the other.
#include <lightcone/property/automata/lrdag.h>

namespace lightcone {
namespace {

using Literal = WordCoder::Literal;

/// Turns the formulas of one block into literals; what the scene decides is constant.
class FormulaCoder {
 public:
  FormulaCoder(WordCoder& coder, const CompiledLogic& logic, std::uint32_t first_bit,
               const Observer& observer, Scene scene)
      : coder_(coder), logic_(logic), first_bit_(first_bit), observer_(observer), scene_(scene) {}

  void run() {
    for (const Formula& formula : logic_.formulas) {
      values_.push_back(code(formula));
      coder_.set(first_bit_ + static_cast<std::uint32_t>(values_.size() - 1), values_.back());
    }
  }

 private:
  [[nodiscard]] Literal code(const Formula& formula) {
    using Kind = Formula::Kind;
    const auto holds = [&](std::uint32_t proposition) {
      return WordCoder::constant(observer_.holds(scene_, proposition));
    };
    switch (formula.kind) {
      case Kind::constant: return WordCoder::constant(formula.value);
      case Kind::atom:
        return WordCoder::constant(observer_.holds(scene_, logic_.tests[formula.variable]));
      case Kind::initial: return holds(Vocabulary::initial);
      case Kind::send: return holds(Vocabulary::send);
      case Kind::receive: return holds(Vocabulary::receive);
      case Kind::variable: return values_[formula.variable];
      case Kind::previous: return coder_.previous(first_bit_ + formula.variable);
      case Kind::message: return coder_.message(first_bit_ + formula.variable);
      case Kind::negation: return WordCoder::opposite(code(formula.parts[0]));
      case Kind::conjunction: return coder_.all_of(codes(formula.parts));
      case Kind::disjunction: return coder_.one_of(codes(formula.parts));
      case Kind::equivalence: break;
    }
    const Literal a = code(formula.parts[0]);
    const Literal b = code(formula.parts[1]);
    const Literal both = coder_.all_of({a, b});
    const Literal neither = coder_.all_of({WordCoder::opposite(a), WordCoder::opposite(b)});
    return coder_.one_of({both, neither});
  }

  [[nodiscard]] std::vector<Literal> codes(const std::vector<Formula>& parts) {
    std::vector<Literal> literals;
    for (const Formula& part : parts) literals.push_back(code(part));
    return literals;
  }

  WordCoder& coder_;
  const CompiledLogic& logic_;
  std::uint32_t first_bit_;
  const Observer& observer_;
  Scene scene_;
  std::vector<Literal> values_;
};

}  // namespace

std::uint64_t letter(const Automaton& automaton, const Observer& observer, Scene scene) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < automaton.inputs().size(); ++i) {
    bits |= std::uint64_t{observer.holds(scene, automaton.inputs()[i])} << i;
  }
  return bits;
}

Lrdag::Lrdag(const CompiledProperties& properties, const Observer& observer) : observer_(observer) {
  for (const CompiledFlow& flow : properties.flows()) {
    if (flow.longest || flow.timed) continue;
    members_.push_back({flow.property, bits_, &flow, nullptr, {}});
    bits_ += flow.automaton.states();
  }
  for (const CompiledLogic& logic : properties.logics()) {
    members_.push_back({logic.property, bits_, nullptr, &logic, {}});
    bits_ += static_cast<std::uint32_t>(logic.formulas.size());
  }
  for (Member& member : members_) {
    StateSet deciding(bits_);
    if (member.flow != nullptr) {
      member.flow->automaton.finals().for_each(
          [&](std::uint32_t state) { deciding.insert(member.first_bit + state); });
    } else {
      deciding.insert(member.first_bit + member.logic->logic->detected);
    }
    member.deciding = deciding.words();
  }
}

bool Lrdag::is_asked(std::size_t member, Scene scene) const {
  const CompiledFlow* flow = members_[member].flow;
  if (flow == nullptr) return true;
  if (observer_.holds(scene, Vocabulary::initial)) return false;
  return !flow->at || observer_.holds(scene, *flow->at);
}

bool Lrdag::is_found(std::size_t member, const std::uint64_t* state) const {
  const Member& m = members_[member];
  std::uint64_t meeting = 0;
  for (std::size_t i = 0; i < m.deciding.size(); ++i) meeting |= m.deciding[i] & state[i];
  return (meeting != 0) != (m.flow != nullptr && m.flow->every);
}

const WordCode& Lrdag::compile(Scene scene) {
  WordCoder coder(bits_);
  for (const Member& member : members_) {
    if (member.flow != nullptr) {
      add_flow(coder, member, scene);
    } else {
      FormulaCoder(coder, *member.logic, member.first_bit, observer_, scene).run();
    }
  }
  if (scene >= codes_.size()) codes_.resize(scene + 1);
  codes_[scene] = coder.finish();
  return *codes_[scene];
}

void Lrdag::add_flow(WordCoder& coder, const Member& member, Scene scene) const {
  const Automaton& automaton = member.flow->automaton;
  const bool labelled = observer_.holds(scene, member.flow->labelled);
  const bool initial = observer_.holds(scene, Vocabulary::initial);
  std::vector<StateSet> step;
  if (labelled) step = automaton.step(letter(automaton, observer_, scene));
  std::vector<std::vector<Literal>> from(automaton.states());
  for (std::uint32_t q = 0; q < automaton.states(); ++q) {
    if (initial && q != 0) continue;
    const Literal before = initial ? WordCoder::constant(true) : coder.either(member.first_bit + q);
    if (labelled) {
      step[q].for_each([&](std::uint32_t to) { from[to].push_back(before); });
    } else {
      from[q].push_back(before);
    }
  }
  for (std::uint32_t q = 0; q < automaton.states(); ++q) {
    coder.set(member.first_bit + q, coder.one_of(std::move(from[q])));
  }
}

}  // namespace lightcone
