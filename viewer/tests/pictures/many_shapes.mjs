// Pictures of traces of many shapes, light and dark, to be looked at: what is ugly is seen only there.
// Usage: node many_shapes.mjs FOLDER [NAME...]; LIGHTCONE_PROGRAM is the program.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasChromium, launch } from '../browser/chromium.mjs';
import { generate, run, temporaryFolder } from '../program.mjs';
import { repository, shiviz, show } from './pictures.mjs';

if (!hasChromium) throw new Error('chromium is not installed');
const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('a folder is expected');
mkdirSync(folder, { recursive: true });
const traces = temporaryFolder();

function made(name, ...words) {
  const file = join(traces, name);
  generate(file, ...words);
  return file;
}
function written(name, lines) {
  const file = join(traces, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
/** Three services whose names, labels, texts and values are long. */
function longNames() {
  const names = ['a', 'b', 'c'].map((x, i) => `the-very-long-name-of-a-service-in-some-cluster-eu-west-1-${x}/instance-${i}`);
  const kinds = ['internal', 'send', 'receive'];
  return names.flatMap((process, i) => Array.from({ length: 6 }, (_, k) => {
    const kind = kinds[k % 3] === 'receive' && i === 0 ? 'internal' : kinds[k % 3];
    const message = kind === 'send' ? `m${i}-${k}` : kind === 'receive' ? `m${i - 1}-${k - 1}` : undefined;
    return {
      process, kind, message, labels: ['some-long-label-of-an-event', 'another-one'],
      text: `GET /api/v1/some/long/path?with=parameters&and=more ${'x'.repeat(60)}`,
      vars: { a_variable_with_a_long_name: `${'value '.repeat(12)}${k}` },
    };
  }));
}
const alone = (k) => ({ process: 'only', kind: 'internal', labels: [`step${k}`], vars: { k } });
const wide = Array.from({ length: 40 }, (_, k) => ({
  process: 'p', kind: 'internal', vars: Object.fromEntries(Array.from({ length: 30 }, (_, v) => [`v${v}`, k * v])),
}));
const expression = {
  chord: '(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)',
  facebook: '(?<ip>(\\d{1,3}\\.){3}\\d{1,3}) (?<date>(\\d{1,2}\\/){2}\\d{4} .*(AM|PM)) (?<action>\\S*) (?<event>.*)\\n(?<host>\\w*) (?<clock>.*)',
};

const shapes = {
  chord: () => ({ words: [`--regex=${expression.chord}`, `${shiviz}chord.log`] }),
  facebook: () => ({ words: [`--regex=${expression.facebook}`, `${repository}examples/logs/facebook.log`], act: 'select' }),
  simpledb: () => ({ words: ['--from', 'shiviz', `${shiviz}simpledb.log`], act: 'select' }),
  poset: () => ({ words: ['--from', 'clocks', `${repository}tests/golden/data/posets/d-300.txt`], act: 'select' }),
  uniform: () => ({ words: [made('uniform.jsonl', '-p', '6', '-n', '300', '--label', 'busy:0.2', '--variable', 'load:0.3', '--times')], hash: '#axis=time', act: 'select' }),
  ring: () => ({ words: [made('ring.jsonl', '-p', '12', '-n', '2000', '--topology', 'ring', '--label', 'token:0.1')], act: 'select' }),
  star: () => ({ words: [made('star.jsonl', '-p', '20', '-n', '1500', '--topology', 'star', '--fifo', '--label', 'request:0.2')], act: 'cut' }),
  pairs: () => ({ words: [made('pairs.jsonl', '-p', '16', '-n', '1200', '--topology', 'pairs', '--delay', '10')], hash: '#axis=order', act: 'select' }),
  phases: () => ({ words: [made('phases.jsonl', '-p', '24', '-n', '5000', '--topology', 'phases', '--variable', 'load:0.3', '--times')], hash: '#axis=time', act: 'select' }),
  multicast: () => ({ words: [made('multi.jsonl', '-p', '8', '-n', '400', '--multicast', '0.3', '--batch', '0.3', '--duplicates', '0.1', '--delay', '8')], act: 'select' }),
  races: () => ({ words: [made('races.jsonl', '-p', '5', '-n', '120', '--delay', '6')], hash: '#tab=races', act: 'races' }),
  one_process: () => ({ words: [written('one.jsonl', Array.from({ length: 12 }, (_, k) => alone(k)))], act: 'select' }),
  one_event: () => ({ words: [written('single.jsonl', [alone(1)])], act: 'select' }),
  empty: () => ({ words: [written('empty.jsonl', [{ lightcone: 1, processes: ['p', 'q'] }])] }),
  long_names: () => ({ words: [written('long_names.jsonl', longNames())], act: 'select' }),
  many_variables: () => ({ words: [written('variables.jsonl', wide)], act: 'cut' }),
  mpi_two_runs: () => ({ words: [`${repository}examples/mpi/halo_1.rec`, '--second', `${repository}examples/mpi/halo_2.rec`], act: 'difference' }),
  two_runs: () => ({ words: [`${repository}examples/counter.jsonl`, '--second', `${repository}examples/counter_again.jsonl`], act: 'difference' }),
  spans: () => ({ words: ['--execution', 'f4db0f4e', `${repository}examples/opentelemetry/shop.otlp.json`], act: 'select' }),
  property: () => ({ words: [`${repository}examples/properties/lease.jsonl`, '--props', `${repository}examples/properties/mutex.prop`], hash: '#tab=properties', act: 'witness' }),
  hundreds: () => ({ words: [made('hundreds.lct', '-p', '200', '-n', '20000', '--topology', 'phases')], act: 'cut' }),
  million: () => ({ words: [made('million.lct', '-p', '64', '-n', '1000000', '--label', 'busy:0.05')] }),
  million_near: () => ({ words: [made('million.lct', '-p', '64', '-n', '1000000', '--label', 'busy:0.05')], hash: '#event=p20:7000', act: 'approach' }),
  many: () => ({ words: [made('many.lct', '-p', '30000', '-n', '300000', '--label', 'a:0.1')] }),
};

const browser = await launch();
let failed = false;
for (const [name, make] of Object.entries(shapes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const shape = { size: { width: 1240, height: 700 }, ...make() };
  try {
    const level = await show(browser, shape, async (page) => {
      await page.screenshot({ path: join(folder, `${name}.png`) });
      await page.getByRole('button', { name: 'dark colours' }).click();
      await page.waitForTimeout(500);
      await page.screenshot({ path: join(folder, `${name}_dark.png`) });
    });
    console.log(name, level);
  } catch (error) {
    failed = true;
    console.log(name, 'failed:', error.message.split('\n')[0]);
  }
  const { status, stderr } = run('info', '--svg', join(folder, `${name}.svg`), ...shape.words.filter((word, i, all) => !['--second', '--props'].includes(word) && !['--second', '--props'].includes(all[i - 1])));
  if (status !== 0) console.log(name, 'info:', stderr.split('\n')[0]);
}
await browser.close();
process.exit(failed ? 1 : 0);
