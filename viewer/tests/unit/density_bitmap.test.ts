// Bars of density: as tall and as strong as the definition says, whatever the counts are.
import { expect, test } from 'vitest';
import { densityPixels } from '../../src/diagram/density_bitmap';

/** The definition, cell by cell. */
function byCell(counts: Uint32Array, columns: number, rowPixels: number): Uint32Array {
  const greatest = Math.max(...counts);
  const image = new Uint32Array(counts.length * rowPixels);
  counts.forEach((count, i) => {
    if (count === 0) return;
    const share = (count / greatest) ** 0.7;
    const bar = Math.max(1, Math.round(share * rowPixels * 0.9));
    const top = (rowPixels - bar) >> 1;
    const first = Math.floor(i / columns) * rowPixels;
    for (let y = top; y < top + bar; ++y) {
      image[(first + y) * columns + (i % columns)] = (0x332211 | (Math.round(110 + 145 * share) << 24)) >>> 0;
    }
  });
  return image;
}

test('bars are those of the definition', () => {
  let seed = 5;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (const most of [1, 7, 1024, 100_000]) {
    for (const rowPixels of [1, 9, 17]) {
      const columns = 1 + Math.floor(random() * 30);
      const counts = Uint32Array.from({ length: columns * 5 }, () => (random() < 0.3 ? 0 : Math.floor(random() * most) + 1));
      const greatest = counts.reduce((a, b) => Math.max(a, b), 0);
      const image = densityPixels(counts, columns, greatest, rowPixels, [0x11, 0x22, 0x33]);
      expect(image).toEqual(byCell(counts, columns, rowPixels));
    }
  }
});
