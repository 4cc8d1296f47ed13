// The greatest value that a sum over the processes takes in any global state.
#pragma once

#include <lightcone/lattice/condition.h>
#include <lightcone/lattice/cut.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

/// A value of a sum, and a cut that has it.
struct ReachedSum {
  std::int64_t value = 0;
  Cut cut;
};

/// The value of a sum at a cut.
[[nodiscard]] std::int64_t sum_at(std::span<const Condition::Summand> sum,
                                  std::span<const Rank> cut);

/// The greatest value of the sum at a consistent cut of the level, on which it has been placed, and
/// the least cut that has it. With `enough`, a cut with at least that value may come instead.
[[nodiscard]] ReachedSum greatest_sum(const Level& level, std::span<const Condition::Summand> sum,
                                      std::optional<std::int64_t> enough = {});

/// The least value, and the least cut that has it. With `enough`, a cut with at most that value may
/// come instead.
[[nodiscard]] ReachedSum least_sum(const Level& level, std::span<const Condition::Summand> sum,
                                   std::optional<std::int64_t> enough = {});

}  // namespace lightcone
