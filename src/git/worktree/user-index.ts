import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import type { TreeEntry } from '../object/objects.ts';
import { type Git, inBatchesOrAll, runGit, splitNul } from '../run.ts';

/** What the user's index has at some paths. */
export interface IndexEntries {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Paths with a conflict that nobody has resolved. */
  readonly unmerged: ReadonlySet<string>;
}

/** Looks up paths in the index. One process. */
export function readIndexEntries(git: Git, paths: readonly string[]): IndexEntries {
  const entries = new Map<string, TreeEntry>();
  const unmerged = new Set<string>();
  const wanted = new Set(paths); // a pathspec also matches what lies below it
  for (const batch of inBatchesOrAll(paths)) {
    for (const line of splitNul(runGit(git, ['ls-files', '--stage', '-z', '--', ...batch]).stdout)) {
      const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(line) ?? [];
      if (!mode || !oid || !path || !wanted.has(path)) continue;
      if (stage === '0') entries.set(path, { mode, oid: oid as ObjectId });
      else unmerged.add(path);
    }
  }
  return { entries, unmerged };
}

/** How long we wait for somebody who has the index locked. */
const WAIT_MS = 500;
const POLL_MS = 25;

const lockFile = (gitDir: string): string => join(gitDir, 'index.lock');

/** Waits until nobody has the index locked; false when somebody has it still. */
export async function isIndexFree(gitDir: string): Promise<boolean> {
  for (const deadline = Date.now() + WAIT_MS; disk.existsSync(lockFile(gitDir)); ) {
    if (Date.now() > deadline) return false;
    await setTimeout(POLL_MS);
  }
  return true;
}

/**
 * Sets paths of the user's index, or takes them out, and leaves all others alone. Git writes the index whole, under its
 * own lock.
 *
 * @param like any id of the repository
 * @throws {EntireError} `INDEX_LOCKED`, `GIT_FAILED`; the index is as it was then
 */
export async function setIndexEntries(
  git: Git,
  gitDir: string,
  entries: ReadonlyMap<string, TreeEntry | undefined>,
  like: ObjectId,
): Promise<void> {
  if (entries.size === 0) return;
  const nothing = '0'.repeat(like.length);
  const input = [...entries]
    .map(([path, entry]) => `${entry ? `${entry.mode} ${entry.oid}` : `0 ${nothing}`}\t${path}\0`)
    .join('');
  for (const deadline = Date.now() + WAIT_MS; ; ) {
    try {
      const args = ['update-index', '-z', '--replace', '--index-info'];
      return void runGit(git, args, { input, noHooks: true });
    } catch (cause) {
      if (!/index\.lock': File exists/.test(describeError(cause))) throw cause;
      if (Date.now() > deadline)
        throw new EntireError('INDEX_LOCKED', `${lockFile(gitDir)} is held`, { cause });
      await setTimeout(POLL_MS);
    }
  }
}
