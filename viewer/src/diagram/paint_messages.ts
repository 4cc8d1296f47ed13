// Paints messages: one by one with arrow heads, or bundles of them.
import type { Bundles, ListedMessages } from '../trace/types';
import { gutter } from './camera';
import { coneOf, eventSize, type Cone, type Scene } from './scene';
import { addHead } from './shapes';

interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** The line of a message in pixels; null if a process is hidden or it is out of sight. */
function lineOf(
  { camera, rows }: Scene,
  from: number,
  sent: number,
  to: number,
  received: number,
): Line | null {
  const fromRow = rows.rowOf[from]!;
  const toRow = rows.rowOf[to]!;
  if (fromRow < 0 || toRow < 0) return null;
  const line = { x1: camera.x(sent), y1: camera.y(fromRow), x2: camera.x(received), y2: camera.y(toRow) };
  if (Math.max(line.x1, line.x2) < gutter || Math.min(line.x1, line.x2) > camera.width) return null;
  if (Math.max(line.y1, line.y2) < 0 || Math.min(line.y1, line.y2) > camera.height) return null;
  return line;
}

/** A message within one row is an arc above it. */
function addLine(context: CanvasRenderingContext2D, line: Line): void {
  context.moveTo(line.x1, line.y1);
  if (line.y1 !== line.y2) {
    context.lineTo(line.x2, line.y2);
  } else {
    const rise = Math.min(18, Math.abs(line.x2 - line.x1) / 2 + 4);
    context.quadraticCurveTo((line.x1 + line.x2) / 2, line.y1 - rise, line.x2, line.y2);
  }
}

function colourOf({ palette }: Scene, cone: Cone): string {
  if (cone === 'past') return palette.past;
  if (cone === 'future') return palette.future;
  return palette.message;
}

/** How strong lines are drawn: less if they would cover the events below them. */
function strengthOf({ camera }: Scene, lines: Line[]): number {
  let length = 0;
  for (const { x1, y1, x2, y2 } of lines) {
    const seen = Math.min(1, camera.height / (Math.abs(y2 - y1) + 1), camera.width / (Math.abs(x2 - x1) + 1));
    length += Math.hypot(x2 - x1, y2 - y1) * seen;
  }
  const covered = length / (camera.width * camera.height);
  return Math.max(0.22, Math.min(0.95, 0.08 / covered));
}

export function paintMessages(
  context: CanvasRenderingContext2D,
  scene: Scene,
  edges: ListedMessages,
): void {
  const { selection, camera } = scene;
  const groups = new Map<Cone, Line[]>();
  for (let i = 0; i < edges.sent.length; ++i) {
    const line = lineOf(scene, edges.from[i]!, edges.sent[i]!, edges.to[i]!, edges.received[i]!);
    if (!line) continue;
    // A message belongs to the past if it is received there, to the future if it is sent there.
    let cone: Cone = 'none';
    if (selection) {
      if (coneOf(selection, edges.to[i]!, edges.to_rank[i]!) === 'past') cone = 'past';
      else if (coneOf(selection, edges.from[i]!, edges.from_rank[i]!) === 'future') cone = 'future';
      else if (isSelected(selection, edges.from[i]!, edges.from_rank[i]!)) cone = 'future';
      else cone = 'concurrent';
    } else if (scene.alike && edges.to_rank[i]! <= scene.alike[edges.to[i]!]!) {
      cone = 'concurrent';
    }
    const group = groups.get(cone);
    if (group) group.push(line);
    else groups.set(cone, [line]);
  }
  const size = Math.min(8, eventSize(scene) * 2);
  const order: Cone[] = ['concurrent', 'none', 'past', 'future'];
  for (const cone of order) {
    const lines = groups.get(cone);
    if (!lines) continue;
    context.strokeStyle = context.fillStyle = colourOf(scene, cone);
    const strength = strengthOf(scene, lines);
    context.globalAlpha = cone === 'concurrent' ? strength * 0.5 : strength;
    context.lineWidth = cone === 'past' || cone === 'future' ? 1.6 : 1;
    context.beginPath();
    for (const line of lines) addLine(context, line);
    context.stroke();
    if (camera.rowHeight >= 12) {
      context.beginPath();
      for (const { x1, y1, x2, y2 } of lines) {
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const away = eventSize(scene) / length; // the tip touches the event
        const tipX = x2 - (x2 - x1) * away;
        const tipY = y1 === y2 ? y2 - 4 : y2 - (y2 - y1) * away;
        addHead(context, x1, y1 === y2 ? y2 - 14 : y1, tipX, tipY, size);
      }
      context.fill();
    }
    context.globalAlpha = 1;
  }
}

function isSelected(place: { process: number; rank: number }, process: number, rank: number) {
  return place.process === process && place.rank === rank;
}

/** The more messages, the wider and the stronger the line. */
export function paintBundles(
  context: CanvasRenderingContext2D,
  scene: Scene,
  bundles: Bundles,
): void {
  const { palette } = scene;
  let most = 1;
  for (const count of bundles.count) most = Math.max(most, count);
  const classes = 5;
  const groups: Line[][] = Array.from({ length: classes }, () => []);
  for (let i = 0; i < bundles.count.length; ++i) {
    const line = lineOf(scene, bundles.from[i]!, bundles.sent[i]!, bundles.to[i]!, bundles.received[i]!);
    if (!line) continue;
    const share = most > 1 ? Math.log(bundles.count[i]!) / Math.log(most) : 0;
    groups[Math.min(classes - 1, Math.floor(share * classes))]!.push(line);
  }
  context.strokeStyle = palette.message;
  groups.forEach((lines, i) => {
    context.globalAlpha = Math.min(0.75, (0.1 + 0.12 * i) * (lines.length > 800 ? 0.6 : 1.2));
    context.lineWidth = 0.8 + i * 0.5;
    context.beginPath();
    for (const line of lines) addLine(context, line);
    context.stroke();
  });
  context.globalAlpha = 1;
}
