// A global expression on one computation: the local values that it reads, state by state.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/datum.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lightcone {

/// A global expression with its names looked up.
struct Term {
  Expression::Kind kind = Expression::Kind::boolean;
  Expression::Aggregate aggregate = Expression::Aggregate::count;
  Datum constant = {};
  /// What is read, as indices of columns: one for `p1.x`, one per process for an aggregate. What is
  /// read twice has one column.
  std::vector<std::uint32_t> columns = {};
  std::vector<Term> parts = {};
};

/// What is read of one process, in each of its local states: between relevant events, from the
/// initial state on.
struct ReadColumn {
  ProcessIndex process = 0;
  std::vector<Datum> values = {};
  std::string name = {};  ///< what is read, as a person would write it
  bool is_truth = false;  ///< only whether it holds is read
};

/// The value of a term, given that of each column. Sums, minima and maxima pass over what is no
/// number; the sum of nothing is 0, the minimum of nothing is null.
[[nodiscard]] Datum value_of(const Term& term, std::span<const Datum> columns);

/// Reads a computation for a global expression.
class GlobalPredicate {
 public:
  /// Properties and computation must outlive this, and so must the expression, which is one of the
  /// properties'. Its names have been checked. Ends early when `may_go_on` says no.
  GlobalPredicate(const Computation& computation, const Properties& properties,
                  const Expression& expression, const std::function<bool()>& may_go_on = {});

  /// False if it ended early: then nothing is read, and nothing can be said.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  [[nodiscard]] const Term& term() const { return term_; }
  [[nodiscard]] const std::vector<ReadColumn>& columns() const { return columns_; }
  /// The events that change a value which the expression reads.
  [[nodiscard]] const Selection& relevant() const { return relevant_; }

 private:
  Term term_;
  std::vector<ReadColumn> columns_;
  Selection relevant_;
  bool is_whole_ = true;
};

}  // namespace lightcone
