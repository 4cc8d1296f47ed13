// A part of the diagram, as lightcone/view/tile.cc makes it.
import { EventMark, type Bundles, type ListedEvents, type ListedMessages, type Tile, type TileQuery } from '../trace/types';
import { eventsBetween, type Axis } from './axis';
import { namesOf, none, rankOf, receiversOf, stringOf, takesOf, type Computation } from './computation';

const mostCounts = 1 << 21;
const mostDoublings = 2;
const longestCaption = 80;

export function captionOf(c: Computation, row: number): string {
  const caption = namesOf(c, c.labels[row]!).join(', ') || (stringOf(c, c.text[row]!) ?? '');
  const bytes = new TextEncoder().encode(caption);
  if (bytes.length <= longestCaption) return caption;
  let end = longestCaption;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) --end;
  return `${new TextDecoder().decode(bytes.subarray(0, end))}…`;
}

function marksOf(c: Computation, e: number): number {
  let marks = 0;
  if (c.sends[e] !== none) {
    marks |= EventMark.sends;
    if (receiversOf(c, c.sends[e]!).length === 0) marks |= EventMark.in_transit;
  }
  if (c.labels[e] !== 0) marks |= EventMark.labelled;
  if (c.assignmentsBegin[e + 1]! > c.assignmentsBegin[e]!) marks |= EventMark.assigns;
  return marks;
}

function listEvents(c: Computation, axis: Axis, events: number[], captions: string[]): ListedEvents {
  const numbers = new Map<string, number>();
  const caption = (e: number) => {
    const text = captionOf(c, e);
    if (text === '') return 0;
    if (!numbers.has(text)) {
      captions.push(text);
      numbers.set(text, captions.length);
    }
    return numbers.get(text)!;
  };
  return {
    process: Uint32Array.from(events, (e) => c.processOf[e]!),
    rank: Uint32Array.from(events, (e) => rankOf(c, e)),
    x: Float64Array.from(events, (e) => axis.positions[e]!),
    kind: Uint8Array.from(events, (e) => c.kind[e]!),
    marks: Uint8Array.from(events, (e) => marksOf(c, e)),
    caption: Uint32Array.from(events, caption),
  };
}

function countEvents(c: Computation, axis: Axis, query: TileQuery, seen: number[], columns: number): Uint32Array {
  const density = new Uint32Array(columns * seen.length);
  const width = (query.to - query.from) / columns;
  for (let i = 0; i < seen.length; ++i) {
    const events = eventsBetween(c, axis, seen[i]!, query.from, query.to);
    let next = 0;
    for (let column = 0; column < columns; ++column) {
      const edge = query.from + (column + 1) * width;
      const begin = next;
      if (column + 1 === columns) next = events.length;
      else while (next < events.length && axis.positions[events[next]!]! < edge) ++next;
      density[i * columns + column] = next - begin;
    }
  }
  return density;
}

interface Edge {
  send: number;
  receive: number;
}

function edgesBetween(c: Computation, axis: Axis, from: number, to: number): Edge[] {
  const found: Edge[] = [];
  for (let e = 0; e < c.events; ++e) {
    for (const m of takesOf(c, e)) {
      const send = c.sentBy[m]!;
      const [a, b] = [axis.positions[send]!, axis.positions[e]!];
      if (Math.min(a, b) < to && Math.max(a, b) >= from) found.push({ send, receive: e });
    }
  }
  return found;
}

function listMessages(c: Computation, axis: Axis, edges: Edge[]): ListedMessages {
  return {
    from: Uint32Array.from(edges, ({ send }) => c.processOf[send]!),
    from_rank: Uint32Array.from(edges, ({ send }) => rankOf(c, send)),
    sent: Float64Array.from(edges, ({ send }) => axis.positions[send]!),
    to: Uint32Array.from(edges, ({ receive }) => c.processOf[receive]!),
    to_rank: Uint32Array.from(edges, ({ receive }) => rankOf(c, receive)),
    received: Float64Array.from(edges, ({ receive }) => axis.positions[receive]!),
  };
}

interface Bundle {
  from: number;
  to: number;
  sent: number;
  received: number;
  count: number;
}

/** Bundles with the same ends become one. */
function merged(bundles: Iterable<Bundle>): Bundle[] {
  const found = new Map<string, Bundle>();
  for (const bundle of bundles) {
    const key = `${bundle.from} ${bundle.to} ${bundle.sent} ${bundle.received}`;
    const same = found.get(key);
    if (same) same.count += bundle.count;
    else found.set(key, { ...bundle });
  }
  return [...found.values()];
}

function bundleMessages(c: Computation, axis: Axis, query: TileQuery, width: number, edges: Edge[]) {
  let size = width * Math.max(1, query.bundle_columns);
  const group = (e: number) => Math.floor((axis.positions[e]! - query.from) / size);
  let bundles = merged(
    edges.map(({ send, receive }) => ({
      from: c.processOf[send]!, to: c.processOf[receive]!, sent: group(send), received: group(receive), count: 1,
    })),
  );
  for (let i = 0; i < mostDoublings && bundles.length > query.most_bundles; ++i) {
    const half = (bundle: Bundle) => ({
      ...bundle, sent: Math.floor(bundle.sent / 2), received: Math.floor(bundle.received / 2),
    });
    bundles = merged(bundles.map(half));
    size *= 2;
  }
  bundles.sort(
    (a, b) => b.count - a.count || a.from - b.from || a.to - b.to || a.sent - b.sent || a.received - b.received,
  );
  const middle = (at: number) => query.from + (at + 0.5) * size;
  const thick = bundles.slice(0, query.most_bundles);
  const thin = bundles.slice(query.most_bundles);
  const shown: Bundles = {
    from: Uint32Array.from(thick, (bundle) => bundle.from),
    sent: Float64Array.from(thick, (bundle) => middle(bundle.sent)),
    to: Uint32Array.from(thick, (bundle) => bundle.to),
    received: Float64Array.from(thick, (bundle) => middle(bundle.received)),
    count: Float64Array.from(thick, (bundle) => bundle.count),
  };
  return { shown, thin: thin.length, thinMessages: thin.reduce((sum, bundle) => sum + bundle.count, 0) };
}

export function makeTile(c: Computation, axis: Axis, query: TileQuery): Tile {
  const seen = query.processes?.length ? query.processes : Array.from({ length: c.processes }, (_, p) => p);
  const isSeen = new Uint8Array(c.processes);
  for (const p of seen) isSeen[p] = 1;
  const room = Math.max(1, Math.floor(mostCounts / Math.max(1, seen.length)));
  const columns = Math.max(1, Math.min(query.columns, room));
  const events: number[] = [];
  for (const p of seen) {
    for (const e of eventsBetween(c, axis, p, query.from, query.to)) events.push(e);
  }
  const all = edgesBetween(c, axis, query.from, query.to);
  const edges = all.filter(({ send, receive }) => isSeen[c.processOf[send]!] || isSeen[c.processOf[receive]!]);
  const listsEvents = events.length <= query.most_events;
  const listsMessages = edges.length <= query.most_messages;
  const captions: string[] = [];
  const width = (query.to - query.from) / columns;
  const bundled = listsMessages ? null : bundleMessages(c, axis, query, width, edges);
  return {
    version: 1,
    events: events.length,
    messages: edges.length,
    columns: listsEvents ? 0 : columns,
    thin_bundles: bundled?.thin ?? 0,
    thin_messages: bundled?.thinMessages ?? 0,
    unseen_messages: all.length - edges.length,
    captions,
    listed: listsEvents ? listEvents(c, axis, events, captions) : null,
    density: listsEvents ? null : countEvents(c, axis, query, seen, columns),
    edges: listsMessages ? listMessages(c, axis, edges) : null,
    bundles: bundled?.shown ?? null,
  };
}
