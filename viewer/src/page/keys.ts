// Which key does what.

const keys = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  '+': 'zoom in',
  '=': 'zoom in',
  '-': 'zoom out',
  f: 'fit',
  z: 'approach',
  a: 'pan left',
  d: 'pan right',
  w: 'scroll up',
  s: 'scroll down',
  c: 'cut',
  '[': 'previous state',
  ']': 'next state',
  '/': 'search',
  n: 'next hit',
  N: 'previous hit',
  Escape: 'select nothing',
  '?': 'help',
  Enter: 'select',
} as const;

export type KeyAction = (typeof keys)[keyof typeof keys];

/** Which tab a digit opens, from 0; -1: the key is none. */
export function tabOfKey(event: KeyboardEvent): number {
  return isTyping(event) || !/^[1-9]$/.test(event.key) ? -1 : Number(event.key) - 1;
}

/** Keys have other meanings where one types or chooses. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0] as HTMLElement;
  return /^(INPUT|TEXTAREA|SELECT|DIALOG)$/.test(target.tagName) || event.ctrlKey || event.metaKey || event.altKey;
}

/** The action of a key, but not where one types, chooses or presses a button. */
export function keyAction(event: KeyboardEvent): KeyAction | null {
  if (isTyping(event)) return null;
  const target = event.composedPath()[0] as HTMLElement;
  if (event.key === 'Enter' && /^(BUTTON|SUMMARY)$/.test(target.tagName)) return null;
  return (keys as Record<string, KeyAction>)[event.key] ?? null;
}
