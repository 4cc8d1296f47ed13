// A tile from the bytes that the server packed.
import { unpack } from './packed_arrays';
import type { Bundles, ListedEvents, ListedMessages, Tile } from './types';

export function unpackTile(buffer: ArrayBuffer): Tile {
  const { header, arrays } = unpack(buffer);
  const all = Object.fromEntries(arrays) as unknown;
  return {
    version: header['version'] as number,
    events: header['events'] as number,
    messages: header['messages'] as number,
    columns: header['columns'] as number,
    thin_bundles: header['thin_bundles'] as number,
    thin_messages: header['thin_messages'] as number,
    unseen_messages: header['unseen_messages'] as number,
    captions: header['captions'] as string[],
    listed: header['lists_events'] ? (all as ListedEvents) : null,
    density: header['lists_events'] ? null : (arrays.get('density') as Uint32Array),
    edges: header['lists_messages'] ? (all as ListedMessages) : null,
    bundles: header['lists_messages'] ? null : (all as Bundles),
  };
}
