// Numbers, places and events in words.
import type { EventDetails, TraceInfo } from '../trace/types';

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** `p2:4`, the way the program itself names a place. */
export function placeText(processes: string[], place: { process: number; rank: number }): string {
  return `${processes[place.process]}:${place.rank}`;
}

/** What a screen reader says about an event. */
export function announcement(trace: TraceInfo, event: EventDetails): string {
  const parts = [placeText(trace.processes, event), event.kind, ...event.labels];
  if (event.text) parts.push(event.text);
  return parts.join(', ');
}
