// Global predicates in the form that algorithms look at: tables over local states, sums, and the
// `all` and `any` of such.
#pragma once

#include <lightcone/causality.h>
#include <lightcone/lattice/order/cut.h>
#include <lightcone/property/states/global_predicate.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lightcone {

class Level;

/// Something about each local state of one process, from the initial one on.
template <class T>
struct StateTable {
  ProcessIndex process = 0;
  std::vector<T> values;
  std::uint32_t chain = none;  ///< of the level that the condition stands on; none: one state only

  [[nodiscard]] const T& at(std::span<const Rank> cut) const {
    return values[chain == none ? 0 : cut[chain]];
  }
};

/// A condition on global states. Negations are in the tables and relations.
struct Condition {
  enum class Form : std::uint8_t {
    constant,  ///< `truth`
    local,     ///< of one process
    sum,       ///< a sum of integers, one per process, against a bound
    term,      ///< any other term over several processes
    all,       ///< of the parts
    any,
  };
  enum class Relation : std::uint8_t { at_least, at_most, equal };
  using Local = StateTable<std::uint8_t>;
  using Summand = StateTable<std::int64_t>;
  /// A term as it was written, with the columns that it reads.
  struct Other {
    Term term;
    std::vector<StateTable<Datum>> columns;
  };

  Form form = Form::constant;
  bool truth = false;  ///< of a constant; of a term, the truth that is asked for
  Local local = {};
  Relation relation = Relation::at_least;
  std::int64_t bound = 0;  ///< no sum of these numbers, nor this, is beyond ±2^62
  std::vector<Summand> sum = {};
  std::shared_ptr<const Other> other = {};
  std::vector<Condition> parts = {};

  [[nodiscard]] bool holds(std::span<const Rank> cut) const;
};

/// A condition and the level that it asks for.
struct Question {
  Condition condition;
  Selection relevant;
};

/// The predicate as a condition on the level at which it was read.
[[nodiscard]] Condition condition_of(const GlobalPredicate& predicate);
/// The same, or nothing if `may_go_on` says no before it is done.
[[nodiscard]] std::optional<Condition> condition_of(const GlobalPredicate& predicate,
                                                    const std::function<bool()>& may_go_on);

[[nodiscard]] Condition constant_condition(bool truth);
[[nodiscard]] Condition local_condition(Condition::Local table);
/// A sum against a bound; where it can be said of each process alone, it is.
[[nodiscard]] Condition sum_condition(std::vector<Condition::Summand> sum,
                                      Condition::Relation relation, std::int64_t bound);
/// `all` or `any` of these, with what is constant left out, nested ones laid flat, and the tables
/// of each process in one.
[[nodiscard]] Condition joined(Condition::Form form, std::vector<Condition> parts);
[[nodiscard]] Condition negated(const Condition& condition);

/// Returns whether only `form`, local tables and constants occur: a conjunction or disjunction of
/// local predicates.
[[nodiscard]] bool is_local_under(const Condition& condition, Condition::Form form);

/// The coarsest level at which the condition can still be told: only events that change something
/// in its tables are relevant. Observations of a level are those of a finer one, with some events
/// left out, so that `possibly` and `definitely` have the same answer at both.
[[nodiscard]] Question coarsened(const Condition& condition, const Selection& relevant,
                                 const Computation& computation);

/// Makes the tables speak of the chains of a level, instead of processes.
void place_on(const Level& level, Condition& condition);

/// The condition, placed on a level, as it is on the part of it between two cuts.
[[nodiscard]] Condition between(const Cut& lower, const Cut& upper, const Condition& condition);

}  // namespace lightcone
