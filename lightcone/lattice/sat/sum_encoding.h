// Sums over a cut's chains as clauses.
#pragma once

#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/sat/cut_encoding.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lightcone {

/// One chain's share of a sum: its values, and literals that are true at least where it has them.
struct SumPart {
  struct Addend {
    std::int64_t value = 0;
    Literal literal = 0;
  };
  std::vector<Addend> addends;
  std::int64_t least = 0, greatest = 0;
};

/// Requires that `sum RELATION bound` holds at the cut where `when` is true.
void require_sum(const CutEncoding& cut, std::span<const Condition::Summand> sum,
                 Condition::Relation relation, std::int64_t bound, Literal when);

/// The same by binary adders: small for any numbers, but little follows before all bits are known.
/// The bound is between the least and the greatest sum.
void require_sum_of_bits(SatSolver& solver, std::span<const SumPart> parts,
                         Condition::Relation relation, std::int64_t bound, Literal when);

}  // namespace lightcone
