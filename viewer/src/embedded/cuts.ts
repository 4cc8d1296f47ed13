// Light cones, nearest consistent cuts and inevitable cuts, as the library computes them.
import { eventOf, lastRank, rankOf, takesOf, type Computation } from './computation';

/** For each process, the last rank that is among these events or happened before one of them. */
export function leastAbove(c: Computation, ranks: ArrayLike<number>): number[] {
  const cut = new Array<number>(c.processes).fill(0);
  const found: number[] = [];
  for (let p = 0; p < c.processes; ++p) if (ranks[p]! > 0) found.push(eventOf(c, p, ranks[p]!));
  while (found.length > 0) {
    const last = found.pop()!;
    const p = c.processOf[last]!;
    const seen = cut[p]!;
    if (rankOf(c, last) <= seen) continue;
    cut[p] = rankOf(c, last);
    for (let f = last; f >= c.first[p]! + seen; --f) {
      for (const m of takesOf(c, f)) found.push(c.sentBy[m]!);
    }
  }
  return cut;
}

export function greatestBelow(c: Computation, ranks: ArrayLike<number>): number[] {
  const cut = Array.from(ranks);
  const isInside = (e: number) => rankOf(c, e) <= cut[c.processOf[e]!]!;
  for (const e of c.order) {
    if (isInside(e) && takesOf(c, e).some((m) => !isInside(c.sentBy[m]!))) {
      cut[c.processOf[e]!] = rankOf(c, e) - 1;
    }
  }
  return cut;
}

export function pastOf(c: Computation, p: number, rank: number): number[] {
  const ranks = new Array<number>(c.processes).fill(0);
  ranks[p] = rank;
  return leastAbove(c, ranks);
}

/** For each process, its first rank that is this event or that it happened before. An initial
 * state leads to what its process's first event leads to. */
export function futureOf(c: Computation, p: number, rank: number): number[] {
  const future = Array.from({ length: c.processes }, (_, q) => lastRank(c, q) + 1);
  const first = Math.max(1, rank);
  if (first > lastRank(c, p)) return future;
  future[p] = first;
  const isIn = (e: number) => rankOf(c, e) >= future[c.processOf[e]!]!;
  for (const e of c.order) {
    if (!isIn(e) && takesOf(c, e).some((m) => isIn(c.sentBy[m]!))) {
      future[c.processOf[e]!] = rankOf(c, e);
    }
  }
  return future;
}

/** How many events are in each inevitable cut, in ascending order (lattice/visit/inevitable.cc). */
export function inevitableSizes(c: Computation): number[] {
  const pastSize = new Uint32Array(c.events);
  const entry = new Uint32Array(c.events);
  for (let p = 0; p < c.processes; ++p) {
    for (const e of c.order) {
      let last = c.processOf[e] === p ? rankOf(c, e) : 0;
      if (rankOf(c, e) > 1) last = Math.max(last, entry[e - 1]!);
      for (const m of takesOf(c, e)) last = Math.max(last, entry[c.sentBy[m]!]!);
      entry[e] = last;
      pastSize[e]! += last;
    }
  }
  const having = new Uint32Array(c.events + 1);
  for (const size of pastSize) having[size - 1]!++;
  const sizes = [0];
  let withFewer = 0;
  for (let i = 0; i < c.events; ++i) {
    withFewer += having[i]!;
    if (withFewer === i + 1) sizes.push(i + 1);
  }
  return sizes;
}

/** The inevitable cut of this size. */
export function cutOfSize(c: Computation, size: number): number[] {
  const cut = new Array<number>(c.processes).fill(0);
  for (const e of c.order.subarray(0, size)) cut[c.processOf[e]!]!++;
  return cut;
}
