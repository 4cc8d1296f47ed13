// Makes the pictures of README.md and docs/ from the page as it is.
// Usage: node document_pictures.mjs [FOLDER [NAME...]]; LIGHTCONE_PROGRAM is the program.
import { join } from 'node:path';
import { hasChromium, launch } from '../browser/chromium.mjs';
import { generate, temporaryFolder } from '../program.mjs';
import { repository, shiviz, show } from './pictures.mjs';

if (!hasChromium) throw new Error('chromium is not installed');
const [folder = join(repository, 'docs'), ...wanted] = process.argv.slice(2);
const traces = temporaryFolder();
const farm = join(traces, 'farm.jsonl');
generate(farm, '-p', '6', '-n', '400', '--seed', '7', '--label', 'busy:0.15', '--variable', 'load:0.4', '--variable', 'jobs:0.3');
const size = { width: 1280, height: 720 };
const pictures = [
  { name: 'view_event', words: [`${shiviz}chord.log`], hash: '#event=kv-node-30%3A150&view=396~462', size },
  { name: 'view_cut', words: [farm], hash: '#cut=20.20.20.20.20.20&tab=cut&view=14~54', dark: true, size },
  {
    name: 'view_property',
    words: ['--props', `${repository}examples/properties/mutex.prop`, `${repository}examples/properties/lease.jsonl`],
    hash: '#tab=properties',
    act: 'witness',
    size,
  },
];
const browser = await launch();
for (const picture of pictures) {
  if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
  await show(browser, picture, async (page) => {
    if (picture.dark) {
      await page.getByRole('button', { name: 'dark colours' }).click();
      await page.waitForTimeout(500);
    }
    await page.screenshot({ path: join(folder, `${picture.name}.png`) });
  });
}
await browser.close();
process.exit(0);
