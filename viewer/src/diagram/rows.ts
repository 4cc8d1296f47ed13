// Which process stands in which row: reordered, hidden, or several in one row.
import type { TraceInfo, Traffic } from '../trace/types';

export interface Row {
  name: string;
  processes: number[];
}

export interface Rows {
  rows: Row[];
  rowOf: Int32Array; // of each process; -1: hidden
}

export type RowOrder = 'file' | 'name' | 'first' | 'traffic';

/** What the user chose about processes. */
export interface RowChoice {
  order: RowOrder;
  hidden: Set<number>;
  groups: Map<string, number[]>; // names of groups, and their processes
  collapsed: Set<string>; // names of groups that are one row
}

export function plainChoice(): RowChoice {
  return { order: 'file', hidden: new Set(), groups: new Map(), collapsed: new Set() };
}

const byName = new Intl.Collator('en', { numeric: true });

/** Processes that talk much to each other come to stand near each other: the next one is always
 * the one that has most messages with those placed last. */
export function trafficOrder(count: number, traffic: Traffic): number[] {
  const weight = new Map<number, Map<number, number>>();
  const add = (a: number, b: number, messages: number) => {
    if (!weight.has(a)) weight.set(a, new Map());
    const of = weight.get(a)!;
    of.set(b, (of.get(b) ?? 0) + messages);
  };
  traffic.from.forEach((from, i) => {
    const to = traffic.to[i]!;
    if (from === to) return;
    add(from, to, traffic.messages[i]!);
    add(to, from, traffic.messages[i]!);
  });
  const left = new Set(Array.from({ length: count }, (_, p) => p));
  const total = (p: number) => [...(weight.get(p)?.values() ?? [])].reduce((a, b) => a + b, 0);
  const order: number[] = [];
  const pull = new Float64Array(count); // fades with distance
  while (left.size > 0) {
    let best = -1;
    for (const p of left) {
      if (best < 0 || pull[p]! > pull[best]!) best = p;
    }
    if (pull[best] === 0) {
      // A new part begins with the process at its end: one that talks least, but talks.
      for (const p of left) {
        const isNearer = total(p) > 0 && (total(best) === 0 || total(p) < total(best));
        if (isNearer) best = p;
      }
    }
    left.delete(best);
    order.push(best);
    for (let p = 0; p < count; ++p) pull[p]! *= 0.5;
    for (const [other, messages] of weight.get(best) ?? []) pull[other]! += messages;
  }
  return order;
}

function orderOf(trace: TraceInfo, choice: RowChoice, traffic: Traffic | null): number[] {
  const all = trace.processes.map((_, p) => p);
  switch (choice.order) {
    case 'name':
      return all.sort((a, b) => byName.compare(trace.processes[a]!, trace.processes[b]!));
    case 'first':
      return all.sort((a, b) => trace.first[a]! - trace.first[b]! || a - b);
    case 'traffic':
      return traffic ? trafficOrder(all.length, traffic) : all;
    default:
      return all;
  }
}

/** Groups by the beginning of names: `worker-1` and `worker-2` belong to `worker-*`. */
export function groupsByName(processes: string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  processes.forEach((name, p) => {
    const stem = name.replace(/[0-9]+$/, '');
    const group = stem === name || stem === '' ? name : `${stem}*`;
    groups.set(group, [...(groups.get(group) ?? []), p]);
  });
  for (const [group, members] of groups) if (members.length < 2) groups.delete(group);
  return groups;
}

export function makeRows(trace: TraceInfo, choice: RowChoice, traffic: Traffic | null): Rows {
  const groupOf = new Map<number, string>();
  for (const [group, members] of choice.groups) {
    if (choice.collapsed.has(group)) for (const p of members) groupOf.set(p, group);
  }
  const rows: Row[] = [];
  const rowOf = new Int32Array(trace.processes.length).fill(-1);
  const rowOfGroup = new Map<string, number>();
  for (const p of orderOf(trace, choice, traffic)) {
    if (choice.hidden.has(p)) continue;
    const group = groupOf.get(p);
    let row = group === undefined ? undefined : rowOfGroup.get(group);
    if (row === undefined) {
      row = rows.length;
      rows.push({ name: group ?? trace.processes[p]!, processes: [] });
      if (group !== undefined) rowOfGroup.set(group, row);
    }
    rows[row]!.processes.push(p);
    rowOf[p] = row;
  }
  return { rows, rowOf };
}
