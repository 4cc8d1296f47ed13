// Which tiles are asked for: fine ones where the view stands still, fewer while it moves.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TileStore } from '../../src/diagram/tile_store';
import type { Source } from '../../src/source/source';
import type { AxisInfo, Tile, TileQuery } from '../../src/trace/types';

const axis = { kind: 'depth', begin: 0, end: 1_000_000, version: 1 } as AxisInfo;
const pixels = 1000;
let asked: TileQuery[] = [];
let store: TileStore;

/** A source that counts events and lists none. */
const source = {
  tile: async (query: TileQuery) => {
    asked.push(query);
    return { version: 1, columns: query.columns, listed: null, edges: null } as Tile;
  },
} as unknown as Source;

/** Shows so much around a place, and waits for the answer. */
async function show(span: number): Promise<void> {
  store.show({ from: 400_000 - span / 2, to: 400_000 + span / 2 }, pixels, null);
  await vi.advanceTimersByTimeAsync(16);
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  asked = [];
  let span = 100_000;
  const again = () => store.show({ from: 400_000 - span / 2, to: 400_000 + span / 2 }, pixels, null);
  store = new TileStore(source, () => again(), () => expect.unreachable());
  const plain = store.show.bind(store);
  store.show = (view, width, rows) => {
    span = view.to - view.from;
    plain(view, width, rows);
  };
  await store.begin(axis);
  await show(100_000);
  await vi.advanceTimersByTimeAsync(1000);
  asked = [];
});
afterEach(() => vi.useRealTimers());

test('a tile that is fine enough is kept', async () => {
  await show(90_000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
});

test('while the view moves, columns may be three times as wide', async () => {
  for (const span of [80_000, 60_000, 45_000, 36_000]) await show(span);
  expect(asked).toEqual([]);
  await show(30_000);
  expect(asked.length).toBe(1);
});

test('a view that stands still gets a fine tile', async () => {
  for (const span of [80_000, 60_000, 45_000]) await show(span);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked.length).toBe(1);
  expect(asked[0]!.to - asked[0]!.from).toBeCloseTo(45_000 * 2.2);
  expect(store.isGood({ from: 400_000 - 22_500, to: 400_000 + 22_500 }, pixels)).toBe(true);
});

test('what the tile does not cover is asked for at once', async () => {
  store.show({ from: 700_000, to: 800_000 }, pixels, null);
  expect(asked.length).toBe(1);
});
