// Paints what does not depend on events: rows, lines of processes, names, and the axis.
import type { AxisInfo } from '../trace/types';
import { gutter, header } from './camera';
import type { Scene } from './scene';

export const textFont = '12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
const smallFont = '11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';

export function paintRows(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, rows, axis } = scene;
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, camera.width, camera.height);
  context.fillStyle = palette.band;
  rows.rows.forEach((_, row) => {
    if (row % 2 === 1 || !camera.isRowSeen(row)) return;
    context.fillRect(0, camera.y(row) - camera.rowHeight / 2, camera.width, camera.rowHeight);
  });
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  const from = Math.max(gutter, camera.x(axis.begin));
  const to = Math.min(camera.width, camera.x(axis.end));
  rows.rows.forEach((_, row) => {
    if (!camera.isRowSeen(row)) return;
    const y = Math.round(camera.y(row)) + 0.5;
    context.moveTo(from, y);
    context.lineTo(to, y);
  });
  context.stroke();
}

/** `12:31:05.250`, `1.5 s`, or a plain number. */
export function tickText(axis: AxisInfo, position: number, step: number): string {
  if (axis.kind !== 'time') return position.toLocaleString('en');
  const time = axis.origin + position;
  if (axis.origin > 1e8 && axis.origin < 1e11) {
    const text = new Date(time * 1000).toISOString();
    return step < 1 ? text.slice(11, 23) : text.slice(11, 19);
  }
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step))));
  return `${time.toFixed(digits)} s`;
}

function paintAxis(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, axis } = scene;
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, camera.width, header);
  context.strokeStyle = palette.line;
  context.fillStyle = palette.soft;
  context.font = smallFont;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const wide = axis.kind === 'time' ? 120 : 90;
  const ticks = camera.scale
    .ticks(Math.max(2, (camera.right - gutter) / wide))
    .filter((tick) => axis.kind === 'time' || (Number.isInteger(tick) && tick >= 0));
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : 1;
  context.beginPath();
  for (const tick of ticks) {
    const x = Math.round(camera.x(tick)) + 0.5;
    if (x < gutter) continue;
    context.moveTo(x, header - 6);
    context.lineTo(x, header);
    context.fillText(tickText(axis, tick, step), x, header / 2 - 2);
  }
  context.moveTo(0, header - 0.5);
  context.lineTo(camera.width, header - 0.5);
  context.stroke();
}

const widths = new Map<string, number>();

export function textWidth(context: CanvasRenderingContext2D, text: string): number {
  const key = context.font + text;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

/** The text, with its end cut off so that it fits. */
export function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (textWidth(context, text) <= width) return text;
  let length = Math.max(1, Math.floor((text.length * width) / textWidth(context, text)));
  while (length > 1 && textWidth(context, `${text.slice(0, length)}…`) > width) --length;
  return `${text.slice(0, length)}…`;
}

/** The text without its middle: names often differ at their ends. */
export function fittedEnds(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (textWidth(context, text) <= width) return text;
  let length = Math.max(2, Math.floor((text.length * width) / textWidth(context, text)));
  const ends = () => `${text.slice(0, Math.ceil(length / 2))}…${text.slice(text.length - Math.floor(length / 2))}`;
  while (length > 2 && textWidth(context, ends()) > width) --length;
  return ends();
}

function paintNames(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette, rows, selection } = scene;
  context.fillStyle = palette.paper;
  context.fillRect(0, header, gutter - 8, camera.height - header);
  context.strokeStyle = palette.line;
  context.beginPath();
  context.moveTo(gutter - 8.5, header);
  context.lineTo(gutter - 8.5, camera.height);
  context.stroke();
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const size = Math.min(12, Math.floor(camera.rowHeight * 0.86));
  const rowFont = textFont.replace('12px', `${size}px`);
  rows.rows.forEach((row, i) => {
    if (!camera.isRowSeen(i)) return;
    const isOwn = selection !== null && row.processes.includes(selection.process);
    context.font = isOwn ? `bold ${rowFont}` : rowFont;
    context.fillStyle = isOwn ? palette.ink : palette.soft;
    const name = row.processes.length > 1 ? `${row.name} (${row.processes.length})` : row.name;
    context.fillText(fittedEnds(context, name, gutter - 24), 10, camera.y(i));
  });
}

/** What lies over the diagram, so that nothing shines through. */
export function paintFrame(context: CanvasRenderingContext2D, scene: Scene): void {
  paintNames(context, scene);
  paintAxis(context, scene);
}
