// What is measured of a page that is open: frames, clicks, memory.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export function percentile(values, share) {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)];
}

/** The private memory of the tab, in bytes: that of the renderer process that has most. */
export function tabMemory(browserPid) {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const rows = processes.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).filter(Boolean);
  const own = new Set([String(browserPid)]);
  for (let i = 0; i < 4; ++i) for (const [, pid, parent] of rows) if (own.has(parent)) own.add(pid);
  let most = 0;
  for (const [, pid, , args] of rows) {
    if (!own.has(pid) || !args.includes('--type=renderer')) continue;
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)];
    most = Math.max(most, 1024 * kilobytes.reduce((sum, found) => sum + Number(found[1]), 0));
  }
  return most;
}

/** Seconds that the main thread of the tab has worked. */
async function workOf(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Frames while `move` moves the diagram: the times between them, how many per second, and what
 * the main thread works for one, which depends less on what else runs on the machine. */
export async function frames(page, move) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
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
  const before = await workOf(session);
  await move();
  const times = await page.evaluate(() => {
    window.isCounting = false;
    return window.frameTimes.slice(1);
  });
  const work = ((await workOf(session)) - before) * 1000;
  await session.detach();
  const all = times.reduce((sum, time) => sum + time, 0);
  return { times, perSecond: (1000 * times.length) / all, work: work / times.length };
}

/** In and out again, around a place. */
export async function zoom(page) {
  await page.mouse.move(560, 380);
  for (const direction of [-1, 1]) {
    for (let i = 0; i < 60; ++i) {
      await page.mouse.wheel(0, direction * 90);
      await page.waitForTimeout(16);
    }
  }
}

/** At three levels of zoom. */
export async function pan(page) {
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

/** Begins to measure: from the click to the frame in which the panel shows another event. */
function watchClick() {
  const root = document.querySelector('lightcone-page').shadowRoot;
  const place = () => root.querySelector('lightcone-event-panel')?.shadowRoot.querySelector('#place')?.textContent;
  const before = place();
  window.clickTime = new Promise((resolve) => {
    window.addEventListener('click', () => {
      const begin = performance.now();
      const look = () => (place() === before ? requestAnimationFrame(look) : resolve(performance.now() - begin));
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  });
}

/** Where an event stands on the screen: each time one of another process, further to the right. */
async function pointOfEvent(i) {
  const page = document.querySelector('lightcone-page');
  const diagram = page.shadowRoot.querySelector('lightcone-diagram');
  const process = (i * 7) % Math.min(50, page.trace.processes.length);
  const rank = 1 + Math.floor((page.trace.counts[process] * (i + 0.5)) / 20);
  const { x } = await page.source.event({ process, rank }, page.axis.kind);
  const box = diagram.getBoundingClientRect();
  return { x: box.x + diagram.camera.x(x), y: box.y + diagram.camera.y(diagram.rows.rowOf[process]) };
}

/** Times of clicks into the density of the whole trace. */
export async function clicks(page) {
  const times = [];
  for (let i = 0; i < 20; ++i) {
    const { x, y } = await page.evaluate(pointOfEvent, i);
    await page.evaluate(watchClick);
    await page.mouse.click(x, y);
    times.push(await page.evaluate(() => Promise.race([window.clickTime, new Promise((_, fail) => setTimeout(() => fail(new Error('no event was shown')), 10_000))])));
  }
  return times;
}
