// A global expression on one computation: the local values that it reads, state by state.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>
#include <lightcone/property/states/global_reads.h>
#include <lightcone/property/states/value_slice.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lightcone {

/// What is read of one process, in each of its local states: between relevant events, from the
/// initial state on.
struct ReadColumn {
  ProcessIndex process = 0;
  std::vector<Datum> values = {};
  std::string name = {};  ///< what is read, as a person would write it
  bool is_truth = false;  ///< only whether it holds is read
};

/// Reads a computation for a global expression.
class GlobalPredicate {
 public:
  /// Properties and computation must outlive this, and so must the expression, which is one of the
  /// properties'. Its names have been checked. Ends early when `may_go_on` says no. With a slice,
  /// it reads that.
  GlobalPredicate(const Computation& computation, const Properties& properties,
                  const Expression& expression, const std::function<bool()>& may_go_on = {},
                  ValueSlice slice = {});
  /// Of a computation all of whose events are relevant, with what was read of it.
  GlobalPredicate(const Computation& computation, Term term, std::vector<ReadColumn> columns)
      : term_(std::move(term)),
        columns_(std::move(columns)),
        relevant_(Selection::all(computation)) {}

  /// False if it ended early: then nothing is read, and nothing can be said.
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  /// The regular expressions that took too long on some text: then nothing can be said.
  [[nodiscard]] const std::set<std::string>& given_up() const { return given_up_; }
  [[nodiscard]] const Term& term() const { return term_; }
  [[nodiscard]] const std::vector<ReadColumn>& columns() const { return columns_; }
  /// The events that change a value which the expression reads.
  [[nodiscard]] const Selection& relevant() const { return relevant_; }

 private:
  Term term_;
  std::vector<ReadColumn> columns_;
  Selection relevant_;
  bool is_whole_ = true;
  std::set<std::string> given_up_;
};

/// Returns whether an expression of the properties may read what events have in every slice: their
/// kind, messages or time.
[[nodiscard]] bool asks_all_events(const Properties& properties, const Expression& expression);

}  // namespace lightcone
