// Lists of places.
import type { Places } from './types';

/** Places from left to right. */
export function fromLeft(places: Places): Places {
  const order = places.x.map((_, i) => i).sort((a, b) => places.x[a]! - places.x[b]! || a - b);
  const sorted = (list: number[]) => order.map((i) => list[i]!);
  return { process: sorted(places.process), rank: sorted(places.rank), x: sorted(places.x) };
}
