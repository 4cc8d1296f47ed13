// The rules of the house, for the sources of the page.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : [path];
  });
}
const root = join(__dirname, '../..');
const all = [...sources(join(root, 'src')), ...sources(join(root, 'tests'))].filter((path) => /\.(ts|mjs)$/.test(path));

test('there are sources', () => expect(all.length).toBeGreaterThan(40));

test.each(all.map((path) => [path.slice(root.length + 1), path]))('%s', (_, path) => {
  const lines = readFileSync(path, 'utf8').split('\n');
  expect(lines[0]).toMatch(/^\/\/ /); // it says why the file exists
  expect(lines.length).toBeLessThanOrEqual(600);
});
