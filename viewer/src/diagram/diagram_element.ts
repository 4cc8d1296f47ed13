// The diagram: a canvas that is zoomed, dragged and clicked on.
import { LitElement, css, html, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { scaleLinear } from 'd3-scale';
import { select } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent } from 'd3-zoom';
import type { Source } from '../source/source';
import type { AxisInfo, CutAnswer, EventDetails, Place, TraceInfo } from '../trace/types';
import { Camera, gutter, header, type Extent } from './camera';
import { densityBitmap, type RowRange } from './density_bitmap';
import { noHighlights, type Highlights } from './highlights';
import { eventAt } from './paint_events';
import { handleAt } from './paint_marks';
import { paintScene } from './paint_scene';
import { palette, type Palette } from './palette';
import type { Rows } from './rows';
import type { DrawnTile, Scene } from './scene';
import { TileStore, type HeldTile, type SeenRows } from './tile_store';

const mostProcesses = 256; // of more, only those in sight are asked for,
const mostAsked = 4000; // if they are not more than these
const mostBitmapRows = 2000;
const nearEvents = 2000; // that are in sight when one comes near
const nearPixels = 8; // so near to an event a click selects it

/** What a drawn tile depends on. */
interface DrawnAs {
  rows: Rows;
  palette: Palette;
  from: number; // the first row
  rowPixels: number;
}

@customElement('lightcone-diagram')
export class DiagramElement extends LitElement {
  @property({ attribute: false }) source!: Source;
  @property({ attribute: false }) trace!: TraceInfo;
  @property({ attribute: false }) axis!: AxisInfo;
  @property({ attribute: false }) rows!: Rows;
  @property({ attribute: false }) palette: Palette = palette(false);
  @property({ attribute: false }) selection: EventDetails | null = null;
  @property({ attribute: false }) cut: CutAnswer | null = null;
  @property({ attribute: false }) highlights: Highlights = noHighlights();
  @property({ attribute: false }) alike: number[] | null = null;
  @property() summary = '';
  @state() private tip: { text: string; x: number; y: number } | null = null;
  @query('canvas') canvas!: HTMLCanvasElement;

  readonly camera = new Camera();
  tiles!: TileStore;
  private base = scaleLinear();
  private readonly behavior = zoom<HTMLCanvasElement, unknown>();
  private frame = 0;
  private dragged = -1; // the process whose handle is dragged
  private bitmaps = new WeakMap<HeldTile, DrawnAs & { drawn: DrawnTile }>();
  private resizes?: ResizeObserver;

  static override styles = css`
    :host { display: block; position: relative; overflow: hidden; min-height: 0; }
    canvas { display: block; width: 100%; height: 100%; outline: none; cursor: grab; touch-action: none; }
    canvas.handle { cursor: ew-resize; }
    canvas.event { cursor: pointer; }
    canvas:active { cursor: grabbing; }
    canvas.handle:active { cursor: ew-resize; }
    canvas:focus-visible { box-shadow: inset 0 0 0 2px var(--focus); }
    .tip {
      position: absolute; pointer-events: none; max-width: 340px; padding: 3px 7px; font-size: 12px;
      background: var(--ink); color: var(--paper); border-radius: 4px; white-space: pre-wrap;
      overflow-wrap: anywhere; z-index: 2;
    }
  `;

  protected override render() {
    return html`<canvas
        tabindex="0"
        role="application"
        aria-label="Space-time diagram. Arrow keys walk along causes; question mark lists all keys."
        aria-description=${this.summary}
        @click=${this.clicked}
        @dblclick=${this.doubleClick}
        @pointerdown=${this.pointerDown}
        @pointermove=${this.pointerMove}
        @pointerup=${this.pointerUp}
        @pointerleave=${() => (this.tip = null)}
        @wheel=${this.wheel}
      ></canvas>
      ${this.tip
        ? html`<div class="tip" style="left:${this.tip.x}px;top:${this.tip.y}px">${this.tip.text}</div>`
        : ''}`;
  }

  protected override firstUpdated(): void {
    this.tiles = new TileStore(
      this.source,
      () => this.repaint(),
      (error) => this.tell('failed', error),
    );
    this.behavior
      .filter((event: MouseEvent | WheelEvent) => {
        if (event.type === 'wheel') return !event.shiftKey && !event.altKey;
        return !event.button && event.type !== 'dblclick' && this.handleAt(event) < 0;
      })
      .wheelDelta((event: WheelEvent) => -event.deltaY * (event.deltaMode === 1 ? 0.06 : 0.0022))
      .on('zoom', (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => this.zoomed(event));
    select(this.canvas).call(this.behavior).on('dblclick.zoom', null);
    this.resizes = new ResizeObserver(() => this.resized());
    this.resizes.observe(this);
    this.resized();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resizes?.disconnect();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('axis') && this.axis) this.axisChanged(changed.get('axis') as AxisInfo | undefined);
    if (changed.has('rows')) {
      this.camera.rowCount = Math.max(1, this.rows.rows.length);
      this.camera.scroll = Math.min(this.camera.scroll, this.camera.mostScroll);
    }
    this.repaint();
  }

  /** Shows this part of the axis. */
  look(view: Extent): void {
    const [begin, end] = this.base.domain() as [number, number];
    const k = (end - begin) / Math.max(1e-12, view.to - view.from);
    const transform = zoomIdentity.translate(gutter - this.base(view.from) * k, 0).scale(k);
    select(this.canvas).call(this.behavior.transform, transform);
  }

  fit(): void {
    this.look({ from: this.axis.begin, to: this.axis.end });
  }

  /** Shows so much of the axis around a position; not what lies beside the axis. */
  private lookAround(position: number, span: number): void {
    const { begin, end } = this.axis;
    if (span >= end - begin) return this.fit();
    const beside = Math.min(span, end - begin) * 0.02;
    const last = Math.max(begin - beside, end + beside - span);
    const from = Math.max(begin - beside, Math.min(last, position - span / 2));
    this.look({ from, to: from + span });
  }

  /** Moves a position into the middle unless it is seen well already. */
  reveal(position: number): void {
    const { from, to } = this.camera.view;
    const span = to - from;
    if (position > from + span * 0.06 && position < to - span * 0.06) return;
    this.lookAround(position, span);
  }

  /** Comes so near that about sixty events of a process would stand side by side, and that events
   * are shown one by one. */
  approach(position: number): void {
    const { from, to } = this.camera.view;
    const { counts, events, processes } = this.trace;
    const whole = this.axis.end - this.axis.begin;
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const seen = events * Math.min(1, mostProcesses / processes.length);
    const share = Math.min(60 / most, nearEvents / Math.max(1, seen));
    this.lookAround(position, Math.min(to - from, whole * share));
  }

  showAll(positions: number[]): void {
    const from = Math.min(...positions);
    const to = Math.max(...positions);
    const beside = Math.max((to - from) * 0.15, 2 / this.camera.pixels);
    this.look({ from: from - beside, to: to + beside });
  }

  revealRow(process: number): void {
    const row = this.rows.rowOf[process]!;
    if (row < 0) return;
    const y = this.camera.y(row);
    const half = this.camera.rowHeight / 2;
    if (y - half < header) this.scrollRows(y - half - header);
    if (y + half > this.camera.height) this.scrollRows(y + half - this.camera.height);
  }

  zoomBy(factor: number): void {
    const { from, to } = this.camera.view;
    const x = this.selection ? this.selection.x : (from + to) / 2;
    const share = Math.max(0, Math.min(1, (x - from) / (to - from)));
    const span = (to - from) / factor;
    const middle = from + share * (to - from);
    this.look({ from: middle - share * span, to: middle + (1 - share) * span });
  }

  panBy(share: number): void {
    const { from, to } = this.camera.view;
    const by = (to - from) * share;
    this.look({ from: from + by, to: to + by });
  }

  scrollRows(by: number): void {
    this.scrollRowsTo(this.camera.scroll + by);
    this.tell('scrolled', this.camera.scroll);
  }

  /** Puts so many pixels of rows above the upper edge. */
  scrollRowsTo(pixels: number): void {
    this.camera.scroll = Math.max(0, Math.min(this.camera.mostScroll, pixels));
    this.repaint();
  }

  middleRow(): number {
    const seen = Math.min(this.camera.height, header + this.camera.contentHeight);
    return this.camera.row((header + seen) / 2);
  }

  scene(): Scene {
    return {
      trace: this.trace,
      axis: this.axis,
      rows: this.rows,
      camera: this.camera,
      palette: this.palette,
      tile: this.drawn(this.tiles.current),
      overview: this.drawn(this.tiles.overview),
      selection: this.selection,
      cut: this.cut,
      highlights: this.highlights,
      alike: this.alike,
    };
  }

  private axisChanged(before: AxisInfo | undefined): void {
    const isSameKind = before?.kind === this.axis.kind;
    const view = this.camera.view;
    const followed = isSameKind && before !== undefined && view.to >= before.end * 0.999;
    void this.tiles.begin(this.axis).catch((error: unknown) => this.tell('failed', error));
    this.resetBase();
    if (!isSameKind || (followed && view.from <= before.begin)) this.fit();
    else if (followed) this.look({ from: this.axis.end - (view.to - view.from), to: this.axis.end });
    else this.look(view);
  }

  private resized(): void {
    const { clientWidth, clientHeight } = this;
    if (clientWidth === 0 || clientHeight === 0) return;
    const view = this.camera.view;
    const ratio = window.devicePixelRatio || 1;
    this.camera.width = clientWidth;
    this.camera.height = clientHeight;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    if (!this.axis) return;
    this.resetBase();
    this.look(view.from === 0 && view.to === 1 ? { from: this.axis.begin, to: this.axis.end } : view);
  }

  private resetBase(): void {
    this.camera.look({ from: this.axis.begin, to: this.axis.end });
    this.base = this.camera.scale.copy();
    const width = this.base.range()[1]! - gutter;
    const span = this.axis.end - this.axis.begin;
    const nearest = this.axis.kind === 'time' ? 1e9 : Math.max(4, (span * 160) / width);
    this.behavior
      .scaleExtent([0.7, nearest])
      .extent([[gutter, 0], [gutter + width, this.camera.height]])
      .translateExtent([[gutter - width * 0.25, -1e9], [gutter + width * 1.25, 1e9]]);
  }

  private zoomed(event: D3ZoomEvent<HTMLCanvasElement, unknown>): void {
    const source = event.sourceEvent as MouseEvent | null;
    if (source?.type === 'mousemove' && source.movementY) this.scrollRows(-source.movementY);
    const [from, to] = event.transform.rescaleX(this.base).domain() as [number, number];
    this.camera.look({ from, to });
    this.tell('view-changed', { from, to });
    this.repaint();
  }

  /** A bitmap is made of so many rows, around those in sight. */
  private bitmapRows(): RowRange {
    const count = this.rows.rows.length;
    if (count <= mostBitmapRows) return { from: 0, to: count };
    const half = mostBitmapRows / 2;
    const from = Math.max(0, Math.floor(this.camera.row(header) / half) - 1) * half;
    return { from, to: Math.min(count, from + 2 * mostBitmapRows) };
  }

  private drawn(held: HeldTile | null): DrawnTile | null {
    if (!held) return null;
    const { rows, palette } = this;
    const made = this.bitmaps.get(held);
    const range = this.bitmapRows();
    const rowPixels = this.rowPixels();
    const isSame = made?.rows === rows && made.palette === palette && made.from === range.from && made.rowPixels === rowPixels;
    if (made && isSame) return made.drawn;
    const bitmap = densityBitmap(held.tile, rows, held.query.processes, range, rowPixels, palette.density);
    const drawn = { ...held, bitmap };
    this.bitmaps.set(held, { rows, palette, from: range.from, rowPixels, drawn });
    return drawn;
  }

  /** The height of a row in a bitmap: an odd number of pixels, not many more than on the screen. */
  private rowPixels(): number {
    const onScreen = this.camera.rowHeight * (window.devicePixelRatio || 1);
    return Math.max(9, Math.min(17, 2 * Math.ceil(onScreen / 2) + 1));
  }

  /** Of few processes all are asked for; so are those of a row that stands for very many. */
  private seenRows(): SeenRows | null {
    if (this.trace.processes.length <= mostProcesses) return null;
    const { camera, rows } = this;
    const [top, bottom] = [camera.row(header), camera.row(camera.height)];
    const processes = (from: number, to: number) => rows.rows.slice(Math.max(0, from), to + 1).flatMap((row) => row.processes);
    const height = bottom - top;
    const beside = () => processes(top - height, bottom + height);
    const count = beside().length;
    return count > mostAsked || count === 0 ? null : { seen: () => processes(top, bottom), beside };
  }

  repaint(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.axis || !this.tiles) return;
      this.tiles.show(this.camera.view, this.camera.right - gutter, this.seenRows());
      const context = this.canvas.getContext('2d')!;
      const ratio = this.canvas.width / this.camera.width;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintScene(context, this.scene());
      this.tell('painted', { tile: this.tiles.current, overview: this.tiles.overview });
    });
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private handleAt(event: MouseEvent): number {
    if (!this.axis) return -1;
    return handleAt(this.scene(), event.offsetX, event.offsetY);
  }

  private placeAt(event: MouseEvent): Place | null {
    const listed = this.tiles.current?.tile.listed;
    if (!listed || event.offsetX < gutter - 8 || event.offsetY < header) return null;
    const i = eventAt(this.scene(), listed, event.offsetX, event.offsetY);
    return i < 0 ? null : { process: listed.process[i]!, rank: listed.rank[i]! };
  }

  private clicked(event: MouseEvent): void {
    if (this.handleAt(event) >= 0 || event.offsetY < header) return;
    const row = this.rows.rows[this.camera.row(event.offsetY)];
    if (event.offsetX < gutter - 8) {
      if (row?.processes.length === 1) this.tell('pick', { process: row.processes[0], rank: 0 });
      return;
    }
    const place = this.placeAt(event);
    if (place) {
      this.tell('pick', place);
    } else if (row && !this.isExactHere()) {
      void this.pickFromDensity(event, row.processes);
    } else {
      this.tell('pick', null);
    }
  }

  /** Whether all events in sight are listed; a new tile may be under way. */
  private isExactHere(): boolean {
    const isListed = this.tiles.current?.tile.listed !== null;
    return isListed && this.tiles.isGood(this.camera.view, this.camera.right - gutter);
  }

  /** Where events are not listed, the one nearest to the pointer is asked for. */
  private async pickFromDensity(event: MouseEvent, processes: number[]): Promise<void> {
    const x = this.camera.position(event.offsetX);
    const found = await this.source.nearest(processes, x, this.axis.kind);
    const isNear = found.x.length > 0 && Math.abs(found.x[0]! - x) * this.camera.pixels <= nearPixels;
    this.tell('pick', isNear ? { process: found.process[0]!, rank: found.rank[0]! } : null);
  }

  private doubleClick(event: MouseEvent): void {
    if (event.offsetX < gutter || this.handleAt(event) >= 0) return;
    this.tell('cut-at', this.camera.position(event.offsetX));
  }

  private pointerDown(event: PointerEvent): void {
    this.dragged = event.button === 0 ? this.handleAt(event) : -1;
    if (this.dragged < 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    event.stopPropagation();
  }

  private pointerMove(event: PointerEvent): void {
    if (this.dragged >= 0) {
      this.tell('cut-drag', { process: this.dragged, x: this.camera.position(event.offsetX) });
      return;
    }
    if (event.buttons !== 0) {
      this.tip = null;
      return;
    }
    const handle = this.handleAt(event);
    const place = handle < 0 ? this.placeAt(event) : null;
    this.canvas.className = handle >= 0 ? 'handle' : place ? 'event' : '';
    this.tip = place ? this.tipOf(place, event) : this.nameTip(event);
  }

  private tipOf(place: Place, event: MouseEvent): { text: string; x: number; y: number } {
    const { listed, captions } = this.tiles.current!.tile;
    let caption = '';
    for (let i = 0; i < listed!.x.length; ++i) {
      if (listed!.process[i] !== place.process || listed!.rank[i] !== place.rank) continue;
      if (listed!.caption[i]! > 0) caption = captions[listed!.caption[i]! - 1]!;
    }
    const name = `${this.trace.processes[place.process]}:${place.rank}`;
    const x = Math.min(event.offsetX + 12, this.camera.width - 200);
    return { text: caption ? `${name}  ${caption}` : name, x, y: event.offsetY + 16 };
  }

  private nameTip(event: MouseEvent): { text: string; x: number; y: number } | null {
    if (event.offsetX > gutter - 8 || event.offsetY < header) return null;
    const row = this.rows.rows[this.camera.row(event.offsetY)];
    if (!row) return null;
    const events = row.processes.reduce((sum, p) => sum + this.trace.counts[p]!, 0);
    return { text: `${row.name}\n${events.toLocaleString('en')} events`, x: 16, y: event.offsetY + 14 };
  }

  private pointerUp(): void {
    if (this.dragged < 0) return;
    this.dragged = -1;
    this.tell('cut-drop', null);
  }

  /** Shift moves along the axis, Alt along the rows; a trackpad does both. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.altKey) this.scrollRows(event.deltaY);
    else if (event.shiftKey) this.panBy((event.deltaY || event.deltaX) / this.camera.width);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.panBy(event.deltaX / this.camera.width);
  }
}
