// Asks for a cut, then for one below it, until there is none.
#include <lightcone/lattice/sat.h>

#include <lightcone/lattice/condition_encoding.h>
#include <lightcone/lattice/cut_encoding.h>

namespace lightcone {

FoundCut possibly_by_sat(const Level& level, const Condition& condition,
                         SatSolver::Clock::time_point deadline) {
  using Answer = SatSolver::Answer;
  SatSolver solver(deadline);
  const ImmediatePasts pasts(level);
  CutEncoding cut(solver, level, pasts);
  ConditionEncoding encoding(cut);
  encoding.require(condition, solver.always());
  FoundCut result;
  while (true) {
    const Answer answer = solver.solve();
    if (answer == Answer::unknown) return result;
    if (answer == Answer::unsatisfiable) {
      result.minimal = result.search == Search::found;
      if (!result.minimal) result.search = Search::absent;
      return result;
    }
    Cut found = cut.found();
    const auto objections = encoding.objections();
    for (const auto& clause : objections) solver.add(clause);
    if (!objections.empty()) continue;
    result.search = Search::found;
    cut.require_below(found);
    result.cut = std::move(found);
  }
}

}  // namespace lightcone
