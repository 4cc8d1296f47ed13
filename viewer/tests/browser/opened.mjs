// Opens pages for tests; an error in a script fails the test that closes the page.
import assert from 'node:assert/strict';
import { drawn, useBuiltPage } from './chromium.mjs';

export async function openPage(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 720 } });
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  await useBuiltPage(page);
  await page.goto(address, { timeout: 90_000 });
  await drawn(page);
  return page;
}

export async function close(page) {
  assert.deepEqual(page.errors, []);
  await page.close();
}

/** Waits until the panel shows this event. */
export const selected = (page, place) => page.locator('#place', { hasText: place }).waitFor({ timeout: 10_000 });

/** What `choose` returns of the diagram, which is given by its id. */
export function ofDiagram(page, choose, id = 'diagram') {
  return page.evaluate(
    ([text, name]) => {
      const root = document.querySelector('lightcone-page').shadowRoot;
      return new Function('diagram', `return (${text})(diagram)`)(root.querySelector(`#${name}`));
    },
    [choose.toString(), id],
  );
}
