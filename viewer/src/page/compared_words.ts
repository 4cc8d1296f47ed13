// An event as `lightcone diff` compares it, in words.
import type { ComparedEvent, ComparedMessage } from '../trace/types';

const mostMessages = 3;

function taken({ from, number, to }: ComparedMessage): string {
  const others = (to?.length ?? 0) > 1 ? ` to ${to!.length} receivers` : '';
  return `message ${number}${others} from ${from}`;
}

function sent({ number, to = [] }: ComparedMessage): string {
  const whom = to.length === 1 ? ` to ${to[0]}` : to.length > 1 ? ` to ${to.length} receivers` : '';
  return `message ${number}${whom}`;
}

/** `receive of message 1 from bob`. */
function headline({ kind, messages = [], sends }: ComparedEvent): string {
  const parts = messages.slice(0, mostMessages).map(taken);
  if (messages.length > mostMessages) parts.push(`${messages.length - mostMessages} more`);
  if (kind === 'init') return 'initial state';
  if (kind === 'send' && sends) return `send of ${sent(sends)}`;
  const also = sends ? `, with a send of ${sent(sends)}` : '';
  return parts.length ? `${kind} of ${parts.join(' and ')}${also}` : `${kind} event${also}`;
}

export function comparedWords(event: ComparedEvent): string {
  const { labels = [], vars = {}, text, digest, source } = event;
  const values = Object.entries(vars).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const details = [labels.join(', '), values.join(', '), text ?? '', source ?? '', digest ? `contents ${digest}` : ''];
  return [headline(event), ...details.filter((part) => part !== '')].join('; ');
}
