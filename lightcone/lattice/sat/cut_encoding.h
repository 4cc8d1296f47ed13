// A consistent cut as variables of a SAT solver: how far each chain has come at least.
#pragma once

#include <lightcone/lattice/order/cut.h>
#include <lightcone/lattice/sat/sat_solver.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// The covering relation of a level as far as it is needed: events whose pasts, together with that
/// of the event before, make up the past of an event.
class ImmediatePasts {
 public:
  /// An event, by its chain and rank.
  struct Cause {
    std::uint32_t chain = 0;
    Rank rank = 0;
  };

  /// From the deadline on, none are looked for: a solver with the same one does not answer any
  /// more.
  ImmediatePasts(const Level& level, SatSolver::Clock::time_point deadline);

  /// Of the k-th event of a chain, beside the event before it.
  [[nodiscard]] std::span<const Cause> of(std::uint32_t chain, Rank k) const;

 private:
  void add_causes(std::uint32_t chain, Rank k);

  const Level* level_;
  std::vector<Cause> causes_;
  std::vector<std::uint32_t> begin_{0};
};

/// The literals of one cut; several cuts may be in one solver. The level, its immediate pasts and
/// the solver must outlive it.
class CutEncoding {
 public:
  CutEncoding(SatSolver& solver, const Level& level, const ImmediatePasts& pasts)
      : CutEncoding(solver, level, pasts, {}, {}) {}
  /// A cut between two others (or, where they are empty, the level's bottom and top).
  CutEncoding(SatSolver& solver, const Level& level, const ImmediatePasts& pasts, const Cut& lower,
              const Cut& upper);

  [[nodiscard]] SatSolver& solver() const { return *solver_; }
  [[nodiscard]] const Level& level() const { return *level_; }

  /// That the chain has come at least to rank k.
  [[nodiscard]] Literal at_least(std::uint32_t chain, Rank k) const;
  /// The bounds of a chain.
  [[nodiscard]] Rank lowest(std::uint32_t chain) const { return lower_[chain]; }
  [[nodiscard]] Rank highest(std::uint32_t chain) const { return upper_[chain]; }

  /// Literals that are true at least where the chain is in a local state of each class. Classes
  /// are numbers from 0 on, by rank; 0 stands for the literal of one that does not occur.
  [[nodiscard]] std::vector<Literal> classes(std::uint32_t chain,
                                             const std::vector<std::uint32_t>& class_of) const;

  /// The cut in the model that the solver has found.
  [[nodiscard]] Cut found() const;
  /// From now on, only cuts within this one, and other than it, count.
  void require_below(const Cut& cut);

 private:
  SatSolver* solver_;
  const Level* level_;
  Cut lower_, upper_;
  std::vector<Literal> first_;  // of each chain: the literal of the rank after its lowest
};

}  // namespace lightcone
