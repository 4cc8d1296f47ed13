// Paints light cones, the cut, and what is pointed out: hits, witnesses, races.
import type { CutAnswer, Places } from '../trace/types';
import { gutter, header } from './camera';
import { eventSize, seenRow, type Scene } from './scene';
import { addHead, addShape } from './shapes';

/** Along the lines of the processes: the past is a solid bar, the future a dashed one. */
export function paintCones(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, selection, axis, trace } = scene;
  if (!selection) return;
  const bar = Math.max(2, Math.min(4, camera.rowHeight / 8));
  context.lineWidth = bar;
  for (const cone of ['past', 'future'] as const) {
    context.strokeStyle = palette[cone];
    context.globalAlpha = 0.55;
    context.setLineDash(cone === 'future' ? [5, 4] : []);
    context.beginPath();
    for (let p = 0; p < trace.processes.length; ++p) {
      const row = seenRow(scene, p);
      if (row < 0) continue;
      const has = cone === 'past' ? selection.past[p]! > 0 : selection.future[p]! <= trace.counts[p]!;
      if (!has) continue;
      const from = cone === 'past' ? axis.begin : selection.future_x[p]!;
      const to = cone === 'past' ? selection.past_x[p]! : axis.end;
      const x1 = Math.max(gutter - 8, camera.x(from));
      const x2 = Math.min(camera.width + 8, camera.x(to));
      if (x1 >= x2) continue;
      context.moveTo(x1, camera.y(row));
      context.lineTo(x2, camera.y(row));
    }
    context.stroke();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Where the handle of a process stands: behind the last event inside the cut. */
export function handleX(scene: Scene, cut: CutAnswer, process: number): number {
  const { camera } = scene;
  const x = camera.x(cut.at[process]!);
  const next = camera.x(cut.next[process]!);
  return x + Math.max(0, Math.min(16, (next - x) / 2));
}

/** The process whose handle is at a point, or -1. */
export function handleAt(scene: Scene, x: number, y: number): number {
  const { cut, camera, rows } = scene;
  if (!cut) return -1;
  const row = rows.rows[camera.row(y)];
  if (!row || y < header) return -1;
  return row.processes.find((p) => Math.abs(handleX(scene, cut, p) - x) <= 8) ?? -1;
}

export function paintCut(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, cut, rows } = scene;
  if (!cut || rows.rows.length === 0) return;
  const points: [number, number][] = [];
  rows.rows.forEach((row, i) => {
    for (const p of row.processes) {
      points.push([Math.max(gutter - 6, Math.min(camera.width + 20, handleX(scene, cut, p))), camera.y(i)]);
    }
  });
  const half = camera.rowHeight / 2;
  const path = () => {
    context.moveTo(points[0]![0], points[0]![1] - half);
    for (const [x, y] of points) context.lineTo(x, y);
    const [x, y] = points.at(-1)!;
    context.lineTo(x, y + half);
  };
  context.beginPath();
  path();
  context.lineTo(gutter - 8, points.at(-1)![1] + half);
  context.lineTo(gutter - 8, points[0]![1] - half);
  context.closePath();
  context.fillStyle = palette.cut;
  context.globalAlpha = 0.09;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  path();
  context.strokeStyle = palette.cut;
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.stroke();
  context.fillStyle = palette.cut;
  context.strokeStyle = palette.paper;
  context.lineWidth = 1.5;
  const height = Math.min(8, camera.rowHeight * 0.32);
  for (const [x, y] of points) {
    if (y < header - half || y > camera.height + half) continue;
    context.beginPath();
    context.roundRect(x - 4, y - height, 8, 2 * height, 3);
    context.fill();
    context.stroke();
  }
}

function forEachSeen(
  scene: Scene,
  places: Places,
  function_: (x: number, y: number, i: number) => void,
): void {
  const { camera } = scene;
  for (let i = 0; i < places.x.length; ++i) {
    const x = camera.x(places.x[i]!);
    const row = seenRow(scene, places.process[i]!);
    if (row >= 0 && x >= gutter - 6 && x <= camera.width + 6) function_(x, camera.y(row), i);
  }
}

function paintRings(
  context: CanvasRenderingContext2D,
  scene: Scene,
  places: Places,
  colour: string,
  r: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  forEachSeen(scene, places, (x, y) => addShape(context, 'ring', x, y, r));
  context.stroke();
}

export function paintHighlights(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, highlights, rows } = scene;
  const r = eventSize(scene) + 3.5;
  const { hits, points, path, arrows } = highlights;
  if (points) paintRings(context, scene, points, palette.witness, r);
  if (path) paintPath(context, scene, path);
  if (hits) {
    paintRings(context, scene, hits, palette.hit, r);
    const current = highlights.currentHit;
    forEachSeen(scene, hits, (x, y, i) => {
      if (i !== current) return;
      context.beginPath();
      addShape(context, 'ring', x, y, r + 4);
      context.stroke();
    });
  }
  context.strokeStyle = context.fillStyle = palette.race;
  context.lineWidth = 2.4;
  for (const arrow of arrows) {
    const from = rows.rowOf[arrow.from.process]!;
    const to = rows.rowOf[arrow.to.process]!;
    if (from < 0 || to < 0) continue;
    const [x1, y1, x2, y2] = [camera.x(arrow.from.x), camera.y(from), camera.x(arrow.to.x), camera.y(to)];
    context.setLineDash(arrow.dashed ? [6, 5] : []);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    addHead(context, x1, y1, x2, y2, 11);
    context.fill();
  }
}

/** The path of a flow: a thick line through its events. */
function paintPath(context: CanvasRenderingContext2D, scene: Scene, path: Places): void {
  const { camera, palette, rows } = scene;
  context.strokeStyle = palette.witness;
  context.lineWidth = 3.5;
  context.lineCap = context.lineJoin = 'round';
  context.globalAlpha = 0.85;
  context.beginPath();
  let isDrawing = false;
  path.x.forEach((position, i) => {
    const row = rows.rowOf[path.process[i]!]!;
    if (row < 0) {
      isDrawing = false;
    } else if (isDrawing) {
      context.lineTo(camera.x(position), camera.y(row));
    } else {
      context.moveTo(camera.x(position), camera.y(row));
      isDrawing = true;
    }
  });
  context.stroke();
  context.globalAlpha = 1;
  context.lineCap = 'butt';
  paintRings(context, scene, path, palette.witness, eventSize(scene) + 2.5);
}
