// Measures the page in Chromium: first picture, frames while it moves, a click, memory.
// Usage: node bench_viewer.mjs [EVENTS...]; LIGHTCONE_PROGRAM is the program.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generate, serve, temporaryFolder } from '../program.mjs';
import { drawn, hasChromium, launch } from '../browser/chromium.mjs';

if (!hasChromium) throw new Error('chromium is not installed');
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(10_000, 100_000, 1_000_000, 10_000_000);
// What ShiViz needs to show so many events, in seconds.
const shiviz = new Map([[10_000, '6'], [100_000, '239']]);
const folder = temporaryFolder();

const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
const milliseconds = (value) => `${value.toFixed(0)} ms`;

/** The private memory of the tab, in bytes: that of the renderer process that has most. */
function tabMemory(browserPid) {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const rows = processes.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter(Boolean);
  const own = new Set([String(browserPid)]);
  for (let i = 0; i < 4; ++i) for (const [, pid, parent] of rows) if (own.has(parent)) own.add(pid);
  let most = 0;
  for (const [, pid, , args] of rows) {
    if (!own.has(pid) || !args.includes('--type=renderer')) continue;
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)].reduce((sum, found) => sum + Number(found[1]), 0);
    most = Math.max(most, kilobytes * 1024);
  }
  return most;
}

/** The times between frames while `move` moves the diagram. */
async function frames(page, move) {
  await page.evaluate(() => {
    window.frameTimes = [];
    window.isCounting = true;
    let last = performance.now();
    const count = (now) => {
      window.frameTimes.push(now - last);
      last = now;
      if (window.isCounting) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  await move();
  return page.evaluate(() => {
    window.isCounting = false;
    return window.frameTimes.slice(1);
  });
}

async function zoom(page) {
  await page.mouse.move(560, 380);
  for (const direction of [-1, 1]) {
    for (let i = 0; i < 60; ++i) {
      await page.mouse.wheel(0, direction * 90);
      await page.waitForTimeout(16);
    }
  }
}

async function pan(page) {
  for (let level = 0; level < 3; ++level) {
    for (let i = 0; i < 8; ++i) await page.mouse.wheel(0, -200);
    await page.waitForTimeout(300);
    await page.mouse.move(700, 380);
    await page.mouse.down();
    for (let i = 0; i < 60; ++i) {
      await page.mouse.move(700 - 8 * i, 380);
      await page.waitForTimeout(8);
    }
    await page.mouse.up();
  }
}

/** Times from choosing an event to the panel that shows it. */
async function clicks(page) {
  return page.evaluate(async () => {
    const element = document.querySelector('lightcone-page');
    const times = [];
    for (let i = 0; i < 20; ++i) {
      const process = (i * 7) % element.trace.processes.length;
      const rank = 1 + Math.floor((element.trace.counts[process] * (i + 0.5)) / 20);
      const begin = performance.now();
      await element.pick({ process, rank }, false);
      await element.updateComplete;
      times.push(performance.now() - begin);
    }
    return times;
  });
}

const chromium = await launch();
const server = await chromium.newBrowserCDPSession();
const { processInfo } = await server.send('SystemInfo.getProcessInfo');
const browserPid = processInfo.find((one) => one.type === 'browser').id;
console.log('| events | ShiViz | loaded | first picture | frames of zoom, p50 / p95 | of pan, p50 / p95 | click, p50 / p95 | memory of the tab |');
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const events of sizes) {
  const file = join(folder, `${events}.lct`);
  generate(file, '-p', '64', '-n', String(events), '--label', 'busy:0.05', '--variable', 'load:0.1');
  const began = performance.now();
  const own = await serve(file);
  const loaded = performance.now() - began;
  const page = await chromium.newPage({ viewport: { width: 1400, height: 800 } });
  const opened = performance.now();
  await page.goto(own.address);
  await drawn(page);
  const first = performance.now() - opened;
  const zooming = await frames(page, () => zoom(page));
  const panning = await frames(page, () => pan(page));
  const clicking = await clicks(page);
  const memory = tabMemory(browserPid);
  const pair = (values) => `${milliseconds(percentile(values, 0.5))} / ${milliseconds(percentile(values, 0.95))}`;
  const other = shiviz.has(events) ? `${shiviz.get(events)} s` : '';
  console.log(
    `| ${events.toLocaleString('en')} | ${other} | ${(loaded / 1000).toFixed(1)} s | ${milliseconds(first)} | ${pair(zooming)} | ${pair(panning)} | ${pair(clicking)} | ${(memory / 2 ** 20).toFixed(0)} MB |`,
  );
  await page.close();
  await own.stop();
  rmSync(file);
}
await chromium.close();
