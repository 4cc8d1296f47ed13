// Terms as sums with one integer per process, if they are exactly such sums.
#pragma once

#include <lightcone/lattice/predicate/condition.h>

#include <optional>
#include <vector>

namespace lightcone {

/// `left RELATION right` for numbers, as a sum of integers against a bound.
struct LinearForm {
  std::vector<Condition::Summand> sum;  ///< one per process
  std::int64_t bound = 0;
  /// Where a value is null the comparison is false: these must hold as well.
  std::vector<Condition> known;
};

/// `left - right` as `sum - bound`, times some positive number. Nothing where it is no such sum, or
/// where evaluating it would round: then what is computed is not what the sum says.
[[nodiscard]] std::optional<LinearForm> linear_form(const Term& left, const Term& right,
                                                    const std::vector<ReadColumn>& columns);

/// The value of a term that reads one process only, in each state of it; the columns of others are
/// taken in their initial state, which must be the only one.
[[nodiscard]] std::vector<Datum> values_by_state(const Term& term,
                                                 const std::vector<ReadColumn>& columns,
                                                 ProcessIndex process);

/// The processes that a term reads and that have more than one local state.
[[nodiscard]] std::vector<ProcessIndex> processes_of(const Term& term,
                                                     const std::vector<ReadColumn>& columns);

}  // namespace lightcone
