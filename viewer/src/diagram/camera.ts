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
  scale: ScaleLinear<number, number> = scaleLinear();

  /** Shows this part of the axis in the space right of the names. */
  look(view: Extent): void {
    this.scale = scaleLinear()
      .domain([view.from, view.to])
      .range([gutter, Math.max(gutter + 50, this.width - rightMargin)]);
  }

  get view(): Extent {
    const [from, to] = this.scale.domain() as [number, number];
    return { from, to };
  }
  /** Pixels per unit of the axis. */
  get pixels(): number {
    const { from, to } = this.view;
    return (this.scale.range()[1]! - gutter) / (to - from);
  }
  get right(): number {
    return this.scale.range()[1]!;
  }
  /** What the edges of the canvas show, which is a little more than the view. */
  get seen(): Extent {
    return { from: this.position(gutter), to: this.position(this.width) };
  }

  x(position: number): number {
    return this.scale(position);
  }
  position(x: number): number {
    return this.scale.invert(x);
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
