// Dark or light: as the system says, unless the user says otherwise.
import { palette, type Palette } from '../diagram/palette';

const key = 'lightcone-theme';

export function preferredDark(): boolean {
  try {
    const stored = localStorage.getItem(key);
    if (stored) return stored === 'dark';
  } catch {
    // A page from a file may have no storage.
  }
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

export function rememberDark(isDark: boolean): void {
  try {
    localStorage.setItem(key, isDark ? 'dark' : 'light');
  } catch {
    // See above.
  }
}

/** Gives all parts of the page the colours of the diagram. */
export function applyTheme(element: HTMLElement, isDark: boolean): Palette {
  const colours = palette(isDark);
  const field = isDark ? '#1a2129' : '#f3f5f7';
  const variables: Record<string, string> = {
    paper: colours.paper, ink: colours.ink, soft: colours.soft, line: colours.line, field,
    past: colours.past, future: colours.future, concurrent: colours.concurrent, cut: colours.cut,
    witness: colours.witness, hit: colours.hit, link: colours.future, focus: colours.future,
  };
  for (const [name, value] of Object.entries(variables)) element.style.setProperty(`--${name}`, value);
  element.style.colorScheme = isDark ? 'dark' : 'light';
  return colours;
}
