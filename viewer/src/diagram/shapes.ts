// The shapes of events. Each meaning has a shape as well as a colour.

export type Shape = 'disc' | 'ring' | 'square' | 'left' | 'right' | 'diamond';

/** Adds a shape to the path of a context. */
export function addShape(
  context: CanvasRenderingContext2D,
  shape: Shape,
  x: number,
  y: number,
  r: number,
): void {
  switch (shape) {
    case 'disc':
    case 'ring':
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
      break;
    case 'square':
      context.rect(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76);
      break;
    case 'left':
      context.moveTo(x - r * 1.15, y);
      context.lineTo(x + r * 0.85, y - r);
      context.lineTo(x + r * 0.85, y + r);
      context.closePath();
      break;
    case 'right':
      context.moveTo(x + r * 1.15, y);
      context.lineTo(x - r * 0.85, y - r);
      context.lineTo(x - r * 0.85, y + r);
      context.closePath();
      break;
    case 'diamond':
      context.moveTo(x, y - r * 1.3);
      context.lineTo(x + r * 1.3, y);
      context.lineTo(x, y + r * 1.3);
      context.lineTo(x - r * 1.3, y);
      context.closePath();
      break;
  }
}

/** Adds an arrow head with its tip at (x, y), for a line that comes from (fromX, fromY). */
export function addHead(
  context: CanvasRenderingContext2D,
  fromX: number,
  fromY: number,
  x: number,
  y: number,
  size: number,
): void {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const ux = (x - fromX) / length;
  const uy = (y - fromY) / length;
  const bx = x - ux * size;
  const by = y - uy * size;
  context.moveTo(x, y);
  context.lineTo(bx - uy * size * 0.42, by + ux * size * 0.42);
  context.lineTo(bx + uy * size * 0.42, by - ux * size * 0.42);
  context.closePath();
}
