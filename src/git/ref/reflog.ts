import { join } from 'node:path';
import { readTail } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';

/** One move of a worktree's HEAD, as git noted it. */
export interface HeadMove {
  /** All zeros where there was nothing before. */
  readonly from: ObjectId;
  readonly to: ObjectId;
  /** Git counts in seconds. */
  readonly atMs: number;
  /** `commit`, `commit (amend)`, `checkout` … */
  readonly action: string;
}

/** Bytes at the end of the reflog: a few hundred moves. */
const TAIL_BYTES = 64 * 1024;

/** How much of a reflog's end holds its last line: our oldest messages are longer than most. */
const LINE_BYTES = 8 * 1024;

/** The last line of the reflog of `HEAD` or of another ref, as its file has it; empty where there is none. */
export const readLastLine = (dir: string, ref: string): string =>
  readTail(join(dir, 'logs', ref), LINE_BYTES)
    .trimEnd()
    .split('\n')
    .at(-1) ?? '';

/** The last moves of HEAD, oldest first; none where git keeps no reflog, or keeps it elsewhere (reftable). */
export function readRecentMoves(gitDir: string): HeadMove[] {
  const lines = readTail(join(gitDir, 'logs', 'HEAD'), TAIL_BYTES).split('\n');
  return lines.flatMap((line) => {
    const [, before, oid, seconds, action] =
      /^([0-9a-f]+) ([0-9a-f]+) .*> (\d+) [+-]\d{4}\t(.*?)(?:: .*)?$/.exec(line) ?? [];
    const [from, to] = [parseObjectId(before), parseObjectId(oid)];
    return from && to && action ? [{ from, to, atMs: Number(seconds) * 1000, action }] : [];
  });
}

/** Those that the last rebase made after its start; `undefined` where git does not keep that, or no longer. */
export function readMovesOfRebase(gitDir: string): HeadMove[] | undefined {
  const moves = readRecentMoves(gitDir);
  const start = moves.findLastIndex(({ action }) => action.endsWith('(start)'));
  return start === -1 ? undefined : moves.slice(start + 1);
}

/** Whether somebody made a commit, as after a conflict, and not git alone. @param action in the reflog's words */
export const isBySomebody = (action: string): boolean =>
  action.endsWith('(continue)') || action.startsWith('commit');

/** The commits of the last rebase that somebody made, as after a conflict, with what git added to them then. */
export function readMadeBySomebody(gitDir: string): ReadonlySet<ObjectId> {
  const found = new Set<ObjectId>();
  for (const { action, from, to } of readMovesOfRebase(gitDir) ?? []) {
    if (isBySomebody(action) || (found.has(from) && /\((?:fixup|squash)\)$/.test(action))) found.add(to);
  }
  return found;
}
