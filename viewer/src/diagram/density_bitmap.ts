// The density of events as a bitmap, made once per tile and then only stretched.
import type { Tile } from '../trace/types';
import type { Rows } from './rows';

export interface DensityBitmap {
  canvas: HTMLCanvasElement;
  range: RowRange; // that it shows
  rowPixels: number; // height of a row in the bitmap
  greatest: number; // events in the fullest cell
}

/** Rows from one up to another, which does not belong to them. */
export interface RowRange {
  from: number;
  to: number;
}

/** Sums the counts of processes that share a row; `seen`: the processes that were counted. */
export function rowDensity(
  density: Uint32Array,
  columns: number,
  rows: Rows,
  seen: number[] | null,
  range: RowRange,
): Uint32Array {
  const sums = new Uint32Array((range.to - range.from) * columns);
  const count = seen?.length ?? rows.rowOf.length;
  for (let i = 0; i < count; ++i) {
    const row = rows.rowOf[seen ? seen[i]! : i]!;
    if (row < range.from || row >= range.to) continue;
    const from = i * columns;
    const to = (row - range.from) * columns;
    for (let c = 0; c < columns; ++c) sums[to + c]! += density[from + c]!;
  }
  return sums;
}

/** Each cell is a bar around the middle of its row: the more events, the taller and the stronger. */
export function densityBitmap(
  tile: Tile,
  rows: Rows,
  seen: number[] | null,
  range: RowRange,
  colour: [number, number, number],
): DensityBitmap | null {
  const height = range.to - range.from;
  if (!tile.density || height <= 0) return null;
  const columns = tile.columns;
  const counts = rowDensity(tile.density, columns, rows, seen, range);
  let greatest = 0;
  for (const count of counts) greatest = Math.max(greatest, count);
  if (greatest === 0) return null;
  const rowPixels = Math.max(1, Math.min(17, Math.floor(8191 / height)));
  const canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = height * rowPixels;
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const [red, green, blue] = colour;
  const base = red | (green << 8) | (blue << 16);
  for (let row = 0; row < height; ++row) {
    for (let c = 0; c < columns; ++c) {
      const count = counts[row * columns + c]!;
      if (count === 0) continue;
      const share = (count / greatest) ** 0.7;
      const bar = Math.max(1, Math.round(share * rowPixels * 0.9));
      const alpha = Math.round(110 + 145 * share);
      const top = row * rowPixels + ((rowPixels - bar) >> 1);
      const pixel = (base | (alpha << 24)) >>> 0;
      for (let y = top; y < top + bar; ++y) pixels[y * columns + c] = pixel;
    }
  }
  context.putImageData(image, 0, 0);
  return { canvas, range, rowPixels, greatest };
}
