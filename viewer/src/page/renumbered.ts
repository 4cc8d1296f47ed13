// A trace that grows may list its processes in another order: what was chosen follows their names.
import type { TraceInfo } from '../trace/types';

/** The number of each process of a trace in another one; -1: it has no such process. */
export function numbersIn(trace: TraceInfo, other: TraceInfo): number[] {
  const numbers = new Map(other.processes.map((name, p) => [name, p]));
  return trace.processes.map((name) => numbers.get(name) ?? -1);
}

/** The place of the same process and rank, if there is one. */
export function sameIn(
  place: { process: number; rank: number },
  trace: TraceInfo,
  other: TraceInfo,
): { process: number; rank: number } | null {
  const process = other.processes.indexOf(trace.processes[place.process]!);
  return process >= 0 && place.rank <= other.counts[process]! ? { process, rank: place.rank } : null;
}

/** A cut of the trace as one of the trace that it has become. */
export function renumberedCut(ranks: number[], trace: TraceInfo, now: TraceInfo): number[] {
  const cut = now.processes.map(() => 0);
  numbersIn(trace, now).forEach((p, i) => {
    if (p >= 0) cut[p] = Math.min(ranks[i]!, now.counts[p]!);
  });
  return cut;
}
