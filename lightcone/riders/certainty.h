// Which answers about an incomplete trace are true of the whole execution.
#pragma once

#include <lightcone/riders/inspection.h>
#include <lightcone/trace.h>

#include <vector>

namespace lightcone {

/// What is certain in spite of what is lost. Docs: properties.md, "Traces that are not whole".
class Certainty {
 public:
  explicit Certainty(const Reading& reading);

  /// Returns whether nothing is lost in the past of a state: the state and its past are as they
  /// were.
  [[nodiscard]] bool is_exact(Row row) const { return is_within(exact_, row); }
  /// Returns whether paths to a state are paths of the execution, though some paths may be missing.
  [[nodiscard]] bool has_true_paths(Row row) const { return is_within(paths_, row); }
  /// Returns whether an answer to this question at a state is true of the execution.
  [[nodiscard]] bool holds(const Properties& properties, const Property& property, Row row,
                           bool found) const;

  /// Ranks up to which states are exact; none are where initial states may be lost.
  [[nodiscard]] const std::vector<Rank>& exact_ranks() const { return exact_; }
  [[nodiscard]] bool knows_initial_states() const { return knows_initial_; }

 private:
  [[nodiscard]] bool is_within(const std::vector<Rank>& ranks, Row row) const;

  const Computation& computation_;
  bool knows_initial_;
  std::vector<Rank> exact_, paths_;
};

/// Keeps, of the answers about an incomplete trace, those that are true of the execution.
void forget_uncertain(const Reading& reading, Inspection& inspection);

/// Returns whether an answer is certain that is told while a trace is read whose sends may be
/// missing: a path that was found, or a path that does not match.
[[nodiscard]] bool rests_on_one_path(const Property& property, bool found);
/// The same where receives that lost their sends have become internal events. Their kinds and their
/// messages are not those of the execution.
[[nodiscard]] bool rests_on_one_true_path(const Properties& properties, const Property& property,
                                          bool found);

/// Returns whether a global state that satisfies an expression still does when there are more
/// processes.
[[nodiscard]] bool bears_more_processes(const Expression& expression);

}  // namespace lightcone
