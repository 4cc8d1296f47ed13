// The figures of the page as tables.
import { percentile } from './measures.mjs';

// What ShiViz needs to show so many events, in seconds.
const shiviz = new Map([[10_000, '6 s'], [100_000, '239 s']]);

const whole = (value) => value.toFixed(0);
const megabytes = (bytes) => bytes / 2 ** 20;
const smooth = ({ times, perSecond }) => `${whole(perSecond)}; ${whole(percentile(times, 0.95))} ms`;
const works = (...parts) => parts.filter(Boolean).map(({ work }) => work.toFixed(1)).join(' and ');

const columns = [
  ['events', ({ events }) => events.toLocaleString('en')],
  ['ShiViz', ({ events }) => shiviz.get(events) ?? ''],
  ['trace loaded', ({ loaded }) => `${(loaded / 1000).toFixed(1)} s`],
  ['first picture', ({ picture }) => `${(percentile(picture, 0.5) / 1000).toFixed(2)} s`],
  ['zooming: frames per second; p95', ({ zooming }) => zooming && smooth(zooming)],
  ['dragging: the same', ({ panning }) => panning && smooth(panning)],
  ['work per frame', ({ zooming, panning }) => `${works(zooming, panning)} ms`],
  ['a click, p50; p95', ({ clicking }) => clicking && `${whole(percentile(clicking, 0.5))}; ${whole(percentile(clicking, 0.95))} ms`],
  ['memory of the tab', ({ memory }) => `${whole(megabytes(memory))} MB`],
];

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map((_, i) => (i === 0 ? '---' : '---:'))) + rows.map(line).join('');
}

/** A row per size. */
export function sizesTable(measured) {
  const row = (one) => columns.map(([, cell], i) => (one.error && i > 1 ? (i === 2 ? one.error : '') : (cell(one) ?? '')));
  return table(columns.map(([name]) => name), measured.map(row));
}

const smoothness = (name, of) => [
  [`frames per second while ${name}`, 50, 'at least', (one) => of(one)?.perSecond],
  [`95th percentile of frame times while ${name}, ms`, 33, 'at most', (one) => of(one) && percentile(of(one).times, 0.95)],
];
const limits = [
  ['first picture, ms', 2000, 'at most', ({ picture }) => percentile(picture, 0.5)],
  ...smoothness('zooming', ({ zooming }) => zooming),
  ...smoothness('dragging', ({ panning }) => panning),
  ['a click, 95th percentile, ms', 100, 'at most', ({ clicking }) => clicking && percentile(clicking, 0.95)],
  ['memory of the tab, MB', 300, 'at most', ({ memory }) => megabytes(memory)],
];

/** What the page must reach with a million events, and whether it does. */
export function limitsTable(measured) {
  const million = measured.find((one) => one.events === 1_000_000 && !one.error);
  if (!million) return '';
  const known = limits.filter(([, , , value]) => value(million) !== undefined);
  return table(['with 1,000,000 events', 'measured', 'limit', 'kept'], known.map(([name, limit, bound, value]) => {
    const own = value(million);
    const isKept = bound === 'at most' ? own <= limit : own >= limit;
    return [name, whole(own), `${bound} ${limit}`, isKept ? 'yes' : '**no**'];
  }));
}
