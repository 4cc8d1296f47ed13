// Conditions on a cut as clauses.
#pragma once

#include <lightcone/lattice/predicate/condition.h>
#include <lightcone/lattice/sat/cut_encoding.h>

#include <cstdint>
#include <vector>

namespace lightcone {

/// Says of one cut what must hold there. For "does not hold", give the negated condition.
class ConditionEncoding {
 public:
  explicit ConditionEncoding(const CutEncoding& cut) : cut_(&cut) {}

  /// Requires that the condition holds where `when` is true. It has been placed on the cut's level
  /// and must outlive this.
  void require(const Condition& condition, Literal when);

  /// Terms over many values are not written out. What the model that the solver has found breaks
  /// of them, as clauses: add them, and solve again.
  [[nodiscard]] std::vector<std::vector<Literal>> objections() const;

 private:
  /// The local states of one chain by what a term reads of them.
  struct ReadChain {
    std::uint32_t chain = none;
    std::vector<std::uint32_t> class_of;  // by rank
    std::vector<Rank> state_of;           // a local state of each class
    std::vector<Literal> literals;        // of each class
  };
  struct ReadTerm {
    const Condition* condition = nullptr;
    Literal when = 0;
    std::vector<ReadChain> chains;
  };

  void require_local(const Condition::Local& local, Literal when);
  void require_any(const Condition& condition, Literal when);
  void require_term(const Condition& condition, Literal when);
  [[nodiscard]] ReadChain read(const Condition::Other& other, std::uint32_t chain) const;
  [[nodiscard]] static std::vector<Literal> clause_against(
      const ReadTerm& term, const std::vector<std::uint32_t>& classes);
  void write_out(const ReadTerm& term, Cut& states, std::vector<std::uint32_t>& classes);

  const CutEncoding* cut_;
  std::vector<ReadTerm> terms_;  // that are not written out
};

}  // namespace lightcone
