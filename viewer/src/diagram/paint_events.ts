// Paints events: one by one with captions where there is room, or their density.
import { EventKind, EventMark, samePlace, type ListedEvents } from '../trace/types';
import { gutter, header, type Extent } from './camera';
import { fitted, textWidth } from './paint_frame';
import { drawnCone, eventSize, seenRow, type Cone, type DrawnTile, type Scene } from './scene';
import { addShape, type Shape } from './shapes';

const captionFont = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';

/** Stretches the bitmap of a tile over the part of it that is in `within`. */
export function paintDensity(
  context: CanvasRenderingContext2D,
  scene: Scene,
  drawn: DrawnTile,
  within: Extent,
): void {
  const { camera } = scene;
  const bitmap = drawn.bitmap;
  if (!bitmap) return;
  const { from, to } = drawn.query;
  const left = Math.max(from, within.from);
  const right = Math.min(to, within.to);
  if (!(left < right)) return;
  const column = (position: number) => ((position - from) / (to - from)) * drawn.tile.columns;
  const top = Math.max(bitmap.range.from, camera.row(header));
  const bottom = Math.min(bitmap.range.to, camera.row(camera.height) + 1);
  if (top >= bottom) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(
    bitmap.canvas,
    column(left),
    (top - bitmap.range.from) * bitmap.rowPixels,
    column(right) - column(left),
    (bottom - top) * bitmap.rowPixels,
    camera.x(left),
    camera.y(top) - camera.rowHeight / 2,
    camera.x(right) - camera.x(left),
    (bottom - top) * camera.rowHeight,
  );
}

const shapeOfKind: Record<number, Shape> = {
  [EventKind.internal]: 'disc',
  [EventKind.send]: 'square',
  [EventKind.receive]: 'ring',
};

function shapeOf(cone: Cone, kind: number): Shape {
  if (cone === 'past') return 'left';
  if (cone === 'future') return 'right';
  return shapeOfKind[kind] ?? 'disc';
}

/** Shapes of one colour, painted at once. */
class Batch {
  readonly places: number[] = [];
  constructor(
    readonly shape: Shape,
    readonly cone: Cone,
  ) {}
}

export function paintEvents(
  context: CanvasRenderingContext2D,
  scene: Scene,
  listed: ListedEvents,
): void {
  const { camera } = scene;
  const batches = new Map<string, Batch>();
  const left = gutter - 10;
  const right = camera.width + 10;
  for (let i = 0; i < listed.x.length; ++i) {
    const x = camera.x(listed.x[i]!);
    if (x < left || x > right) continue;
    const process = listed.process[i]!;
    const row = seenRow(scene, process);
    if (row < 0) continue;
    const cone = drawnCone(scene, process, listed.rank[i]!);
    const shape = shapeOf(cone, listed.kind[i]!);
    const key = shape + cone;
    let batch = batches.get(key);
    if (!batch) batches.set(key, (batch = new Batch(shape, cone)));
    batch.places.push(x, camera.y(row));
  }
  const r = eventSize(scene);
  for (const batch of batches.values()) paintBatch(context, scene, batch, r);
}

function paintBatch(
  context: CanvasRenderingContext2D,
  { palette }: Scene,
  { shape, cone, places }: Batch,
  r: number,
): void {
  const colour =
    cone === 'none'
      ? palette.event
      : cone === 'past'
        ? palette.past
        : cone === 'future'
          ? palette.future
          : palette.concurrent;
  context.beginPath();
  for (let i = 0; i < places.length; i += 2) {
    addShape(context, shape, places[i]!, places[i + 1]!, r);
  }
  context.fillStyle = shape === 'ring' ? palette.paper : colour;
  context.fill();
  if (shape !== 'ring') return;
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, r * 0.42);
  context.stroke();
}

/** Captions above events, where they do not run into the next one. */
export function paintCaptions(
  context: CanvasRenderingContext2D,
  scene: Scene,
  listed: ListedEvents,
  captions: string[],
): void {
  const { camera, palette, rows } = scene;
  if (camera.rowHeight < 26) return;
  context.font = captionFont;
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  context.lineJoin = 'round';
  const above = eventSize(scene) + 4;
  const place = (i: number) => {
    for (let j = i + 1; j < listed.x.length && listed.process[j] === listed.process[i]; ++j) {
      if (listed.caption[j] !== 0) return camera.x(listed.x[j]!);
    }
    return camera.width;
  };
  for (let i = 0; i < listed.x.length; ++i) {
    const caption = listed.caption[i]!;
    const x = camera.x(listed.x[i]!);
    if (caption === 0 || x < gutter || x > camera.width) continue;
    const row = seenRow(scene, listed.process[i]!);
    if (row < 0 || rows.rows[row]!.processes.length > 1) continue;
    const room = Math.min(place(i) - x - 8, 260);
    const text = captions[caption - 1]!;
    if (room < 24 || (textWidth(context, text) > room && room < 60)) continue;
    const shown = fitted(context, text, room);
    context.strokeStyle = palette.paper;
    context.lineWidth = 3;
    context.strokeText(shown, x - 3, camera.y(row) - above);
    context.fillStyle = palette.soft;
    context.fillText(shown, x - 3, camera.y(row) - above);
  }
}

/** Messages that nobody received leave as short dashes. */
export function paintInTransit(
  context: CanvasRenderingContext2D,
  scene: Scene,
  listed: ListedEvents,
): void {
  const { camera, palette } = scene;
  context.strokeStyle = palette.message;
  context.lineWidth = 1.2;
  context.setLineDash([2, 2]);
  context.beginPath();
  for (let i = 0; i < listed.x.length; ++i) {
    if ((listed.marks[i]! & EventMark.in_transit) === 0) continue;
    const row = seenRow(scene, listed.process[i]!);
    const x = camera.x(listed.x[i]!);
    if (row < 0 || x < gutter || x > camera.width) continue;
    const reach = Math.min(14, camera.rowHeight * 0.42);
    context.moveTo(x, camera.y(row));
    context.lineTo(x + reach, camera.y(row) + reach);
  }
  context.stroke();
  context.setLineDash([]);
}

/** The selected event, above all others. */
export function paintSelection(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, selection } = scene;
  if (!selection) return;
  const row = seenRow(scene, selection.process);
  if (row < 0) return;
  const r = Math.max(5.5, eventSize(scene) * 1.5);
  const x = camera.x(selection.x);
  if (x < gutter - r || x > camera.width + r) return;
  context.beginPath();
  addShape(context, 'diamond', x, camera.y(row), r);
  context.fillStyle = palette.ink;
  context.strokeStyle = palette.paper;
  context.lineWidth = 2;
  context.fill();
  context.stroke();
}

/** The index of the listed event nearest to a point of its row, within some pixels; -1: none. */
export function eventAt(scene: Scene, listed: ListedEvents, x: number, y: number): number {
  const { camera, rows } = scene;
  const row = camera.row(y);
  let best = -1;
  let distance = 14;
  for (let i = 0; i < listed.x.length; ++i) {
    if (rows.rowOf[listed.process[i]!] !== row) continue;
    const away = Math.abs(camera.x(listed.x[i]!) - x);
    if (away < distance) {
      distance = away;
      best = i;
    }
  }
  return best;
}

/** Whether the listed events contain this place. */
export function listsPlace(listed: ListedEvents, place: { process: number; rank: number }): boolean {
  for (let i = 0; i < listed.x.length; ++i) {
    if (samePlace({ process: listed.process[i]!, rank: listed.rank[i]! }, place)) return true;
  }
  return false;
}
