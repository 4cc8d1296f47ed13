// Positions and pixels: the quick way and the scale of the axis are the same.
import { expect, test } from 'vitest';
import { Camera, gutter } from '../../src/diagram/camera';

test('positions become pixels and come back', () => {
  const camera = new Camera();
  camera.width = 1000;
  for (const view of [{ from: 0, to: 1 }, { from: -3.5, to: 1e6 }, { from: 1e9, to: 1e9 + 0.01 }]) {
    camera.look(view);
    expect(camera.view).toEqual(view);
    expect(camera.x(view.from)).toBe(gutter);
    expect(camera.x(view.to)).toBeCloseTo(camera.right, 6);
    for (const share of [0, 0.25, 1, 1.5]) {
      const position = view.from + share * (view.to - view.from);
      expect(camera.x(position)).toBeCloseTo(camera.scale(position), 6);
      expect(camera.position(camera.x(position))).toBeCloseTo(position, 6);
    }
  }
});
