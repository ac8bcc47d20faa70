import { join } from 'node:path';
import { appendLines } from '../../base/file/append-lines.ts';
import { readOwnIfUsable } from '../../base/file/small-file.ts';
import type { SessionId } from '../../base/ids.ts';
import { parseJson } from '../../base/text/json.ts';

/**
 * Files that a session read, in their order: `<git-common-dir>/entire/reads/<session>.json`, a JSON string on each line. Paths
 * of the worktree are relative to it, others absolute. Ours alone; losing it costs a reminder, not data.
 */
const readsFile = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'reads', `${id}.json`);

/** Notes files. On the hot path: one append. A file that is read again is noted again. @throws the system error */
export function noteReads(commonDir: string, id: SessionId, paths: readonly string[]): void {
  if (paths.length === 0) return;
  appendLines(
    readsFile(commonDir, id),
    Buffer.from(paths.map((path) => `${JSON.stringify(path)}\n`).join('')),
  );
}

/** Every file that was read, as often as it was noted, in that order. Lines that are damaged are passed over. */
export const listReads = (commonDir: string, id: SessionId): string[] =>
  (readOwnIfUsable(readsFile(commonDir, id), 'list') ?? '').split('\n').flatMap(parseLine);

/** A line that is none is a write that was cut short, which was then done again. */
function parseLine(line: string): string[] {
  const path = parseJson(line);
  return typeof path === 'string' && path !== '' ? [path] : [];
}
