// How many events lie in the light cones of an event.
import type { EventDetails, TraceInfo } from '../trace/types';

/** The event itself belongs to none of them. */
export function coneSizes(
  trace: TraceInfo,
  event: EventDetails,
): { past: number; future: number; concurrent: number } {
  const own = event.rank > 0 ? 1 : 0;
  const past = event.past.reduce((sum, rank) => sum + rank, 0) - own;
  const future = event.future.reduce((sum, rank, p) => sum + trace.counts[p]! - rank + 1, 0) - own;
  return { past, future, concurrent: trace.events - past - future - own };
}
