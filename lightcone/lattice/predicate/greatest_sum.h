// The greatest value that a sum over the processes takes in any global state.
#pragma once

#include <lightcone/lattice/order/cut.h>
#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/visit/budget.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// A value of a sum, and a cut that has it.
struct ReachedSum {
  std::int64_t value = 0;
  Cut cut;
  bool in_time = true;  ///< false: time was over before there was one as asked for
};

/// The value of a sum at a cut.
[[nodiscard]] std::int64_t sum_at(std::span<const Condition::Summand> sum,
                                  std::span<const Rank> cut);

/// The greatest value of the sum at a consistent cut of the level, on which it has been placed, and
/// the least cut that has it. With `enough`, a cut with at least that value may come instead. With
/// a budget, it ends with its time.
[[nodiscard]] ReachedSum greatest_sum(const Level& level, std::span<const Condition::Summand> sum,
                                      std::optional<std::int64_t> enough = {},
                                      Budget* budget = nullptr);

/// The least value, and the least cut that has it. With `enough`, a cut with at most that value may
/// come instead.
[[nodiscard]] ReachedSum least_sum(const Level& level, std::span<const Condition::Summand> sum,
                                   std::optional<std::int64_t> enough = {},
                                   Budget* budget = nullptr);

}  // namespace lightcone
