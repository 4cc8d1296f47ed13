// Properly: one of the states that all observers agree on satisfies the condition.
#include <lightcone/lattice/decide/decision.h>

namespace lightcone {

Decision properly(const Question& question, const Computation& computation, const Effort& effort) {
  const std::optional<Level> level = level_of(question, computation, effort.budget);
  if (!level) return {};
  Condition condition = question.condition;
  place_on(*level, condition);
  return by_inevitable_states(inevitable_states(*level), condition);
}

}  // namespace lightcone
