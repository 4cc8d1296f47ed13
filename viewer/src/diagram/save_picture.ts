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

/** One run above the other. */
function sizeOf(scenes: Scene[]): { width: number; height: number } {
  return {
    width: Math.max(...scenes.map(({ camera }) => camera.width)),
    height: scenes.reduce((sum, { camera }) => sum + camera.height, 0),
  };
}

export function svgText(scenes: Scene[]): string {
  const { width, height } = sizeOf(scenes);
  let top = 0;
  const parts = scenes.map((scene, i) => {
    const context = new SvgContext(scene.camera.width, scene.camera.height, `clip${i + 1}-`);
    paintScene(context as unknown as CanvasRenderingContext2D, scene);
    const part = context.element(top);
    top += scene.camera.height;
    return part;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${parts.join('\n')}\n</svg>\n`;
}

export function saveSvg(scenes: Scene[], name: string): void {
  save(new Blob([svgText(scenes)], { type: 'image/svg+xml' }), `${name}.svg`);
}

export function savePng(scenes: Scene[], name: string): void {
  const canvas = document.createElement('canvas');
  const { width, height } = sizeOf(scenes);
  const ratio = 2;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  for (const scene of scenes) {
    paintScene(context, scene);
    context.translate(0, scene.camera.height);
  }
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`), 'image/png');
}
