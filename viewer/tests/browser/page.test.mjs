// The page in a real browser, as a user drives it.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { generate, run, serve, stopAll, temporaryFolder } from '../program.mjs';
import { drawn, hasChromium, launch, pointOf } from './chromium.mjs';
import { close, ofDiagram, openPage, selected } from './opened.mjs';
import { greatestBelow, isConsistent, leastAbove, lines, processes, stateAt } from './trace.mjs';

if (!hasChromium) {
  console.log('SKIPPED: chromium is not installed');
  process.exit(0);
}

const folder = temporaryFolder();
const file = join(folder, 'locks.jsonl');
const props = join(folder, 'locks.prop');
let browser, server;

before(async () => {
  writeFileSync(file, `${lines().join('\n')}\n`);
  writeFileSync(props, 'forbid both : possibly count(inside) >= 2\nwatch asked : some flow over {request, done} ends with request -> done\n');
  [browser, server] = await Promise.all([launch(), serve(file, '--props', props)]);
});
after(async () => {
  await browser.close();
  assert.equal(await server.stop(), 0);
  stopAll(); // those of tests that failed
});

const open = (hash = '', address = server.address) => openPage(browser, address + hash);

/** The table beside the cut: ranks, and the variables of each process. */
async function shownState(page) {
  const rows = await page.locator('#state tr').evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
  );
  const names = rows[0].slice(2).filter((name) => name !== 'labels');
  const ranks = rows.slice(1).map((row) => Number(row[1].replace(/[^0-9]/g, '')));
  const state = rows.slice(1).map((row) =>
    Object.fromEntries(names.map((name, i) => [name, row[2 + i]]).filter(([, value]) => value !== '')),
  );
  return { ranks, state };
}

test('an event is zoomed to, selected, and walked from along its causes', async () => {
  const page = await open();
  const target = await pointOf(page, 0, 6);
  await page.mouse.move(target.x, target.y);
  for (let i = 0; i < 4; ++i) await page.mouse.wheel(0, -240);
  await page.waitForTimeout(200);
  const near = await pointOf(page, 0, 6);
  assert.ok(Math.abs(near.x - target.x) < 3, 'zooming keeps what is under the cursor');
  const further = await pointOf(page, 0, 7);
  assert.ok(further.x - near.x > 100, 'it is zoomed in');
  await page.mouse.click(near.x, near.y);
  await selected(page, /^alpha:3 receive/);
  assert.match(await page.locator('lightcone-event-panel .cones').textContent(), /6 in the past.*4 in the future.*2 concurrent/s);
  assert.match(await page.locator('#variables').textContent(), /x\s*3\s*was\s*2/);
  for (const [key, place] of [
    ['ArrowUp', /^gamma:2 send/], ['ArrowLeft', /^gamma:1 receive/], ['ArrowUp', /^beta:2 send/], ['ArrowLeft', /^beta:1 receive/],
    ['ArrowUp', /^alpha:1 send/], ['ArrowRight', /^alpha:2 internal/], ['ArrowLeft', /^alpha:1 send/], ['ArrowDown', /^beta:1 receive/],
  ]) {
    await page.keyboard.press(key);
    await selected(page, place);
  }
  assert.match(await page.locator('#announcement').textContent(), /beta:1, receive/);
  await close(page);
});

test('a cut is dragged to the nearest consistent one, with its state', async () => {
  const page = await open('#cut=0.0.0&tab=cut');
  const drag = async (process, to) => {
    const handle = await page.evaluate((p) => {
      const root = document.querySelector('lightcone-page').shadowRoot;
      const diagram = root.querySelector('lightcone-diagram');
      const [at, next] = [diagram.cut.at[p], diagram.cut.next[p]].map((x) => diagram.camera.x(x));
      const box = diagram.getBoundingClientRect();
      return { x: box.x + at + Math.min(16, (next - at) / 2), y: box.y + diagram.camera.y(diagram.rows.rowOf[p]) };
    }, process);
    const target = await pointOf(page, process, to + 0.3);
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move((handle.x + target.x) / 2, target.y, { steps: 3 });
    await page.mouse.move(target.x, target.y, { steps: 3 });
    await page.mouse.up();
  };
  const expectState = async (ranks) => {
    await page.waitForFunction((wanted) => {
      const root = document.querySelector('lightcone-page').shadowRoot;
      return root.querySelector('lightcone-diagram').cut.ranks.join() === wanted;
    }, ranks.join());
    await page.locator('#inevitable', { hasText: /inevitable/i }).waitFor();
    const shown = await shownState(page);
    assert.deepEqual(shown.ranks, ranks);
    assert.deepEqual(shown.state, stateAt(ranks));
  };
  await drag(0, 6); // alpha's third event needs all that led to it
  const first = leastAbove([3, 0, 0]);
  await expectState(first);
  await drag(1, 2); // beta loses its second event, and what needs it is lost with it
  await expectState(greatestBelow([first[0], 1, first[2]]));
  await page.locator('lightcone-cut-panel button', { hasText: 'inevitable ▷' }).click();
  await page.locator('#inevitable', { hasText: /^Inevitable/ }).waitFor();
  await close(page);
});

test('a double click makes a cut there, and its panel stays', async () => {
  const page = await open();
  const point = await pointOf(page, 1, 3.4);
  await page.mouse.dblclick(point.x, point.y);
  await page.locator('#state').waitFor();
  await page.waitForTimeout(900); // the clicks have been answered, too
  const cut = await ofDiagram(page, ({ cut: { ranks, at } }) => ({ ranks, at }));
  assert.ok(isConsistent(cut.ranks));
  assert.ok(cut.at.every((x) => x <= 3.4) && cut.ranks[0] + cut.ranks[1] > 2, cut.ranks.join());
  assert.equal(await page.locator('#state').count(), 1);
  await close(page);
});

test('many variables of few processes stand below each other', async () => {
  const wide = join(folder, 'wide.jsonl');
  const vars = Object.fromEntries(Array.from({ length: 9 }, (_, v) => [`v${v}`, v * v]));
  writeFileSync(wide, `${JSON.stringify({ process: 'p', kind: 'internal', vars, labels: ['set'] })}\n`);
  const own = await serve(wide);
  const page = await open('#cut=1&tab=cut', own.address);
  await page.locator('#state').waitFor();
  const rows = await page.locator('#state tr').evaluateAll((all) =>
    all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())),
  );
  assert.deepEqual(rows[0], ['process', 'p']);
  assert.match(rows[1][1], /1/);
  assert.deepEqual(rows.slice(2), [...Object.entries(vars).map(([name, value]) => [name, String(value)]), ['labels', 'set']]);
  const isInside = await page.locator('#state').evaluate((table) => table.offsetWidth <= table.parentElement.clientWidth);
  assert.ok(isInside, 'nothing is cut off');
  await close(page);
  await own.stop();
});

test('a property that is typed gets its verdict and its witness', async () => {
  const page = await open('#tab=properties');
  await page.locator('#summary', { hasText: '1 property failed, of 2' }).waitFor();
  const area = page.locator('lightcone-property-editor textarea');
  await area.fill('forbid wrong : posibly x\n');
  await page.locator('#error', { hasText: 'Line 1' }).waitFor();
  assert.equal(await page.locator('lightcone-property-editor .wrong').textContent(), 'posibly');
  await area.fill('forbid reached : some flow over {request, done} ends with request -> done\n');
  await page.locator('lightcone-properties-panel li.fail', { hasText: 'reached' }).waitFor();
  await page.locator('lightcone-properties-panel li button').first().click();
  await page.locator('#witness', { hasText: 'A flow that matches' }).waitFor();
  const shown = await page.waitForFunction(() => {
    const { highlights } = document.querySelector('lightcone-page').shadowRoot.querySelector('lightcone-diagram');
    return highlights.path?.process.map((process, i) => `${process}:${highlights.path.rank[i]}`);
  });
  const path = await shown.jsonValue();
  assert.equal(path[0].startsWith('0:'), true);
  assert.equal(path.at(-1), '2:3');
  await area.fill('forbid both : possibly count(inside) >= 2\n');
  await page.locator('lightcone-properties-panel li.fail', { hasText: 'both' }).waitFor();
  await page.locator('lightcone-properties-panel li button').first().click();
  await page.locator('#witness', { hasText: 'In this global state' }).waitFor();
  const found = await page.waitForFunction(() =>
    document.querySelector('lightcone-page').shadowRoot.querySelector('lightcone-diagram').cut?.ranks);
  const cut = await found.jsonValue();
  assert.deepEqual([cut[0], cut[1]], [4, 3], 'both are inside');
  await close(page);
});

test('a witness of `definitely` is played step by step, one of logic has reasons', async () => {
  const examples = fileURLToPath(new URL('../../../examples/properties/', import.meta.url));
  const own = await serve('--props', `${examples}checkpoint.prop`, `${examples}hurried.jsonl`);
  const page = await open('#tab=properties', own.address);
  await page.locator('lightcone-properties-panel li.fail button', { hasText: 'all_paused' }).click();
  await page.locator('#witness', { hasText: 'An observation that shows it' }).waitFor();
  const steps = Number(/of (\d+) step/.exec(await page.locator('.play').textContent())[1]);
  assert.ok(steps > 0);
  const cuts = [];
  for (let i = 0; i < steps; ++i) {
    await page.getByRole('button', { name: 'step forward' }).click();
    await page.locator('.play', { hasText: `${i + 1} of ${steps}` }).waitFor();
    await page.waitForTimeout(100);
    cuts.push(await ofDiagram(page, ({ cut }) => cut.events));
  }
  assert.deepEqual(cuts, [...cuts].sort((a, b) => a - b), 'the cut goes on from step to step');
  assert.ok(cuts.at(-1) > cuts[0]);
  await close(page);
  await own.stop();
  const logic = await serve('--props', `${examples}interval.prop`, `${examples}unsynced.jsonl`);
  const other = await open('#tab=properties', logic.address);
  await other.locator('lightcone-properties-panel li.fail button', { hasText: 'unsynced' }).first().click();
  await other.locator('#witness', { hasText: 'Because' }).waitFor();
  assert.match(await other.locator('#witness').textContent(), /disk:5/);
  const points = await ofDiagram(other, ({ highlights }) => highlights.points.rank.length);
  assert.ok(points > 0);
  await close(other);
  await logic.stop();
});

test('search finds labels and states, and goes from hit to hit', async () => {
  const page = await open();
  const box = page.locator('lightcone-search-bar');
  await page.locator('lightcone-diagram canvas').focus();
  await page.keyboard.press('/');
  await page.keyboard.type('ENTER');
  await page.keyboard.press('Enter');
  await box.locator('.count', { hasText: '1 of 2' }).waitFor();
  await selected(page, /^beta:3/); // the leftmost comes first
  await box.locator('button[aria-label="next hit"]').click();
  await box.locator('.count', { hasText: '2 of 2' }).waitFor();
  await box.locator('select').selectOption('expression');
  await box.locator('input').fill('x >= 2 and not inside');
  await box.locator('input').press('Enter');
  await box.locator('.count', { hasText: /of 3/ }).waitFor();
  await box.locator('input').fill('x >');
  await box.locator('input').press('Enter');
  await box.locator('.problem').waitFor();
  await close(page);
});

test('races show what came and what could have come', async () => {
  const racing = join(folder, 'racing.jsonl');
  generate(racing, '-p', '4', '-n', '60');
  const own = await serve(racing);
  const page = await open('#tab=races', own.address);
  await page.locator('lightcone-races-panel #count', { hasText: /could have/ }).waitFor();
  const others = page.locator('lightcone-races-panel .others button');
  assert.ok((await others.count()) > 0);
  await others.first().click();
  await page.waitForFunction(() =>
    document.querySelector('lightcone-page').shadowRoot.querySelector('lightcone-diagram').highlights.arrows.length === 2);
  await close(page);
  await own.stop();
});

test('the address holds what is looked at', async () => {
  const page = await open();
  const point = await pointOf(page, 1, 3);
  await page.mouse.click(point.x, point.y);
  await selected(page, /^beta:2/);
  await page.keyboard.press('c');
  await page.locator('lightcone-cut-panel #state').waitFor();
  await page.locator('#axis').selectOption('order');
  await page.keyboard.press('+');
  await page.waitForTimeout(500);
  const hash = await page.evaluate(() => location.hash);
  const other = await open(hash);
  await other.locator('lightcone-cut-panel #state').waitFor();
  const look = (one) => one.evaluate(() => {
    const diagram = document.querySelector('lightcone-page').shadowRoot.querySelector('lightcone-diagram');
    const { from, to } = diagram.camera.view;
    return { from: from.toFixed(6), to: to.toFixed(6), axis: diagram.axis.kind, cut: diagram.cut.ranks, event: [diagram.selection.process, diagram.selection.rank] };
  });
  assert.deepEqual(await look(other), await look(page));
  assert.deepEqual((await look(page)).event, [1, 2]);
  await close(page);
  await close(other);
});

test('an address that is typed is followed: search, properties, rows', async () => {
  const page = await open();
  await page.evaluate(() => (location.hash = new URLSearchParams({ search: 'label:enter', properties: 'forbid seen : some flow over {enter} ends with enter\n', hidden: 'gamma', group: 'a', tab: 'properties', order: 'name' }).toString()));
  await page.locator('lightcone-properties-panel li.fail', { hasText: 'seen' }).waitFor();
  await page.locator('lightcone-search-bar .count', { hasText: '1 of 2' }).waitFor();
  await page.locator('#level', { hasText: '1 process hidden' }).waitFor();
  await page.waitForTimeout(400); // the address is written again
  const hash = await page.evaluate(() => location.hash);
  for (const part of ['search=label%3Aenter', 'properties=forbid', 'hidden=gamma', 'group=a', 'order=name']) assert.ok(hash.includes(part), part);
  await close(page);
});

test('all of it can be done by keys', async () => {
  const page = await open();
  await page.locator('lightcone-diagram canvas').focus();
  await page.keyboard.press('Enter');
  await page.locator('#place').waitFor();
  await page.keyboard.press('2');
  await page.locator('lightcone-cut-panel').waitFor();
  await page.keyboard.press('c');
  await page.locator('#state').waitFor();
  await page.keyboard.press('5');
  await page.locator('lightcone-processes-panel').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await page.locator('lightcone-event-panel', { hasText: 'Click an event' }).waitFor();
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await close(page);
});

test('an exported page works from a file, without any network', async () => {
  const html = join(folder, 'page.html');
  const { status, stdout, stderr } = run('view', file, '--props', props, '--export', html);
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
  const context = await browser.newContext({ offline: true, viewport: { width: 1300, height: 720 } });
  const page = await context.newPage();
  const asked = [];
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.on('request', (request) => /^(file|data|blob):/.test(request.url()) || asked.push(request.url()));
  await page.goto(`${pathToFileURL(html)}#event=alpha:3&cut=3.0.0&tab=cut`);
  await drawn(page);
  await page.locator('lightcone-cut-panel #state').waitFor();
  const expected = leastAbove([3, 0, 0]);
  const shown = await shownState(page);
  assert.deepEqual(shown, { ranks: expected, state: stateAt(expected) });
  await page.getByRole('tab', { name: 'Properties' }).click();
  await page.locator('#summary', { hasText: '1 property failed' }).waitFor();
  await page.locator('lightcone-properties-panel li button').nth(1).click();
  await page.locator('#witness', { hasText: 'A flow that matches' }).waitFor();
  assert.deepEqual(asked, []);
  await close(page);
  await context.close();
});

test('nothing runs off the window, however wide it is and however long the name', async () => {
  const long = join(folder, 'a-run-with-a-name-that-tells-where-when-and-by-whom-it-was-made.jsonl');
  const html = join(folder, 'wide.html');
  writeFileSync(long, `${lines().join('\n')}\n`);
  assert.equal(run('view', long, '--second', file, '--props', props, '--export', html).status, 0);
  for (const width of [800, 1100, 1400]) {
    const page = await browser.newPage({ viewport: { width, height: 720 } });
    await page.goto(`${pathToFileURL(html).href}#search=label%3Aenter`);
    await drawn(page);
    await page.locator('lightcone-search-bar .count', { hasText: '2' }).waitFor({ timeout: 10_000 });
    const outside = await page.evaluate(() => {
      const found = [];
      const look = (root) => {
        for (const each of root.querySelectorAll('*')) {
          const { width: its, left, right } = each.getBoundingClientRect();
          if (its > 0 && (left < -0.5 || right > innerWidth + 0.5)) found.push(each.tagName);
          if (each.shadowRoot) look(each.shadowRoot);
        }
      };
      look(document);
      return found;
    });
    assert.deepEqual(outside, [], `${width} pixels`);
    await page.close();
  }
});

test('what is visible is saved as SVG and PNG', async () => {
  const page = await open('#event=alpha:3&cut=3.2.2');
  for (const [name, begins] of [['SVG', '<svg '], ['PNG', '\x89PNG']]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    const text = readFileSync(await download.path(), 'latin1');
    assert.ok(text.startsWith(begins), name);
    if (name === 'SVG') assert.match(text, />alpha<\/text>/);
  }
  await close(page);
});

test('a growing trace is followed, unless it is held', async () => {
  const growing = join(folder, 'growing.jsonl');
  const all = lines();
  writeFileSync(growing, `${all.slice(0, 8).join('\n')}\n`);
  const own = await serve(growing);
  const page = await open('', own.address);
  const count = page.locator('#size');
  await count.filter({ hasText: /^6 events/ }).waitFor();
  appendFileSync(growing, `${all.slice(8, 10).join('\n')}\n`);
  await count.filter({ hasText: /^8 events/ }).waitFor({ timeout: 15_000 });
  await page.locator('#hold').click();
  appendFileSync(growing, `${all.slice(10).join('\n')}\n`);
  await page.waitForTimeout(2500);
  assert.match(await count.textContent(), /^8 events/);
  await page.locator('#hold').click();
  await count.filter({ hasText: /^13 events/ }).waitFor({ timeout: 15_000 });
  await close(page);
  assert.equal(await own.stop(), 0);
});

test('a long trace is shown as density and clicked on', async () => {
  const long = join(folder, 'long.lct');
  generate(long, '-p', '12', '-n', '60000', '--label', 'a:0.1');
  const own = await serve(long);
  const page = await open('', own.address);
  await page.locator('#level', { hasText: 'Density: 60,000 events' }).waitFor();
  const point = await pointOf(page, 3, 1500);
  await page.mouse.click(point.x, point.y);
  await selected(page, /^p4:/);
  await page.keyboard.press('z');
  await page.locator('#level', { hasText: /^Exact/ }).waitFor();
  await close(page);
  await own.stop();
});

test('others are refused: without the token, by another Host, from another Origin', async () => {
  const { base, token, port } = server;
  const { request } = await import('node:http');
  const status = (path, headers = {}) =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on('error', reject);
      asked.end();
    });
  assert.equal(await status(`/api/trace?token=${token}`), 200);
  assert.equal(await status('/api/trace', { 'X-Lightcone-Token': token }), 200);
  assert.equal(await status('/'), 403);
  assert.equal(await status('/api/trace'), 403);
  assert.equal(await status(`/api/trace?token=${token.slice(1)}0`), 403);
  assert.equal(await status(`/?token=${token}`, { Host: 'evil.example' }), 403);
  assert.equal(await status(`/?token=${token}`, { Host: `evil.example:${port}` }), 403);
  assert.equal(await status(`/api/trace?token=${token}`, { Origin: 'http://evil.example' }), 403);
  assert.equal(await status(`/api/trace?token=${token}`, { Origin: 'null' }), 403);
  assert.equal(await status(`/api/trace?token=${token}`, { Origin: base.slice(0, -1) }), 200);
  assert.equal(await status(`/nothing?token=${token}`), 404);
});

test('bad requests are refused, and the server goes on', async () => {
  const { base, token } = server;
  const ask = async (path, body) => {
    const answer = await fetch(`${base}api/${path}`, { headers: { 'X-Lightcone-Token': token }, ...(body === undefined ? {} : { method: 'POST', body }) });
    return answer.status;
  };
  for (const path of ['event', 'event?process=9&rank=1', 'event?process=0&rank=99', 'event?process=-1&rank=0', 'tile', 'tile?from=3&to=1', 'tile?from=nan&to=1', 'tile?from=0&to=inf', 'witness?property=x']) {
    assert.equal(await ask(path), 400, path);
  }
  for (const body of ['', '[]', '{', '{"want":"drag"}', '{"want":"above","ranks":[1]}', '{"want":"above","ranks":[99,0,0]}', '{"want":"step","ranks":[0,0,0],"process":7,"rank":1}', '{"want":7}', '{"want":"step","ranks":[0,0,0],"process":0,"rank":99}']) {
    assert.equal(await ask('cut', body), 400, body);
  }
  for (const body of ['', '{}', '{"process":[1],"rank":[]}', '{"process":[9],"rank":[0]}']) {
    assert.equal(await ask('positions', body), 400, body);
  }
  for (const body of ['', '{}', '{"process":[0]}', '{"process":[9],"x":"1","axis":"depth"}', '{"process":[0],"x":"inf","axis":"depth"}']) {
    assert.equal(await ask('nearest', body), 400, body);
  }
  for (const body of ['x', '0,0', '9', '-1', '1,,2']) {
    assert.equal(await ask('tile?from=0&to=1', body), 400, body);
  }
  assert.equal(await ask('tile?from=0&to=1', '2,0'), 200);
  assert.equal(await ask('trace'), 200);
});

test('names are text, never markup', async () => {
  const hostile = join(folder, 'hostile.jsonl');
  const name = '<img src=x onerror=alert(1)>';
  writeFileSync(hostile, `${JSON.stringify({ process: name, kind: 'internal', labels: [name], text: '</script><script>alert(2)</script>', vars: { [name]: name } })}\n`);
  const html = join(folder, 'hostile.html');
  assert.equal(run('view', hostile, '--export', html).status, 0);
  const page = await browser.newPage();
  page.errors = [];
  page.on('dialog', (dialog) => {
    page.errors.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(html).href);
  await drawn(page);
  const point = await pointOf(page, 0, 1);
  await page.mouse.click(point.x, point.y);
  await page.locator('#place', { hasText: name }).waitFor();
  await close(page);
});
