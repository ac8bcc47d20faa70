import { join } from 'node:path';
import { readOwnIfUsable } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import type { Worktree } from '../git/worktree/worktree-list.ts';
import type { WorktreeEntry } from './manifest.ts';

/** In the worktree's own git folder, which goes with it wherever it is moved: the id of its entry. */
const MARK = 'entire-worktree';

/** Writes down in a worktree which entry of the manifest is its own. @throws the system error */
export const markEntry = (gitDir: string, { id }: WorktreeEntry): void =>
  writeFileAtomic(join(gitDir, MARK), `${id}\n`);

const readMark = ({ gitDir, isMain }: Worktree): string | undefined =>
  isMain ? undefined : readOwnIfUsable(join(gitDir, MARK), 'mark')?.trim();

/** The entry of a worktree, among those of its repository; also where `git worktree move` has given it another path. */
export function findEntry(
  entries: readonly WorktreeEntry[],
  worktrees: readonly Worktree[],
  worktree: Worktree,
): WorktreeEntry | undefined {
  const own = readMark(worktree);
  const marked = entries.find(({ id }) => id === own);
  if (marked) return marked;
  // One that was moved has left its old path to whatever lies there now.
  const others = new Set(worktrees.map(readMark));
  return entries.find(({ id, path }) => path === worktree.root && !others.has(id));
}

/** The worktree of an entry; `undefined` where git knows none. */
export const findWorktree = (
  entries: readonly WorktreeEntry[],
  worktrees: readonly Worktree[],
  entry: WorktreeEntry,
): Worktree | undefined => worktrees.find((one) => findEntry(entries, worktrees, one) === entry);
