// Order, hiding and grouping of processes.
import { expect, test } from 'vitest';
import { groupsByName, makeRows, plainChoice, trafficOrder } from '../../src/diagram/rows';
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
