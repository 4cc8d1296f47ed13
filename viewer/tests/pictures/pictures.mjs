// Opens the page at a trace, does something with it, and takes a picture.
import { drawn, useBuiltPage } from '../browser/chromium.mjs';
import { serve } from '../program.mjs';

export const repository = new URL('../../..', import.meta.url).pathname;
export const shiviz = `${repository}tests/golden/data/shiviz/`;

/** What can be done before a picture is taken. */
export const acts = {
  async select(page) {
    await page.evaluate(async () => {
      const own = document.querySelector('lightcone-page');
      const process = Math.floor(own.trace.processes.length / 2);
      await own.pick({ process, rank: Math.floor((own.trace.counts[process] + 1) / 2) }, 'reveal');
    });
    await page.locator('#place').waitFor();
  },
  async cut(page) {
    const box = await page.locator('lightcone-diagram').first().boundingBox();
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + box.height * 0.4);
    await page.locator('#state').waitFor();
  },
  async approach(page) {
    await page.keyboard.press('z');
  },
  async difference(page) {
    await page.locator('lightcone-comparison-panel li button').first().click();
  },
  async witness(page) {
    await page.locator('lightcone-properties-panel li button').first().click();
    await page.locator('#witness').waitFor();
  },
  async races(page) {
    await page.locator('lightcone-races-panel button').first().click();
  },
};

/** Shows a trace, and calls `take` with the page. Returns what the page says of its level of zoom. */
export async function show(browser, { words, hash = '', act, size }, take) {
  const own = await serve(...words);
  const page = await browser.newPage({ viewport: size ?? { width: 1400, height: 800 } });
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await useBuiltPage(page);
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(own.address + hash, { timeout: 60_000 });
    await drawn(page);
    if (act) await acts[act](page);
    await page.waitForTimeout(1200);
    await take(page);
    if (errors.length > 0) throw new Error(errors.join('; '));
    return await page.locator('#level').textContent();
  } finally {
    await page.close();
    await own.stop();
  }
}
