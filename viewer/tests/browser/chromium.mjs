// Chromium, as the tests and measurements of the page use it.
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(executablePath);

/** Nothing of what it does by itself: no updates, no synchronisation. */
export function launch(...more) {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', ...more,
    ],
  });
}

/** Shows the page of the file LIGHTCONE_PAGE, if it is set, instead of the one in the program. */
export async function useBuiltPage(page) {
  const built = process.env.LIGHTCONE_PAGE;
  if (!built) return;
  const body = readFileSync(built, 'utf8');
  await page.route((url) => url.pathname === '/', (route) => route.fulfill({ body, contentType: 'text/html' }));
}

/** Waits until the diagram is drawn. */
export async function drawn(page) {
  await page.locator('#level', { hasText: /Exact|Density/ }).waitFor({ timeout: 30_000 });
}

/** The middle of an event on the screen, by process and position on the axis. */
export async function pointOf(page, process, position) {
  return page.evaluate(
    ([p, x]) => {
      const root = document.querySelector('lightcone-page').shadowRoot;
      const diagram = root.querySelector('lightcone-diagram');
      const box = diagram.getBoundingClientRect();
      return { x: box.x + diagram.camera.x(x), y: box.y + diagram.camera.y(diagram.rows.rowOf[p]) };
    },
    [process, position],
  );
}
