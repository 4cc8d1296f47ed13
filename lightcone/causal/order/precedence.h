// Happened-before between events, strong and weak precedence between local states.
#pragma once

#include <lightcone/causal/order/timestamps.h>
#include <lightcone/causal/selection.h>

namespace lightcone {

/// A local state of a process at the user's level: `index` counts its relevant events so far.
struct LocalState {
  ProcessIndex process = 0;
  Rank index = 0;
  friend bool operator==(const LocalState&, const LocalState&) = default;
};

/// Answers about one computation from its timestamps, which must cover all processes asked about.
class Precedence {
 public:
  Precedence(const Computation& computation, const Timestamps& timestamps)
      : computation_(computation), timestamps_(timestamps) {}

  /// e → f: e happened before f.
  [[nodiscard]] bool happened_before(EventIndex e, EventIndex f) const {
    return e != f && timestamps_.at(f, computation_.process_of(e)) >= computation_.rank_of(e);
  }
  [[nodiscard]] bool concurrent(EventIndex e, EventIndex f) const {
    return e != f && !happened_before(e, f) && !happened_before(f, e);
  }

  /// s →s t: s was over when t began (RR-2194, 2.3.1), between the relevant events chosen.
  [[nodiscard]] bool strongly_precedes(const Selection& relevant, LocalState s, LocalState t) const;
  /// s →w t: s began before t began (RR-2194, 2.3.2).
  [[nodiscard]] bool weakly_precedes(const Selection& relevant, LocalState s, LocalState t) const;

 private:
  const Computation& computation_;
  const Timestamps& timestamps_;
};

}  // namespace lightcone
