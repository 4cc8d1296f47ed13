// Which receives could have taken another message than the one that they took.
#pragma once

#include <lightcone/causal/races/admission.h>
#include <lightcone/causality.h>

#include <span>
#include <vector>

namespace lightcone {

/// A receive, and how many events its process had made when the receive began.
struct BegunReceive {
  EventIndex event = 0;
  Rank begun = 0;
};

/// Finds receives that could have taken another message. Such a message is one that the receive
/// admits, that its process received after the receive began, or never, and whose send the receive
/// does not precede. If each receive begins right before its event, these receives are the first
/// ones of the pairs of `for_each_racing_pair` and `for_each_unreceived_pair`.
///
/// A replay that fixes what these receives take is the same execution. Proof: consider the first
/// receive that takes another message m in the replay. Up to there the replay is as recorded. So m
/// was sent without knowing of this receive, and nobody has taken m before. Then the receive could
/// have taken m when it was recorded, and is fixed.
class RacingReceives {
 public:
  /// The computation must outlive it.
  explicit RacingReceives(const Computation& computation);

  /// Returns for each of these receives of process p, in the order of their events, whether it
  /// could have taken another message. `known` must have the column of p. Where that cannot be
  /// said, it is assumed: if labels do not say what a receive admits, if they do not fit the
  /// message that it took, or if very many events lie between its beginning and its event.
  [[nodiscard]] std::vector<bool> of(ProcessIndex p, std::span<const BegunReceive> receives,
                                     const Timestamps& known) const;

 private:
  [[nodiscard]] bool is_sure(EventIndex receive) const;
  [[nodiscard]] bool overlaps(const BegunReceive& receive) const;

  const Computation& computation_;
  Admission admission_;
  std::vector<Unreceived> missing_;  // by addressee
};

}  // namespace lightcone
