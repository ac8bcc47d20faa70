import type { ObjectId } from '../../base/ids.ts';
import type { TreeEntry } from './objects.ts';

/** One entry of a tree object. */
export interface NamedEntry extends TreeEntry {
  /** Bytes, one character for each (`latin1`): whatever somebody else wrote there goes through unchanged. */
  readonly name: string;
}

/** Some old trees have the mode with a zero in front. */
export const isFolder = (entry: TreeEntry | undefined): boolean =>
  entry !== undefined && Number.parseInt(entry.mode, 8) === 0o40000;

/**
 * Reads a tree object as `cat-file` gives it: entries of `<mode> <name>` NUL and the id in binary. What comes after a
 * broken entry is left out.
 *
 * @param oidLength of the repository's ids, in hexadecimal digits
 * @param isWanted picks entries by name: the others cost next to nothing
 */
export function parseTreeObject(
  data: Buffer,
  oidLength: number,
  isWanted: (name: string) => boolean = () => true,
): NamedEntry[] {
  const entries: NamedEntry[] = [];
  const text = data.toString('latin1'); // searched much faster than bytes are
  let hex: string | undefined; // cut much faster than bytes are read
  for (let at = 0; at < data.length; ) {
    const space = text.indexOf(' ', at);
    const nul = text.indexOf('\0', at);
    const end = nul + 1 + oidLength / 2;
    if (space === -1 || nul < space || end > data.length) break;
    const name = text.slice(space + 1, nul);
    if (isWanted(name)) {
      hex ??= data.toString('hex');
      const oid = hex.slice(2 * (nul + 1), 2 * end) as ObjectId;
      entries.push({ mode: text.slice(at, space), name, oid });
    }
    at = end;
  }
  return entries;
}
