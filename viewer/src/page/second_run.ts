// The second of two runs: what is shown of it, aligned with the first.
import { noHighlights, type Highlights } from '../diagram/highlights';
import { makeRows, type RowChoice, type Rows } from '../diagram/rows';
import type { Source } from '../source/source';
import type { AxisInfo, Comparison, Place, Places, TraceInfo } from '../trace/types';

export interface SecondRun {
  source: Source;
  trace: TraceInfo;
  axis: AxisInfo;
  commonAxis: AxisInfo; // of the first run, as long as the longer one
  rows: Rows;
  comparison: Comparison;
  alike: number[]; // of each process of the first run: how many events both have
  otherAlike: number[]; // of each process of the second run
  points: Places; // the first differences in the first run
  highlights: Highlights; // those in the second run
}

/** What is known about an event of either run, from how many of its process are the same. */
export function alikeNote(alike: number[], place: Place | null): string {
  if (!place || place.rank === 0) return '';
  const same = alike[place.process]!;
  if (place.rank <= same) return 'The same in both runs.';
  return place.rank === same + 1
    ? 'Here this process differs first.'
    : 'After the first difference of this process.';
}

/** The rows of the second run: processes of the first in its order, then the others. */
export function secondRows(second: TraceInfo, first: TraceInfo, rows: Rows): Rows {
  const numbers = new Map(first.processes.map((name, p) => [name, p]));
  const place = (name: string) => {
    const p = numbers.get(name);
    return p === undefined ? rows.rows.length : rows.rowOf[p]!;
  };
  const order = second.processes.map((_, p) => p).filter((p) => place(second.processes[p]!) >= 0);
  order.sort((a, b) => place(second.processes[a]!) - place(second.processes[b]!) || a - b);
  const rowOf = new Int32Array(second.processes.length).fill(-1);
  order.forEach((p, row) => (rowOf[p] = row));
  return { rows: order.map((p) => ({ name: second.processes[p]!, processes: [p] })), rowOf };
}

function placesOf(comparison: Comparison, trace: TraceInfo, run: 'a' | 'b') {
  const places = comparison.first
    .filter((difference) => difference[run] !== null)
    .map(({ process, event }) => ({ process: trace.processes.indexOf(process), rank: event }))
    .filter(({ process }) => process >= 0);
  return { process: places.map((one) => one.process), rank: places.map((one) => one.rank) };
}

/** Asks for all of it; null if there is no second run. */
export async function secondRun(
  source: Source,
  trace: TraceInfo,
  axis: AxisInfo,
  choice: RowChoice,
): Promise<SecondRun | null> {
  const comparison = await source.comparison();
  const second = source.second;
  if (!comparison || !second) return null;
  const other = await second.trace();
  const ownAxis = await second.axis(axis.kind);
  const [begin, end] = [Math.min(axis.begin, ownAxis.begin), Math.max(axis.end, ownAxis.end)];
  const alike = new Map(comparison.processes.map((one) => [one.process, one.alike]));
  const rows = makeRows(trace, { ...choice, collapsed: new Set() }, null);
  return {
    source: second,
    trace: other,
    axis: { ...ownAxis, begin, end },
    commonAxis: { ...axis, begin, end },
    rows: secondRows(other, trace, rows),
    comparison,
    alike: trace.processes.map((name) => alike.get(name) ?? 0),
    otherAlike: other.processes.map((name) => alike.get(name) ?? 0),
    points: await source.positions(placesOf(comparison, trace, 'a'), axis.kind),
    highlights: { ...noHighlights(), points: await second.positions(placesOf(comparison, other, 'b'), axis.kind) },
  };
}
