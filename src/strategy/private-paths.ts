import { join } from 'node:path';
import type { RepoPath } from '../base/repo-path.ts';
import { readPrivateOfWorktree } from '../session/private-record.ts';
import { readPauses } from '../session/record/pause.ts';
import { readPauseBegin } from '../session/record/pause-notes.ts';
import { fingerprints } from '../session/record/turn-snapshot.ts';
import { digestOfFile } from '../snapshot/store/blobs.ts';
import type { Work } from './work.ts';

/** So much is read to tell later what a file held; of more, and of larger files, mode, size and time have to do. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What is noted of private files: their fingerprints, each with a digest of what the file holds. */
export function notePrivate(
  root: string,
  prints: Iterable<readonly [path: string, print: string]>,
): Map<RepoPath, string> {
  let left = MAX_BYTES;
  return new Map(
    [...prints].map(([path, print]) => {
      const size = sizeIn(print);
      if (size > left) return [path as RepoPath, print];
      left -= size;
      const digest = digestOf(root, path, print);
      return [path as RepoPath, digest === undefined ? print : `${print} ${digest}`];
    }),
  );
}

/** Whether a file is as it was noted, also where it was written again with the same contents, as by `git stash pop`. */
export function isAsNoted(root: string, path: string, noted: string | undefined, print: string): boolean {
  const [known, digest] = noted?.split(' ') ?? [];
  if (known === print) return true;
  if (digest === undefined || sizeIn(known ?? '') !== sizeIn(print)) return false;
  return digestOf(root, path, print) === digest;
}

const sizeIn = (print: string): number => Number(print.split(':')[1] ?? 0);

function digestOf(root: string, path: string, print: string): string | undefined {
  if (!/^100\d{3}:/.test(print)) return undefined; // a link, or nothing
  try {
    return digestOfFile(join(root, path));
  } catch {
    return undefined; // gone by now, or unreadable: what cannot be read is not stored
  }
}

/**
 * Those of some files that changed in a private stretch and not since: no step and no prompt keeps them as they are.
 *
 * @param own what the session that asks recorded itself, beside another one that is paused
 */
export function findPrivatePaths(
  { repo }: Work,
  paths: readonly string[],
  own: ReadonlySet<string> = new Set(),
): Set<RepoPath> {
  const { commonDir, worktreeId, worktreeRoot } = repo;
  const known: ReadonlyMap<string, string> =
    readPrivateOfWorktree(commonDir, worktreeId)?.paths ?? new Map<string, string>();
  const pauses = readPauses(commonDir);
  const open =
    pauses === 'unreadable'
      ? []
      : pauses.flatMap(({ id }) => readPauseBegin(commonDir, id)?.worktrees.get(worktreeId)?.paths ?? []);
  if (known.size === 0 && open.length === 0) return new Set();
  const isPrivate = (path: string, print: string): boolean =>
    isAsNoted(worktreeRoot, path, known.get(path), print) ||
    (!own.has(path) && open.some((before) => before.get(path) !== print));
  const found = [...fingerprints(worktreeRoot, paths)].filter(([path, print]) => isPrivate(path, print));
  return new Set(found.map(([path]) => path as RepoPath));
}
