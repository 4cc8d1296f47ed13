// Paints a whole picture of the diagram, from back to front.
import { gutter, header } from './camera';
import {
  paintCaptions,
  paintDensity,
  paintEvents,
  paintInTransit,
  paintSelection,
} from './paint_events';
import { paintFrame, paintRows } from './paint_frame';
import { paintCones, paintCut, paintHighlights } from './paint_marks';
import { paintBundles, paintMessages } from './paint_messages';
import type { Scene } from './scene';

/** Where the tile does not reach, the overview stands for it. */
function paintBackdrop(context: CanvasRenderingContext2D, scene: Scene): void {
  const { overview, tile, camera } = scene;
  if (!overview) return;
  const seen = camera.seen;
  if (!tile) {
    paintDensity(context, scene, overview, seen);
    return;
  }
  const { from, to } = tile.query;
  if (seen.from < from) paintDensity(context, scene, overview, { from: seen.from, to: from });
  if (seen.to > to) paintDensity(context, scene, overview, { from: to, to: seen.to });
}

export function paintScene(context: CanvasRenderingContext2D, scene: Scene): void {
  const { tile, camera } = scene;
  paintRows(context, scene);
  context.save();
  context.beginPath();
  context.rect(gutter - 8, header, camera.width, camera.height);
  context.clip();
  paintBackdrop(context, scene);
  if (tile) {
    paintDensity(context, scene, tile, camera.seen);
    if (tile.tile.bundles) paintBundles(context, scene, tile.tile.bundles);
    paintCones(context, scene);
    if (tile.tile.edges) paintMessages(context, scene, tile.tile.edges);
    if (tile.tile.listed) {
      paintInTransit(context, scene, tile.tile.listed);
      paintEvents(context, scene, tile.tile.listed);
      paintCaptions(context, scene, tile.tile.listed, tile.tile.captions);
    }
  } else {
    paintCones(context, scene);
  }
  paintCut(context, scene);
  paintHighlights(context, scene);
  paintSelection(context, scene);
  context.restore();
  paintFrame(context, scene);
}
