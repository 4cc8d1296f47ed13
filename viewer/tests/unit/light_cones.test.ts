// How many events lie in the cones, and what the diagram says about its level.
import { expect, test } from 'vitest';
import { coneSizes } from '../../src/page/cone_sizes';
import { levelText } from '../../src/page/level_text';
import { plainChoice } from '../../src/diagram/rows';
import type { AxisInfo, EventDetails, Tile, TraceInfo } from '../../src/trace/types';

const trace = { processes: ['p', 'q'], counts: [4, 3], events: 7 } as unknown as TraceInfo;
const axis = { kind: 'depth', without_time: 0 } as AxisInfo;

test('cones and the concurrent events are all but the event itself', () => {
  const event = { process: 0, rank: 2, past: [2, 1], future: [2, 3] } as unknown as EventDetails;
  expect(coneSizes(trace, event)).toEqual({ past: 2, future: 3, concurrent: 1 });
});
test('an initial state has no past', () => {
  const event = { process: 0, rank: 0, past: [0, 0], future: [1, 3] } as unknown as EventDetails;
  expect(coneSizes(trace, event)).toEqual({ past: 0, future: 5, concurrent: 2 });
});
test('what is not drawn is counted', () => {
  const tile = {
    events: 7000, messages: 3000, thin_messages: 20, listed: null, edges: null, bundles: { count: [2, 1] },
  } as unknown as Tile;
  const choice = { ...plainChoice(), hidden: new Set([1]) };
  const text = levelText({ tile, query: {} as never }, choice, trace, axis);
  for (const part of ['7,000 events', '3,000 messages in 2 bundles', '20 messages in thinner', '1 process hidden with 3 events']) {
    expect(text).toContain(part);
  }
});
