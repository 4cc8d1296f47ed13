// The page of the monitor in a real browser: the list of executions, and one that is opened from it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { temporaryFolder } from '../program.mjs';
import { drawn, hasChromium, launch } from './chromium.mjs';
import { close, ofDiagram } from './opened.mjs';
import { lines } from './trace.mjs';

if (!hasChromium) {
  console.log('SKIPPED: chromium is not installed');
  process.exit(0);
}

const folder = temporaryFolder();
const token = '0123456789abcdef0123';
let browser, monitor;

/** Starts a monitor that keeps executions. Returns where it listens and serves. */
async function start(...words) {
  const child = spawn(process.env.LIGHTCONE_MONITOR, [
    join(folder, 'rules.prop'), '--listen', '127.0.0.1:0', '--http', '127.0.0.1:0', '--keep', join(folder, 'kept'), ...words,
  ], { stdio: ['ignore', 'ignore', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL'));
  let said = '';
  const port = (what) => said.match(new RegExp(`${what} at 127.0.0.1:(\\d+)`))?.[1];
  await new Promise((resolve, reject) => {
    child.stderr.on('data', (text) => {
      said += text;
      if (port('serves metrics') && port('listens')) resolve();
    });
    child.on('exit', () => reject(new Error(said)));
  });
  return { lines: port('listens'), web: `http://127.0.0.1:${port('serves metrics')}/`, child };
}

/** Sends lines of an execution, and waits until they are stored. */
function send(to, execution, texts) {
  return new Promise((resolve, reject) => {
    const socket = connect(to.lines, '127.0.0.1');
    socket.on('error', reject);
    socket.on('data', (text) => {
      if (!String(text).includes('"stored"')) return;
      socket.end();
      resolve();
    });
    socket.write(`${[JSON.stringify({ lightcone: 1, execution, answers: true, token }), ...texts].join('\n')}\n`);
  });
}

/** Ends an execution. */
function end(to, execution) {
  return new Promise((resolve, reject) => {
    const socket = connect(to.lines, '127.0.0.1');
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.resume();
    socket.end(`${JSON.stringify({ lightcone: 1, execution, token, end: true })}\n`);
  });
}

async function open(address) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 720 } });
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  await page.goto(address, { timeout: 90_000 });
  return page;
}
/** A picture, if someone wants to look at it. */
async function picture(page, name) {
  const pictures = process.env.LIGHTCONE_PICTURES;
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

before(async () => {
  writeFileSync(join(folder, 'rules.prop'), 'forbid both : possibly count(inside) >= 2\nforbid leaving : some flow contains leave -> done\n');
  browser = await launch();
  monitor = await start();
  await send(monitor, 'order 17', lines());
  await end(monitor, 'order 17');
  await send(monitor, 'order 18', lines().slice(1, 6));
});
after(async () => {
  await browser.close();
  monitor.child.kill('SIGKILL');
});

test('failing executions are listed with their verdicts, and a click opens one', async () => {
  const page = await open(monitor.web);
  const kept = page.locator('#kept tr', { hasText: 'order 17' });
  await kept.waitFor({ timeout: 30_000 });
  assert.match(await kept.innerText(), /fail both/);
  assert.match(await kept.innerText(), /fail leaving/);
  await picture(page, 'list');
  await kept.locator('a').click();
  await drawn(page);
  const rows = await ofDiagram(page, (diagram) => diagram.rows.rows.map((row) => row.name));
  assert.deepEqual([...rows].sort(), ['alpha', 'beta', 'gamma']);
  await page.getByText('order 17', { exact: true }).waitFor({ timeout: 10_000 });
  await picture(page, 'kept');
  await page.keyboard.press('Enter');
  await page.locator('#place').waitFor({ timeout: 10_000 });
  await close(page);
});

test('an open execution is shown as far as it is, and grows', async () => {
  const page = await open(monitor.web);
  const row = page.locator('#open tr', { hasText: 'order 18' });
  await row.waitFor({ timeout: 30_000 });
  await row.locator('a').click();
  await drawn(page);
  assert.equal(await ofDiagram(page, (diagram) => diagram.trace.events), 4);
  await send(monitor, 'order 18', lines().slice(6));
  await page.waitForFunction(
    () => document.querySelector('lightcone-page').shadowRoot.querySelector('#diagram').trace.events === 13,
    undefined,
    { timeout: 60_000 },
  );
  await picture(page, 'open');
  await close(page);
});

test('nothing is shown without the token, to other pages, or outside of the folder', async () => {
  writeFileSync(join(folder, 'tokens'), `${token} me\n`, { mode: 0o600 });
  const guarded = await start('--tokens', join(folder, 'tokens'));
  assert.equal((await fetch(`${guarded.web}executions`)).status, 401);
  assert.equal((await fetch(guarded.web)).status, 401);
  const page = await open(`${guarded.web}?token=${token}`);
  await page.locator('#kept a', { hasText: 'order 17' }).click();
  await drawn(page);
  await close(page);
  guarded.child.kill('SIGKILL');

  const ask = (path, headers = {}) => fetch(monitor.web + path, { headers }).then((answer) => answer.status);
  assert.equal(await ask('executions'), 200);
  assert.equal(await ask('executions', { origin: 'http://example.org' }), 403);
  assert.equal(await ask('view/kept/..%2f..%2frules/api/trace'), 404);
  assert.equal(await ask('view/kept/nothing/api/trace'), 404);
});
