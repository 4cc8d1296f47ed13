// All that a picture of the diagram is made from.
import type { AxisInfo, CutAnswer, EventDetails, TraceInfo } from '../trace/types';
import type { Camera } from './camera';
import type { DensityBitmap } from './density_bitmap';
import type { Highlights } from './highlights';
import type { Palette } from './palette';
import type { Rows } from './rows';
import type { HeldTile } from './tile_store';

export interface DrawnTile extends HeldTile {
  bitmap: DensityBitmap | null;
}

export interface Scene {
  trace: TraceInfo;
  axis: AxisInfo;
  rows: Rows;
  camera: Camera;
  palette: Palette;
  tile: DrawnTile | null;
  overview: DrawnTile | null;
  selection: EventDetails | null;
  cut: CutAnswer | null;
  highlights: Highlights;
  alike: number[] | null; // of each process: how many events another run has, too
}

export type Cone = 'past' | 'future' | 'concurrent' | 'none';

/** Where an event lies in the light cones of the selected one. */
export function coneOf(selection: EventDetails | null, process: number, rank: number): Cone {
  if (!selection) return 'none';
  if (rank <= selection.past[process]!) return 'past';
  return rank >= selection.future[process]! ? 'future' : 'concurrent';
}

/** Where an event lies in the light cones of the selected one or, without one, whether another run
 * has it, too: such events are drawn like concurrent ones. */
export function drawnCone(scene: Scene, process: number, rank: number): Cone {
  if (scene.selection || !scene.alike) return coneOf(scene.selection, process, rank);
  return rank <= scene.alike[process]! ? 'concurrent' : 'none';
}

/** The row of a process, or -1 if it is hidden or out of sight. */
export function seenRow(scene: Scene, process: number): number {
  const row = scene.rows.rowOf[process]!;
  return row >= 0 && scene.camera.isRowSeen(row) ? row : -1;
}

/** How large an event is drawn: as there is room in its row and to the next event. */
export function eventSize(scene: Scene): number {
  const { camera, axis } = scene;
  const beside = axis.kind === 'time' ? Infinity : camera.pixels * 0.46;
  return Math.max(1.6, Math.min(4.8, camera.rowHeight / 4.5, beside));
}
