// Answers from the data inside of an exported page.
import type { Source } from '../source/source';
import type {
  AxisInfo,
  AxisKind,
  CheckAnswer,
  Comparison,
  CutAnswer,
  CutWish,
  EventDetails,
  Failure,
  HeldValue,
  Place,
  Places,
  Races,
  SearchHits,
  SearchKind,
  Tile,
  TileQuery,
  TraceInfo,
  Traffic,
  Version,
  Witness,
} from '../trace/types';
import { makeAxis, positionOf, rankAt, type Axis } from './axis';
import {
  eventOf,
  lastRank,
  namesOf,
  none,
  rankOf,
  receiversOf,
  rowOf,
  stringOf,
  takesOf,
  unpackComputation,
  type Computation,
} from './computation';
import { cutOfSize, futureOf, greatestBelow, inevitableSizes, leastAbove, pastOf } from './cuts';
import { makeTile } from './tile';

export interface EmbeddedData {
  trace: TraceInfo;
  races: Races;
  columns: string; // base 64
  check?: CheckAnswer | Failure;
  witnesses?: Record<string, Witness | Failure>;
  second?: EmbeddedData;
  comparison?: Comparison;
}

const kinds = ['internal', 'send', 'receive'] as const;
const mostHits = 20_000;

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

function failure(what: string, hint: string): Failure {
  return { error: { what, hint } };
}

export class EmbeddedSource implements Source {
  readonly exported = true;
  private readonly computation: Computation;
  private readonly axes = new Map<AxisKind, Axis>();
  private sizes: number[] | null = null;
  readonly second: Source | null;

  constructor(private readonly data: EmbeddedData) {
    this.computation = unpackComputation(bytesOf(data.columns));
    this.second = data.second ? new EmbeddedSource(data.second) : null;
  }

  async comparison(): Promise<Comparison | null> {
    return this.data.comparison ?? null;
  }
  async trace(): Promise<TraceInfo> {
    return this.data.trace;
  }
  async version(): Promise<Version> {
    return { version: this.data.trace.version, problem: '' };
  }
  async axis(kind: AxisKind): Promise<AxisInfo> {
    const { positions: _positions, sorted: _sorted, ...info } = this.axisOf(kind);
    return info;
  }
  async tile(query: TileQuery): Promise<Tile> {
    return makeTile(this.computation, this.axisOf(query.axis), query);
  }
  async races(): Promise<Races> {
    return this.data.races;
  }

  async positions({ process, rank }: { process: number[]; rank: number[] }, kind: AxisKind): Promise<Places> {
    const axis = this.axisOf(kind);
    return { process, rank, x: process.map((p, i) => positionOf(this.computation, axis, p, rank[i]!)) };
  }

  async nearest(processes: number[], x: number, kind: AxisKind): Promise<Places> {
    const c = this.computation;
    const axis = this.axisOf(kind);
    let best = -1;
    const away = (e: number) => Math.abs(axis.positions[e]! - x);
    for (const p of processes) {
      let own = -1;
      for (let e = c.first[p]!; e < c.first[p + 1]!; ++e) {
        const isNearer = own < 0 || away(e) < away(own) || (away(e) === away(own) && axis.positions[e]! < axis.positions[own]!);
        if (isNearer) own = e;
      }
      if (own >= 0 && (best < 0 || away(own) < away(best))) best = own;
    }
    return best < 0
      ? { process: [], rank: [], x: [] }
      : { process: [c.processOf[best]!], rank: [rankOf(c, best)], x: [axis.positions[best]!] };
  }

  async event({ process, rank }: Place, kind: AxisKind): Promise<EventDetails> {
    const c = this.computation;
    const axis = this.axisOf(kind);
    const row = rowOf(c, process, rank);
    const past = pastOf(c, process, rank);
    const future = futureOf(c, process, rank);
    const time = c.time[row]!;
    const [text, source, extra, digest] = [c.text, c.source, c.extra, c.digest].map((column) => stringOf(c, column[row]!));
    return {
      version: 1, process, rank,
      x: positionOf(c, axis, process, rank),
      kind: rank === 0 ? 'initial' : kinds[c.kind[row]!]!,
      labels: namesOf(c, c.labels[row]!),
      ...(Number.isNaN(time) ? {} : { time }),
      ...(text === undefined ? {} : { text }),
      ...(source === undefined ? {} : { source }),
      ...(digest === undefined ? {} : { digest }),
      ...(extra === undefined ? {} : { extra }),
      state: this.stateAfter(process, rank),
      before: rank === 0 ? [] : this.stateAfter(process, rank - 1),
      ...(rank === 0 ? { takes: [], receivers: [] } : this.messagesOf(row)),
      past,
      future,
      past_x: past.map((k, p) => positionOf(c, axis, p, k)),
      future_x: future.map((k, p) => positionOf(c, axis, p, k)),
    };
  }

  async cut(wish: CutWish, kind: AxisKind, askInevitable: boolean): Promise<CutAnswer | null> {
    const ranks = this.wanted(wish, this.axisOf(kind));
    return ranks && this.cutAnswer(ranks, this.axisOf(kind), askInevitable);
  }

  async search(kind: SearchKind, words: string, axisKind: AxisKind): Promise<SearchHits | Failure> {
    if (kind === 'expression') {
      return failure('an exported page cannot search by expression', 'use lightcone view with the trace');
    }
    const c = this.computation;
    const axis = this.axisOf(axisKind);
    const small = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    const wanted = small(words);
    const known = c.strings.map((text) => small(text).includes(wanted));
    const has = (number: number) => number !== 0 && known[number - 1]!;
    const places: Places = { process: [], rank: [], x: [] };
    let count = 0;
    for (let p = 0; words !== '' && p < c.processes; ++p) {
      for (let rank = 0; rank <= lastRank(c, p); ++rank) {
        const row = rowOf(c, p, rank);
        const any = kind === 'any';
        const isHit =
          ((any || kind === 'process') && rank === 0 && small(this.data.trace.processes[p]!).includes(wanted)) ||
          ((any || kind === 'label') && (c.sets[c.labels[row]! - 1] ?? []).some(has)) ||
          ((any || kind === 'text') && has(c.text[row]!)) ||
          (any && has(c.source[row]!));
        if (!isHit || ++count > mostHits) continue;
        places.process.push(p);
        places.rank.push(rank);
        places.x.push(positionOf(c, axis, p, rank));
      }
    }
    return { count, places };
  }

  async traffic(): Promise<Traffic> {
    const c = this.computation;
    const counts = new Map<number, number>();
    for (let e = 0; e < c.events; ++e) {
      for (const m of takesOf(c, e)) {
        const pair = c.processOf[c.sentBy[m]!]! * c.processes + c.processOf[e]!;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
    const pairs = [...counts].sort(([a], [b]) => a - b);
    return {
      from: pairs.map(([pair]) => Math.floor(pair / c.processes)),
      to: pairs.map(([pair]) => pair % c.processes),
      messages: pairs.map(([, count]) => count),
    };
  }

  async check(): Promise<CheckAnswer | Failure> {
    return this.data.check ?? failure('no properties were exported', 'export with --props');
  }

  async witness(property: number, place: string): Promise<Witness | Failure> {
    const witness = this.data.witnesses?.[place ? `${property} ${place}` : `${property}`];
    return witness ?? failure('this witness was not exported', 'use lightcone view with the trace');
  }

  private axisOf(kind: AxisKind): Axis {
    let axis = this.axes.get(kind);
    if (!axis) this.axes.set(kind, (axis = makeAxis(this.computation, kind)));
    return axis;
  }

  /** The last value of each variable, in the order in which they were assigned first. */
  private stateAfter(process: number, rank: number): HeldValue[] {
    const c = this.computation;
    const held = new Map<number, HeldValue>();
    for (let since = 0; since <= rank; ++since) {
      const row = rowOf(c, process, since);
      for (let i = c.assignmentsBegin[row]!; i < c.assignmentsBegin[row + 1]!; ++i) {
        const name = c.variables[i]!;
        const value = { name: stringOf(c, name)!, value: stringOf(c, c.values[i]!)!, since };
        const old = held.get(name);
        if (old) Object.assign(old, value);
        else held.set(name, value);
      }
    }
    return [...held.values()];
  }

  private place(e: number): Place {
    return { process: this.computation.processOf[e]!, rank: rankOf(this.computation, e) };
  }

  private messagesOf(e: number) {
    const c = this.computation;
    const takes = Array.from(takesOf(c, e), (m) => ({
      ...this.place(c.sentBy[m]!),
      message: c.messages[m]!,
    }));
    const duplicate = c.duplicates.has(e) ? { duplicate: true } : {};
    const message = c.sends[e]!;
    if (message === none) return { takes, receivers: [], ...duplicate };
    const receivers = Array.from(receiversOf(c, message), (f) => this.place(f));
    return { takes, receivers, message: c.messages[message]!, to: namesOf(c, c.to[e]!), ...duplicate };
  }

  private wanted(wish: CutWish, axis: Axis): number[] | null {
    const c = this.computation;
    switch (wish.want) {
      case 'at':
        return greatestBelow(c, Array.from({ length: c.processes }, (_, p) => rankAt(c, axis, p, wish.x)));
      case 'drag':
      case 'step': {
        const to = wish.want === 'drag' ? rankAt(c, axis, wish.process, wish.x) : wish.rank;
        const ranks = [...wish.ranks];
        const isRight = to > ranks[wish.process]!;
        ranks[wish.process] = to;
        return isRight ? leastAbove(c, ranks) : greatestBelow(c, ranks);
      }
      case 'above':
        return leastAbove(c, wish.ranks);
      case 'below':
        return greatestBelow(c, wish.ranks);
      default: {
        const events = wish.ranks.reduce((sum, rank) => sum + rank, 0);
        const sizes = this.inevitable();
        const size =
          wish.want === 'next' ? sizes.find((other) => other > events) : sizes.filter((other) => other < events).at(-1);
        return size === undefined ? null : cutOfSize(c, size);
      }
    }
  }

  private inevitable(): number[] {
    this.sizes ??= inevitableSizes(this.computation);
    return this.sizes;
  }

  private cutAnswer(ranks: number[], axis: Axis, askInevitable: boolean): CutAnswer {
    const c = this.computation;
    const events = ranks.reduce((sum, rank) => sum + rank, 0);
    return {
      version: 1,
      ranks,
      events,
      at: ranks.map((rank, p) => positionOf(c, axis, p, rank)),
      next: ranks.map((rank, p) => positionOf(c, axis, p, rank + 1)),
      state: ranks.map((rank, p) => this.stateAfter(p, rank)),
      labels: ranks.map((rank, p) => namesOf(c, c.labels[rank === 0 ? c.events + p : eventOf(c, p, rank)]!)),
      inevitable: askInevitable ? this.inevitable().includes(events) : null,
    };
  }
}
