// Reads what apps/cli/view/packed_arrays.h writes: a JSON header and arrays of numbers.

type NumberArray = Uint8Array | Uint32Array | Float64Array;

export interface PackedArrays {
  header: Record<string, unknown>;
  arrays: Map<string, NumberArray>;
}

/** The arrays share the buffer. */
export function unpack(buffer: ArrayBuffer): PackedArrays {
  const length = new DataView(buffer).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  const header = JSON.parse(text) as Record<string, unknown>;
  const arrays = new Map<string, NumberArray>();
  let at = 4 + length;
  for (const [name, type, count] of header['arrays'] as [string, string, number][]) {
    const array =
      type === 'u8'
        ? new Uint8Array(buffer, at, count)
        : type === 'u32'
          ? new Uint32Array(buffer, at, count)
          : new Float64Array(buffer, at, count);
    arrays.set(name, array);
    at += Math.ceil(array.byteLength / 8) * 8;
  }
  return { header, arrays };
}
