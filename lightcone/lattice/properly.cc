// Properly: one of the states that all observers agree on satisfies the condition.
#include <lightcone/lattice/decision.h>
#include <lightcone/lattice/inevitable.h>
#include <lightcone/lattice/level.h>

#include <fmt/format.h>

namespace lightcone {

Decision properly(const Question& question, const Computation& computation, const Effort& effort) {
  if (!effort.budget.may_hold(bytes_of_level(computation, question.relevant))) return {};
  const Level level(computation, question.relevant);
  Condition condition = question.condition;
  place_on(level, condition);
  Decision decision{false, {}, {}, {}};
  const InevitableStates states = inevitable_states(level);
  states.for_each([&](std::span<const Rank> cut) {
    if (!condition.holds(cut)) return true;
    decision.found = true;
    decision.cut = process_ranks(level, cut);
    return false;
  });
  decision.method = fmt::format("the {} inevitable state{}, one by one", states.count(),
                                states.count() == 1 ? "" : "s");
  return decision;
}

}  // namespace lightcone
