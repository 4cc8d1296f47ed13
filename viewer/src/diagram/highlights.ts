// What is marked in the diagram besides the selection and the cut.
import type { Places } from '../trace/types';

/** A message that is pointed out. */
export interface Arrow {
  from: { process: number; x: number };
  to: { process: number; x: number };
  dashed: boolean; // it did not come, but could have
}

export interface Highlights {
  hits: Places | null; // of a search
  currentHit: number; // -1: none
  path: Places | null; // of a witness, in its order
  points: Places | null; // places of a property
  arrows: Arrow[]; // of a race
}

export function noHighlights(): Highlights {
  return { hits: null, currentHit: -1, path: null, points: null, arrows: [] };
}
