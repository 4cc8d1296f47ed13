// What is written into the address is read back.
import { expect, test } from 'vitest';
import { readPermalink, writePermalink, type Permalink } from '../../src/page/permalink';
import type { TraceInfo } from '../../src/trace/types';

const trace = { processes: ['p:1', 'näme & more'], counts: [3, 4] } as unknown as TraceInfo;
const link: Permalink = {
  axis: 'time',
  view: { from: -0.25, to: 17.5 },
  event: { process: 1, rank: 4 },
  cut: [3, 0],
  search: { kind: 'expression', words: 'x > 3 and y != "a:b"' },
  properties: 'forbid a : possibly count(x) >= 2\n# and = & more\n',
  order: 'name',
  hidden: [0],
  collapsed: ['worker-*'],
  groups: ['näme', 'p:'],
  tab: 'cut',
};

test('all of it comes back', () => {
  expect(readPermalink(`#${writePermalink(link, trace)}`, trace)).toEqual(link);
});

test('a cut of many processes is short', () => {
  const processes = Array.from({ length: 500 }, (_, p) => `p${p}`);
  const many = { processes, counts: processes.map(() => 9) } as unknown as TraceInfo;
  const cut = processes.map((_, p) => (p === 250 ? 7 : p < 3 ? p : 4));
  const text = writePermalink({ ...link, event: null, hidden: [], cut }, many);
  expect(new URLSearchParams(text).get('cut')).toBe('0.1.2.4*247.7.4*249');
  expect(readPermalink(`#${text}`, many).cut).toEqual(cut);
  expect(readPermalink('#cut=1*1e9', many).cut).toBeNull();
});

test('what does not fit the trace is left out', () => {
  const other = { processes: ['q'], counts: [1] } as unknown as TraceInfo;
  const read = readPermalink(`#${writePermalink(link, trace)}`, other);
  expect(read.event).toBeNull();
  expect(read.cut).toBeNull();
  expect(read.hidden).toEqual([]);
});

test.each(['', '#', '#view=3~1', '#event=p:1:9&cut=1.2.3&axis=up', '#cut=-1.0', '#event=p:1:1.5'])(
  'nonsense %s gives nothing',
  (hash) => {
    const read = readPermalink(hash, trace);
    expect([read.axis, read.view, read.event, read.cut]).toEqual([null, null, null, null]);
  },
);
