// Bounded model checking: a cut after each number of events, one event more each time, with the
// negated condition at each. The bound is the number of events, so that nothing is left out.
#include <lightcone/lattice/sat/sat_avoidance.h>

#include <lightcone/lattice/order/level.h>
#include <lightcone/lattice/sat/condition_encoding.h>
#include <lightcone/lattice/sat/cut_encoding.h>

#include <algorithm>
#include <deque>

namespace lightcone {
namespace {

class Observations {
 public:
  Observations(const Level& level, const Condition& avoided, SatSolver::Clock::time_point deadline)
      : level_(&level), pasts_(level, deadline), solver_(deadline), condition_(negated(avoided)) {
    place_on(level, condition_);
    find_bounds();
    for (std::size_t t = 0; t < lower_.size() && !solver_.is_late(); ++t) {
      cuts_.emplace_back(solver_, level, pasts_, lower_[t], upper_[t]);
      encodings_.emplace_back(cuts_.back()).require(condition_, solver_.always());
      if (t > 0) add_step(cuts_[t - 1], cuts_[t]);
    }
  }

  [[nodiscard]] Avoidance find() {
    using Satisfiability = SatSolver::Satisfiability;
    while (true) {
      const Satisfiability answer = solver_.solve();
      if (answer == Satisfiability::unknown) return {std::nullopt, {}};
      if (answer == Satisfiability::unsatisfiable) return {false, {}};
      Avoidance result{true, steps()};
      if (accepts_model()) return result;
    }
  }

 private:
  /// Of the cut after t events: an event with more than t in its past is not in it, and one with
  /// fewer than R - t behind it is, for R events in all.
  void find_bounds() {
    const Cut& bottom = level_->bottom();
    const Cut& top = level_->top();
    const std::size_t events = size_of(top) - size_of(bottom);
    lower_.assign(events + 1, bottom);
    upper_.assign(events + 1, bottom);
    for (std::uint32_t c = 0; c < level_->chains(); ++c) {
      for (Rank k = bottom[c] + 1; k <= top[c]; ++k) {
        const Cut past = join(bottom, level_->past(c, k));
        const std::size_t earliest = size_of(past) - size_of(bottom);
        for (std::size_t t = earliest; t <= events; ++t) upper_[t][c] = k;
        for (std::size_t t = events - behind(c, k); t <= events; ++t) lower_[t][c] = k;
      }
    }
  }

  /// Returns how many events happened after this one.
  [[nodiscard]] std::size_t behind(std::uint32_t chain, Rank k) const {
    std::size_t count = 0;
    for (std::uint32_t d = 0; d < level_->chains(); ++d) {
      Rank last = level_->top()[d];
      while (last > level_->bottom()[d] && level_->past(d, last)[chain] >= k) --last;
      count += level_->top()[d] - last;
    }
    return count - 1;  // it is in its own past
  }

  /// No chain goes back, none makes two steps, and no two chains make one. As many steps as events
  /// then leave each step one event.
  void add_step(const CutEncoding& before, const CutEncoding& after) {
    Literal someone = -solver_.always();  // among the chains so far
    for (std::uint32_t c = 0; c < level_->chains(); ++c) {
      const Rank lowest = std::min(before.lowest(c), after.lowest(c));
      const Rank highest = std::max(before.highest(c), after.highest(c));
      if (lowest == highest) continue;
      const Literal moves = solver_.new_variable();
      const Literal now_someone = solver_.new_variable();
      for (Rank k = lowest + 1; k <= highest; ++k) {
        solver_.add({-before.at_least(c, k), after.at_least(c, k)});
        solver_.add({-after.at_least(c, k), before.at_least(c, k - 1)});
        solver_.add({-after.at_least(c, k), before.at_least(c, k), moves});
      }
      solver_.add({-moves, -someone});
      solver_.add({-moves, now_someone});
      solver_.add({-someone, now_someone});
      solver_.add({-now_someone, someone, moves});
      someone = now_someone;
    }
    solver_.add({someone});
  }

  [[nodiscard]] std::vector<std::uint32_t> steps() const {
    std::vector<std::uint32_t> chains;
    for (std::size_t t = 1; t < cuts_.size(); ++t) {
      const Cut before = cuts_[t - 1].found();
      const Cut after = cuts_[t].found();
      const auto differs = std::mismatch(before.begin(), before.end(), after.begin());
      chains.push_back(static_cast<std::uint32_t>(differs.first - before.begin()));
    }
    return chains;
  }

  /// If not, what is wrong with it is forbidden.
  [[nodiscard]] bool accepts_model() {
    std::vector<std::vector<Literal>> clauses;
    for (const ConditionEncoding& encoding : encodings_) {
      for (auto& clause : encoding.objections()) clauses.push_back(std::move(clause));
    }
    for (const auto& clause : clauses) solver_.add(clause);
    return clauses.empty();
  }

  const Level* level_;
  ImmediatePasts pasts_;
  SatSolver solver_;
  Condition condition_;
  std::vector<Cut> lower_, upper_;  // of the cut after each number of events
  std::deque<CutEncoding> cuts_;
  std::deque<ConditionEncoding> encodings_;
};

}  // namespace

Avoidance avoidance_by_sat(const Level& level, const Condition& condition,
                           SatSolver::Clock::time_point deadline) {
  return Observations(level, condition, deadline).find();
}

}  // namespace lightcone
