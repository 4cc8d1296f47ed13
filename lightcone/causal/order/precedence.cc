// Precedence of local states, by the events that begin and end them.
#include <lightcone/causality.h>

namespace lightcone {

// The event that ends state x of process i is its relevant event x+1; the one that begins state y
// of process j is its relevant event y. Initial states begin at a fictitious event 0, which comes
// before all of its process and after nothing.

bool Precedence::strongly_precedes(const Selection& relevant, LocalState s, LocalState t) const {
  if (s.process == t.process) return s.index < t.index;
  if (s.index == relevant.count(s.process) || t.index == 0) return false;
  return happened_before(relevant.event(s.process, s.index + 1),
                         relevant.event(t.process, t.index));
}

bool Precedence::weakly_precedes(const Selection& relevant, LocalState s, LocalState t) const {
  if (s.process == t.process) return s.index < t.index;
  if (t.index == 0) return false;
  const EventIndex begins_t = relevant.event(t.process, t.index);
  if (s.index == 0) return timestamps_.at(begins_t, s.process) > 0;
  return happened_before(relevant.event(s.process, s.index), begins_t);
}

}  // namespace lightcone
