// Holds the tile that is drawn and asks for the next one: one request at a time, the newest wish.
import type { Source } from '../source/source';
import type { AxisInfo, Tile, TileQuery } from '../trace/types';
import type { Extent } from './camera';

export interface HeldTile {
  query: TileQuery;
  tile: Tile;
}

/** Which processes are in sight, and which are near. */
export interface SeenRows {
  seen(): number[];
  beside(): number[];
}

const margin = 0.6; // of the view, at both sides
const mostEvents = 6000;
const mostMessages = 6000;
const mostBundles = 2500;
const pixelsPerColumn = 2;
const stillAfter = 120; // milliseconds without a move

export class TileStore {
  current: HeldTile | null = null;
  overview: HeldTile | null = null;
  private axis: AxisInfo | null = null;
  private wanted: TileQuery | null = null;
  private isAsking = false;
  private seen: Extent = { from: 0, to: 0 };
  private moved = -Infinity; // when the view was another one
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly source: Source,
    private readonly changed: () => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Forgets what belongs to another axis or version. */
  async begin(axis: AxisInfo): Promise<void> {
    const isNewAxis = this.axis?.kind !== axis.kind;
    this.axis = axis;
    this.wanted = null;
    if (isNewAxis) {
      this.current = null;
      this.overview = null;
    }
    const query = {
      axis: axis.kind,
      from: axis.begin,
      to: axis.end,
      columns: axis.kind === 'time' ? 1024 : Math.max(1, Math.min(1024, Math.ceil(axis.end - axis.begin))),
      bundle_columns: 1024,
      most_events: 0,
      most_messages: 0,
      most_bundles: 0,
      processes: null,
    };
    const tile = await this.source.tile(query);
    if (this.axis !== axis) return;
    this.overview = { query, tile };
    if (this.current && this.current.tile.version !== axis.version) this.current = null;
    this.changed();
  }

  /** Says what is to be seen. Asks for a tile if the one at hand does not show it well. Of many
   * processes, only those are asked for that are seen and those beside them. */
  show(view: Extent, pixels: number, rows: SeenRows | null): void {
    const isMoving = this.isMoving(view);
    if (!this.axis || (this.isGood(view, pixels, isMoving) && this.hasRows(rows))) return;
    const beside = (view.to - view.from) * margin;
    const from = view.from - beside;
    const to = view.to + beside;
    const columns = Math.ceil((pixels * (1 + 2 * margin)) / pixelsPerColumn);
    this.wanted = {
      axis: this.axis.kind,
      from,
      to,
      columns,
      bundle_columns: 12,
      most_events: mostEvents,
      most_messages: mostMessages,
      most_bundles: mostBundles,
      processes: rows?.beside() ?? null,
    };
    void this.ask();
  }

  /** Whether the view changes right now. If so, it is looked at again when it stands still. */
  private isMoving(view: Extent): boolean {
    const now = performance.now();
    if (view.from !== this.seen.from || view.to !== this.seen.to) {
      const isFirst = this.seen.from === this.seen.to;
      this.seen = view;
      if (!isFirst) this.moved = now;
    }
    const isMoving = now - this.moved < stillAfter;
    if (isMoving) {
      clearTimeout(this.timer);
      this.timer = setTimeout(this.changed, stillAfter + 5);
    }
    return isMoving;
  }

  /** What is drawn is exact, or as fine as the pixels, and covers the view. While this moves,
   * coarser tiles are good: each new one takes time from the frames. */
  isGood(view: Extent, pixels: number, isMoving = false): boolean {
    const held = this.current;
    if (!held || !this.axis || held.query.axis !== this.axis.kind) return false;
    if (held.tile.version !== this.axis.version) return false;
    const { from, to } = held.query;
    const sees = Math.max(from, this.axis.begin) <= Math.max(view.from, this.axis.begin) &&
      Math.min(to, this.axis.end) >= Math.min(view.to, this.axis.end);
    if (!sees) return false;
    if (held.tile.listed && held.tile.edges) return true;
    const columnPixels = ((to - from) / held.query.columns / (view.to - view.from)) * pixels;
    const [least, most] = isMoving ? [0.5, 6] : [0.9, 3];
    return columnPixels >= least && columnPixels <= most;
  }

  private hasRows(rows: SeenRows | null): boolean {
    const held = this.current?.query.processes;
    if (!rows || !held) return !rows === !held;
    const known = new Set(held);
    return rows.seen().every((p) => known.has(p));
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while (this.wanted) {
        const query = this.wanted;
        this.wanted = null;
        const tile = await this.source.tile(query);
        if (query.axis === this.axis?.kind) this.current = { query, tile };
        this.changed();
      }
    } catch (error) {
      this.failed(error);
    } finally {
      this.isAsking = false;
    }
  }
}
