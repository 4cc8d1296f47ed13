// Saves what is visible as a picture.
import { paintScene } from './paint_scene';
import type { Scene } from './scene';
import { SvgContext } from './svg_context';

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function svgText(scene: Scene): string {
  const context = new SvgContext(scene.camera.width, scene.camera.height);
  paintScene(context as unknown as CanvasRenderingContext2D, scene);
  return context.document();
}

export function saveSvg(scene: Scene, name: string): void {
  save(new Blob([svgText(scene)], { type: 'image/svg+xml' }), `${name}.svg`);
}

export function savePng(scene: Scene, name: string): void {
  const canvas = document.createElement('canvas');
  const ratio = 2;
  canvas.width = scene.camera.width * ratio;
  canvas.height = scene.camera.height * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  paintScene(context, scene);
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`), 'image/png');
}
