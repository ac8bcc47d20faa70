/**
 * Cuts contents where their bytes say so.
 *
 * @see https://www.usenix.org/system/files/conference/atc16/atc16-paper-xia.pdf for cutting by a rolling "gear" hash
 */

/** Pieces have 8 KiB on average up to this size, and twice as much each time it doubles. */
const SMALL_PIECES_BYTES = 4 * 1024 * 1024;
const AVERAGE_BITS = 13;

const GEAR = makeGear();

/** 256 numbers that look random, and are the same for everybody: pieces are found again by them. */
function makeGear(): Uint32Array {
  const table = new Uint32Array(256);
  let seed = 0x9e3779b9;
  for (let at = 0; at < table.length; at++) {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    table[at] = seed >>> 0;
  }
  return table;
}

/** Where the pieces of a content end, the last one included. */
export function cutPoints(bytes: Uint8Array): number[] {
  const bits = AVERAGE_BITS + Math.max(0, Math.ceil(Math.log2(bytes.length / SMALL_PIECES_BYTES)));
  const shift = 32 - bits;
  const [min, max] = [2 ** (bits - 2), 2 ** (bits + 3)];
  const points: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const limit = Math.min(start + max, bytes.length);
    let at = Math.min(start + min, limit);
    for (let hash = 0; at < limit; ) {
      hash = ((hash << 1) + (GEAR[bytes[at++] as number] as number)) | 0;
      if (hash >>> shift === 0) break;
    }
    points.push(at);
    start = at;
  }
  return points;
}

/** The pieces of a content, one after the other. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (const end of cutPoints(bytes)) {
    yield bytes.subarray(start, end);
    start = end;
  }
}
