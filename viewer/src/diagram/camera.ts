// From positions on the axis and rows to pixels, and back.
import { scaleLinear, type ScaleLinear } from 'd3-scale';

export const gutter = 148; // where names of processes stand
export const header = 26; // where the axis stands
const rightMargin = 16;

export interface Extent {
  from: number;
  to: number;
}

export class Camera {
  width = 800;
  height = 400;
  scroll = 0; // rows that are above the upper edge, in pixels
  rowCount = 1;
  pixels = 1; // per unit of the axis
  right = 800; // where the view ends
  private from = 0;
  private to = 1;

  /** Shows this part of the axis in the space right of the names. */
  look(view: Extent): void {
    this.from = view.from;
    this.to = view.to;
    this.right = Math.max(gutter + 50, this.width - rightMargin);
    this.pixels = (this.right - gutter) / (view.to - view.from);
  }

  get view(): Extent {
    return { from: this.from, to: this.to };
  }
  /** For ticks and gestures. Single positions are quicker without it. */
  get scale(): ScaleLinear<number, number> {
    return scaleLinear().domain([this.from, this.to]).range([gutter, this.right]);
  }
  /** What the edges of the canvas show, which is a little more than the view. */
  get seen(): Extent {
    return { from: this.position(gutter), to: this.position(this.width) };
  }

  x(position: number): number {
    return gutter + (position - this.from) * this.pixels;
  }
  position(x: number): number {
    return this.from + (x - gutter) / this.pixels;
  }

  get rowHeight(): number {
    const room = (this.height - header - 8) / Math.max(1, this.rowCount);
    return Math.min(92, Math.max(10, room));
  }
  get contentHeight(): number {
    return this.rowCount * this.rowHeight;
  }
  get mostScroll(): number {
    return Math.max(0, this.contentHeight - (this.height - header));
  }
  /** The middle of a row. */
  y(row: number): number {
    return header + (row + 0.5) * this.rowHeight - this.scroll;
  }
  row(y: number): number {
    return Math.floor((y - header + this.scroll) / this.rowHeight);
  }
  isRowSeen(row: number): boolean {
    const y = this.y(row);
    return y > header - this.rowHeight && y < this.height + this.rowHeight;
  }
}
