// An exported page answers like the server, on random traces: the same questions in TypeScript and C++.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedSource, type EmbeddedData } from '../../src/embedded/embedded_source';
import { ServerSource } from '../../src/source/server_source';
import type { AxisKind, CutWish, SearchKind, TileQuery, TraceInfo } from '../../src/trace/types';
// @ts-expect-error plain JavaScript
import { generate, program, run, serve, temporaryFolder } from '../program.mjs';

/** Repeatable numbers in [0, 1). */
function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state / 2 ** 32;
  };
}

const shapes: string[][] = [
  ['-p', '3', '-n', '30', '--label', 'a:0.3', '--variable', 'x:0.5', '--times'],
  ['-p', '5', '-n', '200', '--multicast', '0.3', '--batch', '0.5', '--duplicates', '0.2', '--label', 'a:0.3', '--label', 'bC:0.2'],
  ['-p', '8', '-n', '300', '--topology', 'phases', '--variable', 'x:0.4', '--variable', 'flag:0.3:bool', '--times'],
  ['-p', '4', '-n', '120', '--topology', 'star', '--variable', 'r:0.4:real', '--delay', '12'],
  ['-p', '2', '-n', '10', '--message-rate', '0'],
  ['-p', '6', '-n', '250', '--topology', 'pairs', '--delay', '20', '--label', 'a:0.5'],
];
const properties = 'watch ab : some flow over {a} ends with a\nwatch same : logic {\n  y := a\n  z := a and any y\n}\n';
const odd = `{"lightcone": 1, "processes": ["a <b>", "ünï:1", "silent"]}
{"process": "a <b>", "kind": "init", "vars": {"big": 9007199254740993, "s": "</script>"}, "time": 5}
{"process": "a <b>", "kind": "send", "message": "m1", "to": ["ünï:1", "silent"], "labels": ["x", "y"], "text": "first ${'ä'.repeat(90)}", "other": [1]}
{"process": "ünï:1", "kind": "receive", "message": "m1", "time": 3, "source": "f.c:3"}
{"process": "ünï:1", "kind": "internal", "time": 2.5, "vars": {"r": 1.0}}
{"process": "a <b>", "kind": "internal", "vars": {"big": 1}, "labels": ["A"]}
`;

async function compare(folder: string, file: string, seed: number, props: string[]): Promise<void> {
  const page = join(folder, `${seed}.html`);
  const exported = run('view', file, '--export', page, ...props);
  expect(exported.stderr).toBe('');
  expect(exported.stdout).toBe('');
  const html = readFileSync(page, 'utf8');
  const data = /id="embedded-data">(.*?)<\/script>/s.exec(html)![1]!;
  const embedded = new EmbeddedSource(JSON.parse(data) as EmbeddedData);
  const server = await serve(file, ...props);
  try {
    await compareAll(embedded, new ServerSource(server.base, server.token), numbers(seed));
    expect(await server.stop()).toBe(0);
  } finally {
    await server.stop();
  }
}

async function compareAll(embedded: EmbeddedSource, server: ServerSource, random: () => number): Promise<void> {
  const trace = await server.trace();
  expect(await embedded.trace()).toEqual(trace);
  expect(await embedded.races()).toEqual(await server.races());
  expect(await embedded.traffic()).toEqual(await server.traffic());
  for (const axis of trace.axes) {
    expect(await embedded.axis(axis)).toEqual(await server.axis(axis));
    await compareTiles(embedded, server, axis, random);
    await compareEvents(embedded, server, trace, axis, random);
    await compareCuts(embedded, server, trace, axis, random);
    for (const kind of ['any', 'label', 'process', 'text'] as SearchKind[]) {
      for (const words of ['a', 'C', 'p', '1', 'zz', '']) {
        expect(await embedded.search(kind, words, axis)).toEqual(strip(await server.search(kind, words, axis)));
      }
    }
  }
  if (!trace.properties) return;
  const checked = await server.check(trace.properties);
  expect(await embedded.check()).toEqual(checked);
  expect(await embedded.witness(0, '')).toEqual(await server.witness(0, ''));
}

/** Answers of the server say which version they are of. */
function strip<T extends object>(answer: T): T {
  const { version: _version, ...rest } = answer as T & { version?: number };
  return rest as T;
}

async function compareTiles(embedded: EmbeddedSource, server: ServerSource, kind: AxisKind, random: () => number) {
  const { processes } = await server.trace();
  const { begin, end } = await server.axis(kind);
  for (let i = 0; i < 8; ++i) {
    const from = begin + (end - begin) * (random() * 1.2 - 0.2);
    const query: TileQuery = {
      axis: kind, from, to: from + (end - begin) * (0.05 + random()),
      columns: 1 + Math.floor(random() * 50), bundle_columns: 1 + Math.floor(random() * 5),
      most_events: Math.floor(random() * 200), most_messages: Math.floor(random() * 100),
      most_bundles: Math.floor(random() * 30),
      processes: random() < 0.5 ? null : processes.map((_, p) => p).filter(() => random() < 0.5).reverse(),
    };
    const [mine, theirs] = [await embedded.tile(query), await server.tile(query)];
    expect(plain(mine)).toEqual(plain(theirs));
  }
}

/** Typed arrays as lists, and only the members of the type. */
function plain(tile: object): unknown {
  const wanted = ['process', 'rank', 'x', 'kind', 'marks', 'caption', 'from', 'from_rank', 'sent', 'to', 'to_rank', 'received', 'count'];
  return Object.fromEntries(
    Object.entries(tile).map(([name, value]) => {
      if (value instanceof Uint32Array) return [name, [...value]];
      const isPart = value !== null && typeof value === 'object' && !Array.isArray(value);
      if (!isPart) return [name, value];
      const part = value as Record<string, ArrayLike<number>>;
      const known = wanted.filter((key) => key in part && belongs(name, key));
      return [name, known.map((key) => [key, Array.from(part[key]!)])];
    }),
  );
}
function belongs(part: string, key: string): boolean {
  const ofEvents = ['process', 'rank', 'x', 'kind', 'marks', 'caption'];
  return part === 'listed' ? ofEvents.includes(key) : !ofEvents.includes(key);
}

async function compareEvents(embedded: EmbeddedSource, server: ServerSource, trace: TraceInfo, axis: AxisKind, random: () => number) {
  for (let i = 0; i < 12; ++i) {
    const process = Math.floor(random() * trace.processes.length);
    const place = { process, rank: Math.floor(random() * (trace.counts[process]! + 1)) };
    expect(await embedded.event(place, axis)).toEqual(await server.event(place, axis));
    const places = { process: [place.process], rank: [place.rank] };
    expect(await embedded.positions(places, axis)).toEqual(await server.positions(places, axis));
    const x = Math.floor(random() * 40 - 5) / 2;
    const some = trace.processes.map((_, p) => p).filter(() => random() < 0.6);
    expect(await embedded.nearest(some, x, axis)).toEqual(await server.nearest(some, x, axis));
  }
}

async function compareCuts(embedded: EmbeddedSource, server: ServerSource, trace: TraceInfo, axis: AxisKind, random: () => number) {
  const { begin, end } = await server.axis(axis);
  const somewhere = () => begin + random() * (end - begin);
  for (let i = 0; i < 8; ++i) {
    const ranks = trace.counts.map((count) => Math.floor(random() * (count + 1)));
    const process = Math.floor(random() * trace.processes.length);
    const wishes: CutWish[] = [
      { want: 'at', x: somewhere() },
      { want: 'above', ranks },
      { want: 'below', ranks },
      { want: 'drag', ranks, process, x: somewhere() },
      { want: 'step', ranks, process, rank: Math.floor(random() * (trace.counts[process]! + 1)) },
      { want: 'next', ranks },
      { want: 'previous', ranks },
    ];
    for (const wish of wishes) {
      expect(await embedded.cut(wish, axis, true)).toEqual(await server.cut(wish, axis, true));
    }
  }
}

describe.skipIf(!program)('an exported page answers like the server', () => {
  let folder = '';
  beforeAll(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder, 'a.prop'), properties);
  });
  afterAll(() => undefined);

  test.each(shapes.map((shape, i) => [i + 1, shape] as const))('random trace %i', async (seed, shape) => {
    const file = join(folder, `${seed}.jsonl`);
    generate(file, '-s', String(seed), ...shape);
    const hasLabel = shape.includes('a:0.3');
    await compare(folder, file, seed, hasLabel ? ['--props', join(folder, 'a.prop')] : []);
  });

  test('odd names, large numbers, times that go backward', async () => {
    const file = join(folder, 'odd.jsonl');
    writeFileSync(file, odd);
    await compare(folder, file, 99, []);
  });

  test('more than 200,000 events are refused, with what to do', () => {
    const file = join(folder, 'large.lct');
    generate(file, '-n', '200001');
    const { status, stderr } = run('view', file, '--export', join(folder, 'large.html'));
    expect(status).toBe(2);
    expect(stderr).toContain('at most 200000');
    expect(stderr).toContain('leave out --export');
  });
});
