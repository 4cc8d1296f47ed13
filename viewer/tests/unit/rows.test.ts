// Order, hiding and grouping of processes.
import { expect, test } from 'vitest';
import { allGroups, groupsByName, makeRows, plainChoice, trafficOrder } from '../../src/diagram/rows';
import type { TraceInfo } from '../../src/trace/types';

const trace = {
  processes: ['worker-10', 'master', 'worker-2', 'backup'],
  counts: [3, 4, 5, 6],
  first: [9, 0, 4, 2],
} as unknown as TraceInfo;

test('rows are in the order of the trace', () => {
  const { rows, rowOf } = makeRows(trace, plainChoice(), null);
  expect(rows.map((row) => row.name)).toEqual(trace.processes);
  expect([...rowOf]).toEqual([0, 1, 2, 3]);
});

test('rows are ordered by name, numbers as numbers', () => {
  const { rows } = makeRows(trace, { ...plainChoice(), order: 'name' }, null);
  expect(rows.map((row) => row.name)).toEqual(['backup', 'master', 'worker-2', 'worker-10']);
});

test('rows are ordered by the first event', () => {
  const { rows } = makeRows(trace, { ...plainChoice(), order: 'first' }, null);
  expect(rows.map((row) => row.name)).toEqual(['master', 'backup', 'worker-2', 'worker-10']);
});

test('hidden processes have no row', () => {
  const { rows, rowOf } = makeRows(trace, { ...plainChoice(), hidden: new Set([1]) }, null);
  expect(rows.length).toBe(3);
  expect([...rowOf]).toEqual([0, -1, 1, 2]);
});

test('a collapsed group is one row', () => {
  const groups = groupsByName(trace.processes);
  expect([...groups]).toEqual([['worker-*', [0, 2]]]);
  const { rows, rowOf } = makeRows(trace, { ...plainChoice(), groups, collapsed: new Set(['worker-*']) }, null);
  expect(rows.map((row) => row.name)).toEqual(['worker-*', 'master', 'backup']);
  expect([...rowOf]).toEqual([0, 1, 0, 2]);
});

test('processes of a chain come in its order, whatever their numbers', () => {
  const chain = [3, 0, 4, 1, 2];
  const traffic = { from: chain.slice(0, -1), to: chain.slice(1), messages: [5, 5, 5, 5] };
  const order = trafficOrder(5, traffic);
  expect([chain, [...chain].reverse()]).toContainEqual(order);
});

test('the order by traffic has each process once, also those that are silent', () => {
  const order = trafficOrder(6, { from: [0, 0, 2], to: [2, 0, 4], messages: [1, 9, 3] });
  expect([...order].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('groups of a property file come first, then those of the user, then those by name', () => {
  const groups = allGroups(trace.processes, [{ name: 'all', processes: [0, 1, 2, 3] }, { name: 'nobody', processes: [] }], ['ER-']);
  expect([...groups]).toEqual([['all', [0, 1, 2, 3]], ['*ER-*', [0, 2]], ['worker-*', [0, 2]]]);
});

test('a process is in the row of the first of its groups that is collapsed', () => {
  const groups = allGroups(trace.processes, [{ name: 'odd', processes: [1, 2] }], []);
  const { rows } = makeRows(trace, { ...plainChoice(), groups, collapsed: new Set(['odd', 'worker-*']) }, null);
  expect(rows.map((row) => [row.name, row.processes])).toEqual([['worker-*', [0]], ['odd', [1, 2]], ['backup', [3]]]);
});

test('members of a group stand side by side', () => {
  const groups = groupsByName(trace.processes);
  const { rows } = makeRows(trace, { ...plainChoice(), groups, order: 'group' }, null);
  expect(rows.map((row) => row.name)).toEqual(['worker-10', 'worker-2', 'master', 'backup']);
});

/** The next one is always the one with most messages to those placed last: by going through all. */
function definedOrder(count: number, weight: number[][]): number[] {
  const order: number[] = [];
  const total = weight.map((of) => of.reduce((a, b) => a + b, 0));
  while (order.length < count) {
    const left = total.map((_, p) => p).filter((p) => !order.includes(p));
    const pull = (p: number) => order.reduce((sum, q, i) => sum + weight[p]![q]! / 2 ** (order.length - 1 - i), 0);
    const most = Math.max(...left.map(pull));
    const talking = left.filter((p) => total[p]! > 0);
    const least = Math.min(...(talking.length ? talking : left).map((p) => total[p]!));
    order.push(left.find((p) => (most > 0 ? pull(p) === most : total[p] === least))!);
  }
  return order;
}

test('the order by traffic is that of its definition, on random traffic', () => {
  let state = 7;
  const random = (below: number) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % 65536 % below;
  for (let i = 0; i < 200; ++i) {
    const count = 1 + random(9);
    const weight = Array.from({ length: count }, () => new Array<number>(count).fill(0));
    const traffic = { from: [] as number[], to: [] as number[], messages: [] as number[] };
    for (let k = random(16); k > 0; --k) {
      const [from, to, messages] = [random(count), random(count), 1 + random(9)];
      traffic.from.push(from);
      traffic.to.push(to);
      traffic.messages.push(messages);
      if (from === to) continue;
      weight[from]![to]! += messages;
      weight[to]![from]! += messages;
    }
    expect(trafficOrder(count, traffic)).toEqual(definedOrder(count, weight));
  }
});
