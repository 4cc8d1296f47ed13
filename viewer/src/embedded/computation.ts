// The computation inside of an exported page, in the columns that apps/cli/view/exported_page.cc packs.
import { unpack } from '../trace/packed_arrays';

export const none = 0xffffffff;

export interface Computation {
  processes: number;
  events: number;
  first: Uint32Array; // first event of each process, and the end of the last
  processOf: Uint32Array;
  kind: Uint8Array;
  sends: Uint32Array; // the message that leaves at an event, or none
  takesBegin: Uint32Array;
  takes: Uint32Array;
  sentBy: Uint32Array;
  duplicates: Set<number>;
  order: Uint32Array; // a linear extension
  labels: Uint32Array; // of each row: a set of names; rows are events, then initial states
  to: Uint32Array;
  text: Uint32Array;
  source: Uint32Array;
  extra: Uint32Array;
  digest: Uint32Array;
  time: Float64Array;
  assignmentsBegin: Uint32Array;
  variables: Uint32Array;
  values: Uint32Array;
  strings: string[];
  sets: number[][];
  messages: string[]; // names
  edgesBegin: Uint32Array; // of each message, in edges by message
  edgesOfMessage: Uint32Array; // receiving events
}

export function unpackComputation(buffer: ArrayBuffer): Computation {
  const { header, arrays } = unpack(buffer);
  const numbers = (name: string) => arrays.get(name) as Uint32Array;
  const first = numbers('first');
  const events = first[first.length - 1]!;
  const processOf = new Uint32Array(events);
  for (let p = 0; p + 1 < first.length; ++p) processOf.fill(p, first[p], first[p + 1]);
  const takesBegin = numbers('takes_begin');
  const takes = numbers('takes');
  const sentBy = numbers('sent_by');
  const edgesBegin = new Uint32Array(sentBy.length + 1);
  for (const m of takes) edgesBegin[m + 1]!++;
  for (let m = 0; m < sentBy.length; ++m) edgesBegin[m + 1]! += edgesBegin[m]!;
  const next = edgesBegin.slice();
  const edgesOfMessage = new Uint32Array(takes.length);
  for (let e = 0; e < events; ++e) {
    for (let i = takesBegin[e]!; i < takesBegin[e + 1]!; ++i) edgesOfMessage[next[takes[i]!]!++] = e;
  }
  return {
    processes: first.length - 1,
    events,
    first,
    processOf,
    kind: arrays.get('kind') as Uint8Array,
    sends: numbers('sends'),
    takesBegin,
    takes,
    sentBy,
    duplicates: new Set(numbers('duplicates')),
    order: numbers('order'),
    labels: numbers('labels'),
    to: numbers('to'),
    text: numbers('text'),
    source: numbers('source'),
    extra: numbers('extra'),
    digest: numbers('digest'),
    time: arrays.get('time') as Float64Array,
    assignmentsBegin: numbers('assignments_begin'),
    variables: numbers('variables'),
    values: numbers('values'),
    strings: header['strings'] as string[],
    sets: header['sets'] as number[][],
    messages: header['messages'] as string[],
    edgesBegin,
    edgesOfMessage,
  };
}

export function rankOf(c: Computation, e: number): number {
  return e - c.first[c.processOf[e]!]! + 1;
}
export function lastRank(c: Computation, p: number): number {
  return c.first[p + 1]! - c.first[p]!;
}
export function eventOf(c: Computation, p: number, rank: number): number {
  return c.first[p]! + rank - 1;
}
/** The row of an event or, for rank 0, of an initial state. */
export function rowOf(c: Computation, p: number, rank: number): number {
  return rank === 0 ? c.events + p : eventOf(c, p, rank);
}
export function takesOf(c: Computation, e: number): Uint32Array {
  return c.takes.subarray(c.takesBegin[e], c.takesBegin[e + 1]);
}
export function receiversOf(c: Computation, m: number): Uint32Array {
  return c.edgesOfMessage.subarray(c.edgesBegin[m], c.edgesBegin[m + 1]);
}
/** The names of a set. */
export function namesOf(c: Computation, set: number): string[] {
  return set === 0 ? [] : c.sets[set - 1]!.map((name) => c.strings[name - 1]!);
}
export function stringOf(c: Computation, number: number): string | undefined {
  return number === 0 ? undefined : c.strings[number - 1];
}
