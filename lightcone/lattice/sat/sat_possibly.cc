// Asks for a cut, then for one below it, until there is none.
#include <lightcone/lattice/sat/sat_possibly.h>

#include <lightcone/lattice/sat/condition_encoding.h>
#include <lightcone/lattice/sat/cut_encoding.h>

#include <algorithm>
#include <utility>

namespace lightcone {
namespace {

constexpr SatSolver::Clock::duration least_time_for_smaller = std::chrono::milliseconds(200);

}  // namespace

FoundState possibly_by_sat(const Level& level, const Condition& condition,
                           SatSolver::Clock::time_point deadline, std::stop_token stop) {
  using Satisfiability = SatSolver::Satisfiability;
  const auto begin = SatSolver::Clock::now();
  SatSolver solver(deadline, std::move(stop));
  const ImmediatePasts pasts(level, deadline);
  CutEncoding cut(solver, level, pasts);
  ConditionEncoding encoding(cut);
  encoding.require(condition, solver.always());
  FoundState result;
  while (true) {
    const Satisfiability answer = solver.solve();
    if (answer == Satisfiability::unknown) return result;
    if (answer == Satisfiability::unsatisfiable) {
      result.found = result.found.has_value();
      return result;
    }
    Cut found = cut.found();
    const auto objections = encoding.objections();
    for (const auto& clause : objections) solver.add(clause);
    if (!objections.empty()) continue;
    // To find a smaller one is worth about as much as to find one.
    const SatSolver::Clock::duration taken = SatSolver::Clock::now() - begin;
    if (!result.found) solver.limit(std::max(taken, least_time_for_smaller));
    result.found = true;
    cut.require_below(found);
    result.cut = std::move(found);
  }
}

}  // namespace lightcone
