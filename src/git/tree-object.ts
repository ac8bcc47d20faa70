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
 */
export function parseTreeObject(data: Buffer, oidLength: number): NamedEntry[] {
  const entries: NamedEntry[] = [];
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const nul = data.indexOf(0, at);
    const end = nul + 1 + oidLength / 2;
    if (space === -1 || nul < space || end > data.length) break;
    entries.push({
      mode: data.toString('latin1', at, space),
      name: data.toString('utf8', space + 1, nul),
      oid: data.toString('hex', nul + 1, end) as ObjectId,
    });
    at = end;
  }
  return entries;
}
