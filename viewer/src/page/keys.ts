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
} as const;

export type KeyAction = (typeof keys)[keyof typeof keys];

/** The action of a key, but not where one types, chooses or presses a button. */
export function keyAction(event: KeyboardEvent): KeyAction | null {
  const target = event.composedPath()[0] as HTMLElement;
  if (/^(INPUT|TEXTAREA|SELECT|DIALOG)$/.test(target.tagName)) return null;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  return (keys as Record<string, KeyAction>)[event.key] ?? null;
}
