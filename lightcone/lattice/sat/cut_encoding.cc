// The order encoding: chains are monotone, and events come after their immediate predecessors.
#include <lightcone/lattice/sat/cut_encoding.h>

#include <lightcone/lattice/order/level.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace lightcone {

ImmediatePasts::ImmediatePasts(const Level& level, SatSolver::Clock::time_point deadline)
    : level_(&level) {
  constexpr Rank events_between_looks = 1024;
  bool late = false;
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = 1; k <= level.length(c); ++k) {
      if (k % events_between_looks == 1) late = late || SatSolver::Clock::now() >= deadline;
      if (!late && k > level.bottom()[c] && k <= level.top()[c]) add_causes(c, k);
      begin_.push_back(static_cast<std::uint32_t>(causes_.size()));
    }
  }
}

/// Candidates are taken by the size of their pasts, the greatest first, and those that lie in a
/// past already taken are left out. In a slice, events may have one past in common: each is a cause
/// of the others, and none of them takes over what lies below all of them.
void ImmediatePasts::add_causes(std::uint32_t chain, Rank k) {
  const auto past = level_->past(chain, k);
  Cut covered = level_->bottom();
  if (k - 1 > covered[chain]) covered = join(covered, level_->past(chain, k - 1));
  covered[chain] = std::max(covered[chain], k);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> candidates;
  for (std::uint32_t d = 0; d < level_->chains(); ++d) {
    if (past[d] > covered[d]) candidates.emplace_back(size_of(level_->past(d, past[d])), d);
  }
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
  for (const auto& [size, d] : candidates) {
    if (past[d] <= covered[d]) continue;
    causes_.push_back({d, past[d]});
    const auto other = level_->past(d, past[d]);
    if (other[chain] < k) covered = join(covered, other);
  }
}

std::span<const ImmediatePasts::Cause> ImmediatePasts::of(std::uint32_t chain, Rank k) const {
  const std::uint32_t i = level_->index(chain, k);
  return std::span(causes_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
}

CutEncoding::CutEncoding(SatSolver& solver, const Level& level, const ImmediatePasts& pasts,
                         const Cut& lower, const Cut& upper)
    : solver_(&solver),
      level_(&level),
      lower_(lower.empty() ? level.bottom() : lower),
      upper_(upper.empty() ? level.top() : upper) {
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    first_.push_back(0);
    for (Rank k = lower_[c] + 1; k <= upper_[c]; ++k) {
      const Literal literal = solver.new_variable();
      if (k == lower_[c] + 1) first_.back() = literal;
      solver.prefer(-literal);  // small cuts are the better witnesses
    }
  }
  for (std::uint32_t c = 0; c < level.chains(); ++c) {
    for (Rank k = lower_[c] + 1; k <= upper_[c]; ++k) {
      solver.add({-at_least(c, k), at_least(c, k - 1)});
      for (const auto& cause : pasts.of(c, k)) {
        solver.add({-at_least(c, k), at_least(cause.chain, cause.rank)});
      }
    }
  }
}

Literal CutEncoding::at_least(std::uint32_t chain, Rank k) const {
  if (k <= lower_[chain]) return solver_->always();
  if (k > upper_[chain]) return -solver_->always();
  return first_[chain] + static_cast<Literal>(k - lower_[chain] - 1);
}

std::vector<Literal> CutEncoding::classes(std::uint32_t chain,
                                          const std::vector<std::uint32_t>& class_of) const {
  std::vector<Literal> literals;
  const Rank lowest = lower_[chain];
  const Rank highest = upper_[chain];
  for (Rank begin = lowest, end = 0; begin <= highest; begin = end) {
    const std::uint32_t number = class_of[begin];
    for (end = begin + 1; end <= highest && class_of[end] == number; ++end) continue;
    if (number >= literals.size()) literals.resize(number + std::size_t{1}, 0);
    Literal& literal = literals[number];
    if (literal == 0) literal = solver_->new_variable();
    solver_->add({-at_least(chain, begin), at_least(chain, end), literal});
  }
  return literals;
}

Cut CutEncoding::found() const {
  Cut cut = lower_;
  for (std::uint32_t c = 0; c < cut.size(); ++c) {
    while (cut[c] < upper_[c] && solver_->is_true(at_least(c, cut[c] + 1))) ++cut[c];
  }
  return cut;
}

void CutEncoding::require_below(const Cut& cut) {
  std::vector<Literal> less;
  for (std::uint32_t c = 0; c < cut.size(); ++c) {
    solver_->add({-at_least(c, cut[c] + 1)});
    if (cut[c] > lower_[c]) less.push_back(-at_least(c, cut[c]));
  }
  solver_->add(less);
}

}  // namespace lightcone
