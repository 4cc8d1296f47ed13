// What the address says after `#`: view, selection, cut, search and properties.
import type { Extent } from '../diagram/camera';
import type { RowOrder } from '../diagram/rows';
import type { AxisKind, Place, SearchKind, TraceInfo } from '../trace/types';

export interface Permalink {
  axis: AxisKind | null;
  view: Extent | null;
  event: Place | null;
  cut: number[] | null;
  search: { kind: SearchKind; words: string } | null;
  properties: string | null; // null: those of the file
  order: RowOrder | null;
  hidden: number[];
  collapsed: string[];
  groups: string[]; // that the user made
  tab: string | null;
}

const axes = new Set(['depth', 'time', 'order']);
const kinds = new Set(['any', 'label', 'process', 'text', 'expression']);
const orders = new Set(['file', 'name', 'first', 'traffic', 'group']);

/** Ranks from process to process; several that are the same as `3*200`. */
function cutText(ranks: number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < ranks.length; ) {
    let end = i + 1;
    while (end < ranks.length && ranks[end] === ranks[i]) ++end;
    parts.push(end - i > 3 ? `${ranks[i]}*${end - i}` : new Array<number>(end - i).fill(ranks[i]!).join('.'));
    i = end;
  }
  return parts.join('.');
}

export function writePermalink(link: Permalink, trace: TraceInfo): string {
  const parts = new URLSearchParams();
  if (link.axis) parts.set('axis', link.axis);
  if (link.view) parts.set('view', `${link.view.from}~${link.view.to}`);
  if (link.event) parts.set('event', `${trace.processes[link.event.process]}:${link.event.rank}`);
  if (link.cut) parts.set('cut', cutText(link.cut));
  if (link.search) parts.set('search', `${link.search.kind}:${link.search.words}`);
  if (link.properties !== null) parts.set('properties', link.properties);
  if (link.order && link.order !== 'file') parts.set('order', link.order);
  for (const p of link.hidden) parts.append('hidden', trace.processes[p]!);
  for (const group of link.collapsed) parts.append('collapsed', group);
  for (const text of link.groups) parts.append('group', text);
  if (link.tab) parts.set('tab', link.tab);
  return parts.toString();
}

function readPlace(text: string | null, trace: TraceInfo): Place | null {
  const colon = text?.lastIndexOf(':') ?? -1;
  if (!text || colon < 0) return null;
  const process = trace.processes.indexOf(text.slice(0, colon));
  const rank = Number(text.slice(colon + 1));
  if (process < 0 || !Number.isInteger(rank) || rank < 0 || rank > trace.counts[process]!) return null;
  return { process, rank };
}

function readCut(text: string | null, trace: TraceInfo): number[] | null {
  const most = trace.processes.length;
  const ranks: number[] = [];
  for (const part of text?.split('.') ?? []) {
    const [rank, times = 1] = part.split('*').map(Number);
    for (let i = 0; i < times && ranks.length <= most; ++i) ranks.push(rank!);
  }
  const fits =
    ranks.length === trace.processes.length &&
    ranks.every((rank, p) => Number.isInteger(rank) && rank >= 0 && rank <= trace.counts[p]!);
  return fits ? ranks : null;
}

function readView(text: string | null): Extent | null {
  const [from, to] = (text ?? '').split('~').map(Number);
  return from !== undefined && to !== undefined && from < to ? { from, to } : null;
}

/** Whatever does not make sense for this trace is left out. */
export function readPermalink(hash: string, trace: TraceInfo): Permalink {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const one = <T extends string>(name: string, known: Set<string>) => {
    const value = parts.get(name);
    return value !== null && known.has(value) ? (value as T) : null;
  };
  const search = parts.get('search');
  const colon = search?.indexOf(':') ?? -1;
  const kind = search?.slice(0, colon) ?? '';
  return {
    axis: one<AxisKind>('axis', axes),
    view: readView(parts.get('view')),
    event: readPlace(parts.get('event'), trace),
    cut: readCut(parts.get('cut'), trace),
    search: search && kinds.has(kind) ? { kind: kind as SearchKind, words: search.slice(colon + 1) } : null,
    properties: parts.get('properties'),
    order: one<RowOrder>('order', orders),
    hidden: parts.getAll('hidden').map((name) => trace.processes.indexOf(name)).filter((p) => p >= 0),
    collapsed: parts.getAll('collapsed'),
    groups: parts.getAll('group').filter((text) => text !== ''),
    tab: parts.get('tab'),
  };
}
