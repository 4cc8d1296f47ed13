// Where events stand, as lightcone/view/space_time_axis.cc places them.
import type { AxisInfo, AxisKind } from '../trace/types';
import { rankOf, takesOf, type Computation } from './computation';

export interface Axis extends AxisInfo {
  positions: Float64Array;
  sorted: Uint32Array; // of each process, from left to right
}

export function hasTimes(c: Computation): boolean {
  for (let e = 0; e < c.events; ++e) if (Number.isFinite(c.time[e])) return true;
  return false;
}

export function makeAxis(c: Computation, kind: AxisKind): Axis {
  const axis: Axis = {
    kind, version: 1, begin: 0, end: 1, origin: 0, without_time: 0,
    positions: new Float64Array(c.events),
    sorted: new Uint32Array(c.events),
  };
  if (kind === 'depth') placeByDepth(c, axis);
  else if (kind === 'order') placeByOrder(c, axis);
  else placeByTime(c, axis);
  for (let e = 0; e < c.events; ++e) axis.sorted[e] = e;
  for (let p = 0; p < c.processes; ++p) {
    const own = axis.sorted.subarray(c.first[p], c.first[p + 1]);
    own.sort((a, b) => axis.positions[a]! - axis.positions[b]! || a - b);
  }
  return axis;
}

function placeByDepth(c: Computation, axis: Axis): void {
  let deepest = 0;
  for (const e of c.order) {
    let depth = rankOf(c, e) > 1 ? axis.positions[e - 1]! : 0;
    for (const m of takesOf(c, e)) depth = Math.max(depth, axis.positions[c.sentBy[m]!]!);
    axis.positions[e] = depth + 1;
    deepest = Math.max(deepest, depth + 1);
  }
  axis.end = deepest + 1;
}

function placeByOrder(c: Computation, axis: Axis): void {
  let place = 0;
  for (const e of c.order) axis.positions[e] = ++place;
  axis.end = place + 1;
}

function placeByTime(c: Computation, axis: Axis): void {
  let earliest = Infinity;
  let latest = -Infinity;
  for (let e = 0; e < c.events; ++e) {
    if (!Number.isFinite(c.time[e])) continue;
    earliest = Math.min(earliest, c.time[e]!);
    latest = Math.max(latest, c.time[e]!);
  }
  if (earliest === Infinity) earliest = latest = 0;
  for (let p = 0; p < c.processes; ++p) {
    let known = earliest;
    for (let e = c.first[p]!; e < c.first[p + 1]!; ++e) {
      if (!Number.isFinite(c.time[e])) continue;
      known = c.time[e]!;
      break;
    }
    for (let e = c.first[p]!; e < c.first[p + 1]!; ++e) {
      if (Number.isFinite(c.time[e])) known = c.time[e]!;
      else axis.without_time++;
      axis.positions[e] = known - earliest;
    }
  }
  const span = latest - earliest;
  const beside = span > 0 && Number.isFinite(span) ? span / 64 : 1;
  axis.begin = -beside;
  axis.end = span + beside;
  axis.origin = earliest;
}

/** The first index of a process's sorted events that stands at a position or right of it. */
function lowerBound(axis: Axis, begin: number, end: number, position: number): number {
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if (axis.positions[axis.sorted[middle]!]! < position) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

/** The events of a process in [from, to), from left to right. */
export function eventsBetween(c: Computation, axis: Axis, p: number, from: number, to: number): Uint32Array {
  const left = lowerBound(axis, c.first[p]!, c.first[p + 1]!, from);
  return axis.sorted.subarray(left, lowerBound(axis, left, c.first[p + 1]!, to));
}

/** How many events of a process lie before its first one right of a position. */
export function rankAt(c: Computation, axis: Axis, p: number, position: number): number {
  let e = c.first[p]!;
  while (e < c.first[p + 1]! && axis.positions[e]! <= position) ++e;
  return e - c.first[p]!;
}

/** Where a place stands; a rank beyond the last one at the end. */
export function positionOf(c: Computation, axis: Axis, p: number, rank: number): number {
  if (rank === 0) return axis.begin;
  const e = c.first[p]! + rank - 1;
  return e < c.first[p + 1]! ? axis.positions[e]! : axis.end;
}
