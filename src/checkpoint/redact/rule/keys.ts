import type { Piece } from '../json.ts';
import type { Finding } from '../regions.ts';

const HEAD = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*$/;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY/;
/** A line of a key, perhaps behind its number or the sign of a patch. The last one of a block may be short. */
const LINE =
  /^[ \t]{0,8}(?:[0-9]{1,6}(?:[:|\t→]|\s))?[ \t]{0,4}(?:[-+>|] ?)?([A-Za-z0-9+/]{1,200}={0,2})\s*$/;
const LONG = 40;
/** So many other values may stand between two lines: what kind of line it is, for one. */
const MAX_BETWEEN = 4;

/**
 * Finds private keys whose lines are values of their own, as tools list files and patches. Between two JSON lines there
 * is no telling: each of them stands for itself.
 *
 * @param separator units between two pieces where they are joined
 */
export function findSplitKeys(pieces: readonly Piece[], separator: number): Finding[] {
  const found: Finding[] = [];
  let unit: number | undefined; // that of an open block
  let lines = 0;
  let between = 0;
  let offset = 0;
  for (const piece of pieces) {
    const { value } = piece;
    const start = offset;
    offset += value.length + separator;
    if (value.includes('-----BEGIN ') && HEAD.test(value)) {
      unit = piece.unit;
      lines = 0;
      between = 0;
    } else if (unit !== piece.unit || END.test(value)) {
      unit = undefined;
    } else {
      const body = LINE.exec(value)?.[1] ?? '';
      if (body.length >= LONG || (lines > 0 && between === 0 && body !== '')) {
        const end = start + value.lastIndexOf(body) + body.length;
        found.push({ start: end - body.length, end, rule: 'private-key' });
        lines++;
        between = 0;
      } else if (++between > MAX_BETWEEN) unit = undefined;
    }
  }
  return found;
}
