// Arrays as the program packs them.
import { expect, test } from 'vitest';
import { unpack } from '../../src/trace/packed_arrays';

test('header and arrays are found', () => {
  const header = JSON.stringify({ arrays: [['a', 'u8', 3], ['b', 'u32', 2], ['c', 'f64', 1]], name: 'é' });
  const text = new TextEncoder().encode(header);
  const padded = Math.ceil((4 + text.length) / 8) * 8 - 4;
  const buffer = new ArrayBuffer(4 + padded + 8 + 8 + 8);
  new DataView(buffer).setUint32(0, padded, true);
  new Uint8Array(buffer, 4, padded).fill(0x20).set(text);
  new Uint8Array(buffer, 4 + padded).set([1, 2, 3]);
  new Uint32Array(buffer, 4 + padded + 8).set([70000, 5, 0, 0]);
  new Float64Array(buffer, 4 + padded + 16).set([2.5]);
  const { header: read, arrays } = unpack(buffer);
  expect(read['name']).toBe('é');
  expect([...arrays.get('a')!]).toEqual([1, 2, 3]);
  expect([...arrays.get('b')!]).toEqual([70000, 5]);
  expect([...arrays.get('c')!]).toEqual([2.5]);
});
