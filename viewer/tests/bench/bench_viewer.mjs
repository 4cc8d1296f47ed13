// Measures the page in Chromium: first picture, frames while it moves, a click, memory.
// Usage: node bench_viewer.mjs [--table FILE] [--only PART] [EVENTS...]; LIGHTCONE_PROGRAM is the
// program, PART `zooming`, `panning` or `clicking`.
// Progress goes to standard error, the tables to standard output and to FILE.
import { rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { generate, serve, temporaryFolder } from '../program.mjs';
import { drawn, hasChromium, launch, useBuiltPage } from '../browser/chromium.mjs';
import { clicks, frames, pan, percentile, tabMemory, zoom } from './measures.mjs';
import { limitsTable, sizesTable } from './tables.mjs';

const pictures = 5; // of which the median counts
const secondsPerSize = 240; // then the next one is measured

if (!hasChromium) throw new Error('chromium is not installed');
const words = process.argv.slice(2);
const option = (name) => (words.includes(name) ? words.splice(words.indexOf(name), 2)[1] : '');
const tableFile = option('--table');
const only = option('--only');
const sizes = words.map(Number);
if (sizes.some((events) => !(events > 0))) throw new Error('numbers of events are expected');
if (sizes.length === 0) sizes.push(10_000, 100_000, 1_000_000, 10_000_000);
const folder = temporaryFolder();

const began = performance.now();
function progress(text) {
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.error(`${seconds.padStart(4)} s  ${text}`);
}

/** Opens the page in a new tab. Returns it and the milliseconds until the diagram is drawn. */
async function picture(context, address) {
  const page = await context.newPage();
  await useBuiltPage(page);
  const opened = performance.now();
  await page.goto(address, { timeout: 60_000 });
  await drawn(page);
  return { page, time: performance.now() - opened };
}

/** What is measured of a page that is open, in this order. */
const parts = {
  zooming: (page) => frames(page, () => zoom(page)),
  panning: (page) => frames(page, () => pan(page)),
  clicking: async (page) => {
    await page.keyboard.press('f');
    return clicks(page);
  },
};
if (only && !parts[only]) throw new Error(`--only: one of ${Object.keys(parts).join(', ')} is expected`);

async function measurePage(context, own, events, note) {
  const times = [];
  let page;
  for (let i = 0; i < (only ? 1 : pictures); ++i) {
    await page?.close();
    const first = await picture(context, own.address);
    page = first.page;
    times.push(first.time);
  }
  note(`first picture after ${percentile(times, 0.5).toFixed(0)} ms`);
  const measured = { events, picture: times };
  for (const [name, part] of Object.entries(parts)) {
    if (only && name !== only) continue;
    measured[name] = await part(page);
    const { perSecond } = measured[name];
    note(perSecond ? `${name}: ${perSecond.toFixed(0)} frames per second` : name);
  }
  measured.memory = tabMemory(context.browserPid);
  await page.close();
  return measured;
}

/** Everything about a trace of so many events. */
async function measure(context, events) {
  const note = (text) => progress(`${events.toLocaleString('en')} events: ${text}`);
  const file = join(folder, `${events}.lct`);
  note('making the trace');
  generate(file, '-p', '64', '-n', String(events), '--label', 'busy:0.05', '--variable', 'load:0.1');
  note('loading it');
  const begin = performance.now();
  const own = await serve(file);
  const loaded = performance.now() - begin;
  note(`loaded in ${loaded.toFixed(0)} ms`);
  try {
    return { loaded, ...(await measurePage(context, own, events, note)) };
  } finally {
    await own.stop();
    rmSync(file);
  }
}

/** Rejects after some seconds, whatever hangs. */
function within(seconds, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${seconds} seconds`)), seconds * 1000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const load = loadavg()[0];
const browser = await launch();
const session = await browser.newBrowserCDPSession();
const { processInfo } = await session.send('SystemInfo.getProcessInfo');
const context = await browser.newContext({ viewport: { width: 1400, height: 800 } });
context.browserPid = processInfo.find((one) => one.type === 'browser').id;
await (await context.newPage()).goto('about:blank'); // the browser runs before the page is asked for
const measured = [];
let failed = false;
for (const events of sizes) {
  try {
    measured.push(await within(secondsPerSize, measure(context, events)));
  } catch (error) {
    failed = true;
    const why = error.message.split('\n')[0];
    progress(`${events.toLocaleString('en')} events: ${why}`);
    measured.push({ events, error: why });
  }
}
const tables = `${sizesTable(measured)}\n${limitsTable(measured)}\nLoad of the machine before: ${load.toFixed(1)}.\n`;
console.log(tables);
if (tableFile) writeFileSync(tableFile, tables);
await browser.close();
process.exit(failed ? 1 : 0);
