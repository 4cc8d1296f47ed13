// What global predicates mean (docs/semantics.md): every global state, every observation.
#pragma once

#include <lightcone/computation.h>
#include <lightcone/property/language/syntax.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "model/definitions/definitions.h"
#include "model/definitions/predicate_definitions.h"

namespace lightcone::definition {

/// How far each process has come: the rank of its last event; 0: it is in its initial state.
using GlobalState = std::vector<Rank>;

/// A global expression on a computation: what it reads of each process, and its value.
class GlobalExpression {
 public:
  /// All arguments must outlive this.
  GlobalExpression(const Computation& computation, const Properties& properties,
                   const Expression& expression);

  /// Whether the event changes a value that the expression reads.
  [[nodiscard]] bool is_relevant(EventIndex e) const { return relevant_[e]; }
  /// The value where each process has come this far. Local states are what lies between relevant
  /// events, so that a value is the one that the last relevant event gave it.
  [[nodiscard]] Scalar value_at(const GlobalState& state) const;
  [[nodiscard]] bool holds_at(const GlobalState& state) const { return is_true(value_at(state)); }

  /// Whether this is a consistent cut of all events, and the expression is true there.
  [[nodiscard]] bool is_satisfying_cut(const HappenedBefore& before,
                                       const GlobalState& state) const;
  /// Whether this is an order of all relevant events in which none comes before one of its causes,
  /// and the expression is true in no state on the way, from the initial to the final one.
  [[nodiscard]] bool is_avoiding_observation(const HappenedBefore& before,
                                             std::span<const EventIndex> sequence) const;

 private:
  /// What a leaf of the expression reads of one process, by rank.
  struct Reading {
    ProcessIndex process;
    std::vector<Scalar> values;
  };

  void read(const Expression& expression);
  void read(const Expression& leaf, ProcessIndex process, const Expression& local, bool truth);
  void find_relevant_events();
  [[nodiscard]] Scalar value_of_leaf(const Expression& leaf, const GlobalState& state) const;

  const Computation& computation_;
  const Properties& properties_;
  const Expression& expression_;
  std::map<const Expression*, std::vector<Reading>> readings_;
  std::vector<bool> relevant_;  // by event
};

/// The consistent cuts of some events: each stands for the global states in which these, and no
/// others of them, have happened. Small computations only.
class ConsistentCuts {
 public:
  using Holds = std::function<bool(const GlobalState&)>;

  ConsistentCuts(const Computation& computation, const HappenedBefore& before,
                 const std::function<bool(EventIndex)>& is_relevant);

  /// Each as the rank of the last such event of each process, or 0; smaller ones first.
  [[nodiscard]] const std::vector<GlobalState>& all() const { return cuts_; }
  /// How many of the events have happened.
  [[nodiscard]] std::size_t size_of(const GlobalState& cut) const;
  /// Whether every observation passes through it: no other cut has its size.
  [[nodiscard]] bool is_inevitable(const GlobalState& cut) const;

  /// Some consistent cut satisfies it.
  [[nodiscard]] bool possibly(const Holds& holds) const;
  /// No way from the initial to the final cut, event by event, avoids those that satisfy it.
  [[nodiscard]] bool definitely(const Holds& holds) const;
  /// An inevitable cut satisfies it.
  [[nodiscard]] bool properly(const Holds& holds) const;
  [[nodiscard]] bool answer(Global::Modality modality, const Holds& holds) const;

 private:
  [[nodiscard]] GlobalState without_last(GlobalState cut, ProcessIndex process) const;

  std::vector<std::vector<Rank>> ranks_;  // of the relevant events of each process; 0 is the first
  std::vector<GlobalState> cuts_;
  std::map<std::size_t, std::size_t> cuts_of_size_;
};

/// Whether the property is found.
[[nodiscard]] bool is_found(const Global& global, const Properties& properties,
                            const Computation& computation);

}  // namespace lightcone::definition
