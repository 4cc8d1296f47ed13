// Two runs, many processes and groups in a real browser.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { generate, run, serve, stopAll, temporaryFolder } from '../program.mjs';
import { hasChromium, launch, pointOf } from './chromium.mjs';
import { close, ofDiagram, openPage, selected } from './opened.mjs';
import { lines } from './trace.mjs';

if (!hasChromium) {
  console.log('SKIPPED: chromium is not installed');
  process.exit(0);
}

const folder = temporaryFolder();
const file = join(folder, 'locks.jsonl');
let browser;

before(async () => {
  writeFileSync(file, `${lines().join('\n')}\n`);
  browser = await launch();
});
after(async () => {
  await browser.close();
  stopAll(); // those of tests that failed
});
const open = (hash, address) => openPage(browser, address + hash);

test('processes are ordered and hidden', async () => {
  const own = await serve(file);
  const page = await open('#tab=processes', own.address);
  await page.locator('lightcone-processes-panel select').selectOption('first');
  await page.locator('lightcone-processes-panel label', { hasText: 'beta' }).locator('input').click();
  await page.locator('#level', { hasText: '1 process hidden with 4 events' }).waitFor();
  const rows = await page.evaluate(() => document.querySelector('lightcone-page').shadowRoot.querySelector('lightcone-diagram').rows.rows.map((row) => row.name));
  assert.deepEqual(rows, ['alpha', 'gamma']);
  await close(page);
  await own.stop();
});

test('groups of the property file and of the user are rows', async () => {
  const props = join(folder, 'groups.prop');
  writeFileSync(props, 'group greek = alpha, gamma\nforbid both : possibly count(inside in greek) >= 2\n');
  const own = await serve(file, '--props', props);
  const page = await open('#tab=processes', own.address);
  const rows = () => ofDiagram(page, (diagram) => diagram.rows.rows.map((row) => [row.name, row.processes]));
  const panel = page.locator('lightcone-processes-panel');
  await panel.locator('label', { hasText: 'greek in one row' }).locator('input').click();
  await page.waitForTimeout(200);
  assert.deepEqual(await rows(), [['greek', [0, 2]], ['beta', [1]]]);
  await panel.locator('label', { hasText: 'greek in one row' }).locator('input').click();
  await panel.locator('input[type=search]').fill('ET');
  await panel.getByRole('button', { name: 'Group these' }).click();
  await panel.locator('label', { hasText: '*ET* in one row' }).waitFor();
  assert.deepEqual(await rows(), [['alpha', [0]], ['*ET*', [1]], ['gamma', [2]]]);
  await close(page);
  await own.stop();
});

test('of many processes those in sight are shown, exactly when near', async () => {
  const many = join(folder, 'many.lct');
  generate(many, '-p', '3000', '-n', '60000', '--label', 'a:0.1');
  const own = await serve(many);
  const page = await open('', own.address);
  await page.locator('#level', { hasText: /^Of \d+ processes in sight/ }).waitFor();
  const listed = () => ofDiagram(page, ({ tiles }) => tiles.current.query.processes);
  assert.equal((await listed())[0], 0);
  const box = await page.locator('lightcone-diagram canvas').boundingBox();
  await page.mouse.move(box.x + 500, box.y + 300);
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, 20_000);
  await page.keyboard.up('Alt');
  await page.waitForFunction(() => document.querySelector('lightcone-page').shadowRoot.querySelector('#diagram').tiles.current?.query.processes[0] > 1000);
  await page.keyboard.press('Enter');
  await page.locator('#place').waitFor();
  await page.keyboard.press('z');
  await page.locator('#level', { hasText: /Exact/ }).waitFor();
  await close(page);
  await own.stop();
});

test('two runs stand side by side, and their first difference is marked', async () => {
  const other = join(folder, 'other.jsonl');
  writeFileSync(other, `${lines().join('\n')}\n`.replace('"y":6', '"y":7'));
  const own = await serve(file, '--second', other);
  const page = await open('', own.address);
  await page.locator('lightcone-comparison-panel #answer', { hasText: 'The runs differ' }).waitFor();
  assert.equal(await page.locator('lightcone-comparison-panel li').count(), 1);
  assert.match(await page.locator('lightcone-comparison-panel li').textContent(), /beta:2.*y = 6.*y = 7/s);
  const marked = await page.evaluate(() => {
    const root = document.querySelector('lightcone-page').shadowRoot;
    return ['#diagram', '#second'].map((id) => {
      const { highlights, alike } = root.querySelector(id);
      return [highlights.points.process, highlights.points.rank, alike];
    });
  });
  assert.deepEqual(marked[0], marked[1]);
  assert.deepEqual(marked[0].slice(0, 2), [[1], [2]]);
  assert.equal(marked[0][2][1], 1, 'one event of beta is the same in both');
  await page.locator('lightcone-comparison-panel li button').first().click();
  await page.waitForFunction(() => document.querySelector('lightcone-page').shadowRoot.querySelector('#diagram').selection?.rank === 2);
  const views = await page.evaluate(() => {
    const root = document.querySelector('lightcone-page').shadowRoot;
    return ['#diagram', '#second'].map((id) => root.querySelector(id).camera.view);
  });
  assert.ok(Math.abs(views[0].from - views[1].from) < 1e-6 && Math.abs(views[0].to - views[1].to) < 1e-6);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'SVG', exact: true }).click(),
  ]);
  const picture = readFileSync(await download.path(), 'utf8');
  assert.equal(picture.match(/>gamma<\/text>/g).length, 2, 'both runs are in the picture');
  const names = [...picture.matchAll(/ id="([^"]*)"/g)].map((found) => found[1]);
  assert.equal(new Set(names).size, names.length);
  await page.getByRole('tab', { name: 'Event' }).click();
  await page.locator('#event #note', { hasText: 'Here this process differs first' }).waitFor();
  assert.match(await page.locator('#second-event #variables').textContent(), /y\s*7/);
  assert.match(await page.locator('#event #variables').textContent(), /y\s*6/);
  await page.locator('#second-event button', { hasText: '← before' }).click();
  await page.locator('#second-event #place', { hasText: /^beta:1/ }).waitFor();
  await page.locator('#event #place', { hasText: /^beta:1/ }).waitFor();
  await page.locator('#event #note', { hasText: 'The same in both runs' }).waitFor();
  await page.keyboard.press('ArrowUp'); // in the run that was clicked last
  await page.locator('#second-event #place', { hasText: /^alpha:1/ }).waitFor();
  await close(page);
  await own.stop();
  const html = join(folder, 'two.html');
  assert.equal(run('view', file, '--second', other, '--export', html).status, 0);
  const exported = await open('', pathToFileURL(html).href);
  await exported.locator('lightcone-comparison-panel #answer', { hasText: 'The runs differ' }).waitFor();
  await close(exported);
});

test('the comparison is made again when a run grows', async () => {
  const [first, second] = [join(folder, 'first.jsonl'), join(folder, 'grows.jsonl')];
  const all = lines();
  writeFileSync(first, `${all.slice(0, 9).join('\n')}\n`);
  writeFileSync(second, `${all.slice(0, 9).join('\n')}\n`);
  const own = await serve(first, '--second', second);
  const page = await open('', own.address);
  const answer = page.locator('lightcone-comparison-panel #answer');
  await answer.filter({ hasText: 'Both runs are the same' }).waitFor();
  const marked = () => ofDiagram(page, (diagram) => diagram.highlights.points.process, 'second');
  assert.deepEqual(await marked(), []);
  appendFileSync(second, `${all.slice(9, 12).join('\n')}\n`);
  await answer.filter({ hasText: 'The runs differ' }).waitFor({ timeout: 15_000 });
  assert.equal((await marked()).length, 2, 'two processes go on in the second run alone');
  appendFileSync(first, `${all.slice(9, 12).join('\n')}\n`);
  await answer.filter({ hasText: 'Both runs are the same' }).waitFor({ timeout: 15_000 });
  await close(page);
  assert.equal(await own.stop(), 0);
});
