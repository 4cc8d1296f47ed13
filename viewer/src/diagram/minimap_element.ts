// The whole trace in a strip: density, marks, and which part of it the diagram shows.
import { LitElement, css, html } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { AxisInfo, CutAnswer, EventDetails, Places } from '../trace/types';
import { gutter, type Extent } from './camera';
import { rowDensity } from './density_bitmap';
import type { Highlights } from './highlights';
import type { Palette } from './palette';
import type { Rows } from './rows';
import type { HeldTile } from './tile_store';

const mostLines = 200;
const fewLines = 14; // which have a gap between them
const tall = 5; // pixels of each of few lines, and of its gap

@customElement('lightcone-minimap')
export class MinimapElement extends LitElement {
  @property({ attribute: false }) overview: HeldTile | null = null;
  @property({ attribute: false }) axis!: AxisInfo;
  @property({ attribute: false }) rows!: Rows;
  @property({ attribute: false }) palette!: Palette;
  @property({ attribute: false }) view: Extent = { from: 0, to: 1 };
  @property({ attribute: false }) selection: EventDetails | null = null;
  @property({ attribute: false }) cut: CutAnswer | null = null;
  @property({ attribute: false }) highlights!: Highlights;
  @property({ attribute: false }) others: Places | null = null; // differences in a second run
  @query('canvas') private canvas!: HTMLCanvasElement;
  private image: { overview: HeldTile; rows: Rows; palette: Palette; canvas: HTMLCanvasElement } | null = null;
  private grabbed: number | null = null;
  private resizes?: ResizeObserver;

  static override styles = css`
    :host { display: block; height: 52px; border-top: 1px solid var(--line); }
    canvas { display: block; width: 100%; height: 100%; cursor: pointer; touch-action: none; }
  `;

  protected override render() {
    return html`<canvas role="img" aria-label="Overview of the whole trace"
      @pointerdown=${this.pointerDown} @pointermove=${this.pointerMove}
      @pointerup=${() => (this.grabbed = null)}></canvas>`;
  }

  protected override firstUpdated(): void {
    this.resizes = new ResizeObserver(() => this.paint());
    this.resizes.observe(this);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes?.disconnect();
  }
  protected override updated(): void {
    this.paint();
  }

  private x(position: number): number {
    const { begin, end } = this.axis;
    return gutter + ((position - begin) / (end - begin)) * (this.clientWidth - gutter - 16);
  }
  private position(x: number): number {
    const { begin, end } = this.axis;
    return begin + ((x - gutter) / (this.clientWidth - gutter - 16)) * (end - begin);
  }

  /** One pixel per row and column, stretched later. Few rows are taller, with a gap below each. */
  private densityImage(overview: HeldTile): HTMLCanvasElement {
    const made = this.image;
    if (made && made.overview === overview && made.rows === this.rows && made.palette === this.palette) {
      return made.canvas;
    }
    const columns = overview.tile.columns;
    const canvas = document.createElement('canvas');
    canvas.width = columns;
    // Several rows share a line of pixels where there are more rows than that.
    const { rowOf, rows } = this.rows;
    const lines = Math.max(1, Math.min(mostLines, rows.length));
    const lineOf = rowOf.map((row) => (row < 0 ? row : Math.floor((row * lines) / rows.length)));
    const height = lines <= fewLines ? tall : 1;
    canvas.height = lines * height;
    const context = canvas.getContext('2d')!;
    const image = context.createImageData(canvas.width, canvas.height);
    const shrunk = { rows, rowOf: lineOf };
    const counts = rowDensity(overview.tile.density!, columns, shrunk, null, { from: 0, to: lines });
    let greatest = 1;
    for (const count of counts) greatest = Math.max(greatest, count);
    counts.forEach((count, i) => {
      if (count === 0) return;
      const line = Math.floor(i / columns);
      for (let y = 0; y < Math.max(1, height - 1); ++y) {
        const at = ((line * height + y) * columns + (i % columns)) * 4;
        image.data.set(this.palette.density, at);
        image.data[at + 3] = 70 + 185 * (Math.log2(1 + count) / Math.log2(1 + greatest));
      }
    });
    context.putImageData(image, 0, 0);
    this.image = { overview, rows: this.rows, palette: this.palette, canvas };
    return canvas;
  }

  private paint(): void {
    const { clientWidth: width, clientHeight: height } = this;
    if (!this.axis || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    // Setting a size makes a new canvas, also if it is the same.
    if (this.canvas.width !== pixelWidth) this.canvas.width = pixelWidth;
    if (this.canvas.height !== pixelHeight) this.canvas.height = pixelHeight;
    const context = this.canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.palette.paper;
    context.fillRect(0, 0, width, height);
    if (this.overview?.tile.density) {
      context.imageSmoothingEnabled = this.overview.tile.columns > 400;
      context.drawImage(this.densityImage(this.overview), gutter, 9, width - gutter - 16, height - 14);
    }
    this.paintMarks(context, height);
    this.paintView(context, width, height);
  }

  private paintMarks(context: CanvasRenderingContext2D, height: number): void {
    const { hits, path, points, arrows } = this.highlights;
    const ticks = (positions: number[], colour: string, top: number, bottom: number) => {
      context.strokeStyle = colour;
      context.lineWidth = 1.5;
      context.beginPath();
      for (const position of positions) {
        const x = Math.round(this.x(position)) + 0.5;
        context.moveTo(x, top);
        context.lineTo(x, bottom);
      }
      context.stroke();
    };
    if (this.cut) ticks([Math.min(...this.cut.at), Math.max(...this.cut.at)], this.palette.cut, 4, height);
    if (points) ticks(points.x, this.palette.witness, height - 9, height - 2);
    if (this.others) ticks(this.others.x, this.palette.witness, height - 9, height - 2);
    if (arrows.length) ticks(arrows.flatMap(({ from, to }) => [from.x, to.x]), this.palette.race, height - 9, height - 2);
    if (path) ticks(path.x, this.palette.witness, height - 9, height - 2);
    if (hits) ticks(hits.x, this.palette.hit, 1, 9);
    if (this.selection) ticks([this.selection.x], this.palette.ink, 0, height);
  }

  private paintView(context: CanvasRenderingContext2D, width: number, height: number): void {
    const left = Math.max(gutter, this.x(this.view.from));
    const right = Math.min(width - 16, this.x(this.view.to));
    context.fillStyle = this.palette.dark ? 'rgba(0,0,0,.45)' : 'rgba(200,207,214,.5)';
    context.fillRect(gutter, 0, left - gutter, height);
    context.fillRect(right, 0, width - 16 - right, height);
    context.strokeStyle = this.palette.soft;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, 1.5, Math.max(2, right - left - 1), height - 3);
    context.fillStyle = this.palette.soft;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.fillText('whole trace', 10, height / 2);
  }

  /** Outside of the frame it jumps there; inside it is dragged. */
  private pointerDown(event: PointerEvent): void {
    if (event.offsetX < gutter) return;
    this.canvas.setPointerCapture(event.pointerId);
    const position = this.position(event.offsetX);
    const { from, to } = this.view;
    this.grabbed = position >= from && position <= to ? position - from : (to - from) / 2;
    this.pointerMove(event);
  }
  private pointerMove(event: PointerEvent): void {
    if (this.grabbed === null) return;
    const from = this.position(event.offsetX) - this.grabbed;
    const detail = { from, to: from + this.view.to - this.view.from };
    this.dispatchEvent(new CustomEvent('look', { detail }));
  }
}
