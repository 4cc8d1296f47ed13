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

/** Of each cell: how tall its bar is, and the pixels of the bar. */
interface Bars {
  heights: Uint8Array;
  pixels: Uint32Array;
}

const known = 1024; // counts up to this one are computed once

function barsOf(counts: Uint32Array, greatest: number, rowPixels: number, colour: [number, number, number]): Bars {
  const [red, green, blue] = colour;
  const base = red | (green << 8) | (blue << 16);
  const share = (count: number) => (count / greatest) ** 0.7;
  const height = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(share(count) * rowPixels * 0.9)));
  const pixel = (count: number) => (base | (Math.round(110 + 145 * share(count)) << 24)) >>> 0;
  const all = Math.min(greatest, known) + 1;
  const knownHeights = Uint8Array.from({ length: all }, (_, count) => height(count));
  const knownPixels = Uint32Array.from({ length: all }, (_, count) => pixel(count));
  const bars = { heights: new Uint8Array(counts.length), pixels: new Uint32Array(counts.length) };
  for (let i = 0; i < counts.length; ++i) {
    const count = counts[i]!;
    bars.heights[i] = count < all ? knownHeights[count]! : height(count);
    bars.pixels[i] = count < all ? knownPixels[count]! : pixel(count);
  }
  return bars;
}

/** The pixels of rows of cells, line by line, as they lie in memory. */
export function densityPixels(
  counts: Uint32Array,
  columns: number,
  greatest: number,
  rowPixels: number,
  colour: [number, number, number],
): Uint32Array {
  const { heights, pixels } = barsOf(counts, greatest, rowPixels, colour);
  const image = new Uint32Array(counts.length * rowPixels);
  for (let row = 0, at = 0; row < counts.length; row += columns) {
    for (let line = 0; line < rowPixels; ++line, at += columns) {
      for (let c = 0; c < columns; ++c) {
        const height = heights[row + c]!;
        const top = (rowPixels - height) >> 1;
        if (line >= top && line < top + height) image[at + c] = pixels[row + c]!;
      }
    }
  }
  return image;
}

/** Each cell is a bar around the middle of its row: the more events, the taller and the stronger. */
export function densityBitmap(
  tile: Tile,
  rows: Rows,
  seen: number[] | null,
  range: RowRange,
  most: number, // pixels of a row
  colour: [number, number, number],
): DensityBitmap | null {
  const height = range.to - range.from;
  if (!tile.density || height <= 0) return null;
  const columns = tile.columns;
  const counts = rowDensity(tile.density, columns, rows, seen, range);
  let greatest = 0;
  for (const count of counts) greatest = Math.max(greatest, count);
  if (greatest === 0) return null;
  const rowPixels = Math.max(1, Math.min(most, Math.floor(8191 / height)));
  const canvas = document.createElement('canvas');
  canvas.width = columns;
  canvas.height = height * rowPixels;
  const context = canvas.getContext('2d')!;
  const pixels = densityPixels(counts, columns, greatest, rowPixels, colour);
  const image = new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer), canvas.width, canvas.height);
  context.putImageData(image, 0, 0);
  return { canvas, range, rowPixels, greatest };
}
