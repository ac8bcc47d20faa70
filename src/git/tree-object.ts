import type { ObjectId } from '../base/ids.ts';

/** One entry of a tree object. */
export interface NamedEntry {
  /** Without leading zeros: `40000` is a folder. */
  readonly mode: string;
  readonly name: string;
  readonly oid: ObjectId;
}

/**
 * Reads a tree object as `cat-file` gives it: entries of `<mode> <name>` NUL and the id in binary. What comes after a
 * broken entry is left out.
 *
 * @param oidLength of the repository's ids, in hexadecimal digits
 * @param isWanted picks entries by name: the others cost next to nothing. Names of other than ASCII letters are seen in
 *   latin1
 */
export function parseTreeObject(
  data: Buffer,
  oidLength: number,
  isWanted: (name: string) => boolean = () => true,
): NamedEntry[] {
  const entries: NamedEntry[] = [];
  const text = data.toString('latin1'); // searched much faster than bytes are
  for (let at = 0; at < data.length; ) {
    const space = text.indexOf(' ', at);
    const nul = text.indexOf('\0', at);
    const end = nul + 1 + oidLength / 2;
    if (space === -1 || nul < space || end > data.length) break;
    if (isWanted(text.slice(space + 1, nul)))
      entries.push({
        mode: text.slice(at, space),
        name: data.toString('utf8', space + 1, nul),
        oid: data.toString('hex', nul + 1, end) as ObjectId,
      });
    at = end;
  }
  return entries;
}
