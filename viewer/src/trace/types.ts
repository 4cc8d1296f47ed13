// What the page is told about a trace: the same whether a server or the page itself answers.

export type AxisKind = 'depth' | 'time' | 'order';

/** An event, by process and rank; rank 0 is the initial state. */
export interface Place {
  process: number;
  rank: number;
}

export interface TraceInfo {
  version: number;
  name: string;
  events: number;
  messages: number;
  in_transit: number;
  edges: number;
  processes: string[];
  counts: number[]; // events of each process
  first: number[]; // the place of each process's first event in the order of the file
  axes: AxisKind[];
  notes: string[];
  extent: string;
  properties: string;
  properties_file: string;
  problem: string;
}

export interface AxisInfo {
  kind: AxisKind;
  version: number;
  begin: number;
  end: number;
  origin: number;
  without_time: number;
}

export interface TileQuery {
  axis: AxisKind;
  from: number;
  to: number;
  columns: number;
  bundle_columns: number;
  most_events: number;
  most_messages: number;
  most_bundles: number;
  processes: number[] | null; // those that are seen; null: all
}

/** Marks of a listed event. */
export const EventMark = { sends: 1, in_transit: 2, labelled: 4, assigns: 8 } as const;
export const EventKind = { internal: 0, send: 1, receive: 2 } as const;

/** Events one by one. */
export interface ListedEvents {
  process: Uint32Array;
  rank: Uint32Array;
  x: Float64Array;
  kind: Uint8Array;
  marks: Uint8Array;
  caption: Uint32Array; // 0: none, else one more than its index among the captions
}

/** Messages one by one. */
export interface ListedMessages {
  from: Uint32Array;
  from_rank: Uint32Array;
  sent: Float64Array;
  to: Uint32Array;
  to_rank: Uint32Array;
  received: Float64Array;
}

/** Messages that are drawn as one line, the most frequent first. */
export interface Bundles {
  from: Uint32Array;
  sent: Float64Array;
  to: Uint32Array;
  received: Float64Array;
  count: Float64Array;
}

/** A part of the diagram: events or their density, messages or bundles of them. */
export interface Tile {
  version: number;
  events: number;
  messages: number;
  columns: number;
  thin_bundles: number;
  thin_messages: number;
  unseen_messages: number; // others, of processes that are not seen
  captions: string[];
  listed: ListedEvents | null;
  density: Uint32Array | null; // by process that is seen, then by column
  edges: ListedMessages | null;
  bundles: Bundles | null;
}

export interface HeldValue {
  name: string;
  value: string; // JSON text
  since: number; // rank of the event that assigned it
}

export interface EventDetails extends Place {
  version: number;
  x: number;
  kind: 'internal' | 'send' | 'receive' | 'initial';
  labels: string[];
  time?: number;
  text?: string;
  source?: string;
  digest?: string; // of the contents of its messages
  extra?: string;
  message?: string;
  to?: string[];
  duplicate?: boolean;
  takes: (Place & { message: string })[];
  receivers: Place[];
  state: HeldValue[];
  before: HeldValue[];
  past: number[]; // of each process, the last rank in its past or itself
  future: number[]; // of each process, the first rank in its future or itself
  past_x: number[]; // where these stand
  future_x: number[];
}

export interface CutAnswer {
  version: number;
  ranks: number[];
  events: number;
  at: number[]; // where the last event inside stands
  next: number[]; // where the first event outside stands
  state: HeldValue[][];
  labels: string[][];
  inevitable: boolean | null; // null: not asked
}

/** Which cut is wanted. */
export type CutWish =
  | { want: 'at'; x: number }
  | { want: 'drag'; ranks: number[]; process: number; x: number }
  | { want: 'step'; ranks: number[]; process: number; rank: number }
  | { want: 'above' | 'below' | 'previous' | 'next'; ranks: number[] };

export type SearchKind = 'any' | 'label' | 'process' | 'text' | 'expression';

export interface Places {
  process: number[];
  rank: number[];
  x: number[];
}

/** Versions change when traces grow. */
export interface Version {
  version: number;
  problem: string; // why the trace cannot be read again
  second?: number; // the version of the second run
}

export interface SearchHits {
  count: number;
  places: Places;
}

export interface Failure {
  error: { what: string; hint: string; line?: number; column?: number };
}

export interface RaceOther {
  message: string;
  from: Place;
  to?: Place;
}

export interface Race extends Place {
  message: string;
  from: Place;
  others: RaceOther[];
}

export interface Races {
  complete: boolean;
  receptions: Race[];
}

export interface Traffic {
  from: number[];
  to: number[];
  messages: number[];
}

export type Verdict = 'pass' | 'fail' | 'info' | 'unknown';

export interface CheckedProperty {
  name: string;
  verb: string;
  verdict: Verdict;
  line: number;
  question: string;
  finding: string;
  found: boolean;
  is_global: boolean;
  method: string;
  asked_count: number;
  found_count: number;
  at: { process: number[]; rank: number[] };
  missing: { process: number[]; rank: number[] };
  cut?: number[];
}

/** A `group` of a property file. */
export interface NamedGroup {
  name: string;
  processes: number[];
}

export interface CheckAnswer {
  verdict: Verdict;
  summary: string;
  warnings: string[];
  groups: NamedGroup[];
  properties: CheckedProperty[];
}

/** A place by the name of its process, as the documents of `lightcone check` have it. */
export interface NamedPlace {
  process: string;
  event: number;
}

export interface Witness {
  path?: (NamedPlace & { labels: string[]; message?: string; text?: string })[];
  matches?: boolean;
  reasons?: (NamedPlace & {
    variable: string;
    since?: number;
    value: boolean;
    facts: string[];
    because: number[];
  })[];
  state?: (NamedPlace & { reads: string[] })[];
  observation?: (NamedPlace & { changes: string[] })[];
}

/** A message as `lightcone diff` tells it: by sender and number. */
export interface ComparedMessage {
  from: string;
  number: number;
  to?: string[];
  name: string;
}

/** An event as `lightcone diff` tells it. */
export interface ComparedEvent {
  kind: string;
  messages?: ComparedMessage[];
  sends?: ComparedMessage;
  labels?: string[];
  vars?: Record<string, unknown>;
  text?: string;
  digest?: string;
  source?: string;
}

/** The document of `lightcone diff --json`. */
export interface Comparison {
  same: boolean | null; // null: not known
  alike: number; // events that are the same in both runs
  first: (NamedPlace & {
    kind: 'message' | 'contents' | 'event' | 'missing';
    a: ComparedEvent | null;
    b: ComparedEvent | null;
    differs?: string[];
  })[];
  processes: { process: string; a: number | null; b: number | null; alike: number; differs_at?: number }[];
}

export function isFailure(answer: object): answer is Failure {
  return 'error' in answer;
}

export function samePlace(a: Place | null, b: Place | null): boolean {
  return a !== null && b !== null && a.process === b.process && a.rank === b.rank;
}
