// Which process stands in which row: reordered, hidden, or several in one row.
import type { NamedGroup, TraceInfo, Traffic } from '../trace/types';

export interface Row {
  name: string;
  processes: number[];
}

export interface Rows {
  rows: Row[];
  rowOf: Int32Array; // of each process; -1: hidden
}

export type RowOrder = 'file' | 'name' | 'first' | 'traffic' | 'group';

/** What the user chose about processes. */
export interface RowChoice {
  order: RowOrder;
  hidden: Set<number>;
  groups: Map<string, number[]>; // names of groups, and their processes
  collapsed: Set<string>; // names of groups that are one row
  own: string[]; // groups that the user made: what names of their processes contain
}

export function plainChoice(): RowChoice {
  return { order: 'file', hidden: new Set(), groups: new Map(), collapsed: new Set(), own: [] };
}

const byName = new Intl.Collator('en', { numeric: true });

/** A heap of processes whose greatest pull is on top. Entries that are out of date stay in it. */
class PullHeap {
  private readonly entries: { process: number; pull: number }[] = [];

  push(process: number, pull: number): void {
    const { entries } = this;
    let at = entries.push({ process, pull }) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isGreater(at, above)) break;
      [entries[at], entries[above]] = [entries[above]!, entries[at]!];
      at = above;
    }
  }
  pop(): { process: number; pull: number } | undefined {
    const { entries } = this;
    const top = entries[0];
    const last = entries.pop();
    if (!top || !last || entries.length === 0) return top;
    entries[0] = last;
    for (let at = 0; ; ) {
      let greatest = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < entries.length && this.isGreater(below, greatest)) greatest = below;
      }
      if (greatest === at) return top;
      [entries[at], entries[greatest]] = [entries[greatest]!, entries[at]!];
      at = greatest;
    }
  }
  private isGreater(a: number, b: number): boolean {
    const [one, other] = [this.entries[a]!, this.entries[b]!];
    return one.pull > other.pull || (one.pull === other.pull && one.process < other.process);
  }
}

/** Processes that talk much to each other come to stand near each other: the next one is always
 * the one that has most messages with those placed last. A message counts half as much for each
 * process that was placed since: instead of fading all pulls, those that are new grow. */
export function trafficOrder(count: number, traffic: Traffic): number[] {
  const weight = Array.from({ length: count }, () => new Map<number, number>());
  const add = (a: number, b: number, messages: number) => weight[a]!.set(b, (weight[a]!.get(b) ?? 0) + messages);
  traffic.from.forEach((from, i) => {
    const to = traffic.to[i]!;
    if (from === to) return;
    add(from, to, traffic.messages[i]!);
    add(to, from, traffic.messages[i]!);
  });
  const total = weight.map((of) => [...of.values()].reduce((a, b) => a + b, 0));
  // A new part begins with the process at its end: one that talks least, but talks.
  const rank = (p: number) => total[p]! || Infinity;
  const beginnings = total.map((_, p) => p).sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
  const isPlaced = new Uint8Array(count);
  const pull = new Float64Array(count);
  const pulled = new PullHeap();
  const order: number[] = [];
  let next = 0;
  let strength = 1;
  while (order.length < count) {
    let top = pulled.pop();
    while (top && (isPlaced[top.process] || top.pull !== pull[top.process])) top = pulled.pop();
    while (!top && isPlaced[beginnings[next]!]) ++next;
    const best = top ? top.process : beginnings[next]!;
    isPlaced[best] = 1;
    order.push(best);
    strength *= 2;
    if (strength > 2 ** 500) {
      strength = 1; // what is older counts as nothing
      pull.fill(0);
    }
    for (const [other, messages] of weight[best]!) {
      if (isPlaced[other]) continue;
      pull[other]! += messages * strength;
      pulled.push(other, pull[other]!);
    }
  }
  return order;
}

/** Members of a group stand side by side, where the first of them stands. */
function groupOrder(all: number[], groups: Map<string, number[]>): number[] {
  const groupOf = new Map<number, number[]>();
  for (const members of groups.values()) for (const p of members) if (!groupOf.has(p)) groupOf.set(p, members);
  const placed = new Set<number>();
  for (const p of all) {
    if (placed.has(p)) continue;
    placed.add(p);
    for (const other of groupOf.get(p) ?? []) placed.add(other);
  }
  return [...placed];
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
    case 'group':
      return groupOrder(all, choice.groups);
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
    const members = groups.get(group);
    if (members) members.push(p);
    else groups.set(group, [p]);
  });
  for (const [group, members] of groups) if (members.length < 2) groups.delete(group);
  return groups;
}

/** Those of the property file, those that the user made, and those by name. */
export function allGroups(processes: string[], named: NamedGroup[], own: string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  const add = (name: string, members: number[]) => members.length > 0 && !groups.has(name) && groups.set(name, members);
  for (const group of named) add(group.name, group.processes);
  for (const text of own) {
    const members = processes.map((_, p) => p).filter((p) => containsText(processes[p]!, text));
    add(`*${text}*`, members);
  }
  for (const [name, members] of groupsByName(processes)) add(name, members);
  return groups;
}

export function containsText(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

export function makeRows(trace: TraceInfo, choice: RowChoice, traffic: Traffic | null): Rows {
  const groupOf = new Map<number, string>();
  for (const [group, members] of choice.groups) {
    if (!choice.collapsed.has(group)) continue;
    for (const p of members) if (!groupOf.has(p)) groupOf.set(p, group);
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
