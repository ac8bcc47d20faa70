import { describeError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readObjects } from '../git/objects.ts';
import { type Git, inBatchesOrAll, runGit, splitNul } from '../git/run.ts';
import { readBlob } from '../snapshot/chunks.ts';
import type { FileState } from '../snapshot/file-state.ts';
import type { PathChange } from '../snapshot/record.ts';
import { isBinary } from '../strategy/attribution/texts.ts';

/** Larger files are compared whole. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Files of which a session's work is still staged, though an undo took it out of the worktree: the index has lines that the undo took
 * away, or is without those that it brought back. One process, and one more where anything is staged.
 *
 * @param files what the undo changed
 * @param store where their contents are kept
 */
export function findStagedWork(
  git: Git,
  store: string,
  files: ReadonlyMap<RepoPath, PathChange>,
): RepoPath[] {
  try {
    const staged = readStagedPaths(git, [...files.keys()]);
    const changes = [...files].filter(([path]) => staged.has(path) && !path.includes('\n'));
    if (changes.length === 0) return [];
    const inGit = changes.flatMap(([, { before, after }]) =>
      [before, after].flatMap((state) => (state?.kind === 'git' ? state.oid : [])),
    );
    const objects = readObjects(git, [...changes.map(([path]) => `:${path}`), ...inGit]);
    const read = (state: FileState | undefined): Buffer | undefined => {
      if (state?.kind === 'git') return objects.get(state.oid)?.data;
      return state?.kind === 'file' ? readBlob(store, state.sha256) : undefined;
    };
    return changes.flatMap(([path, { before, after }]) =>
      holdsWork(objects.get(`:${path}`)?.data, read(before), read(after)) ? path : [],
    );
  } catch (error) {
    log('warn', 'what is staged is not looked at', { error: describeError(error) });
    return [];
  }
}

function readStagedPaths(git: Git, paths: readonly RepoPath[]): Set<string> {
  const staged = new Set<string>();
  for (const batch of paths.length === 0 ? [] : inBatchesOrAll(paths)) {
    const args = [
      'diff-index',
      '--cached',
      '--name-only',
      '-z',
      '--ignore-submodules',
      'HEAD',
      '--',
      ...batch,
    ];
    for (const path of splitNul(runGit(git, args, { okUnknown: true }).stdout)) staged.add(path);
  }
  return staged;
}

/** @param work what the session had made of a file @param undone what the undo made of it; `undefined`: it is not there */
function holdsWork(
  staged: Buffer | undefined,
  work: Buffer | undefined,
  undone: Buffer | undefined,
): boolean {
  if (isSame(staged, undone)) return false;
  if (!staged || !work) return isSame(staged, work);
  if ([staged, work, undone].some((bytes) => bytes && (bytes.length > MAX_BYTES || isBinary(bytes))))
    return isSame(staged, work);
  const [is, was, left] = [linesOf(staged), linesOf(work), linesOf(undone)];
  return (
    [...was].some((line) => is.has(line) && !left.has(line)) ||
    [...left].some((line) => !is.has(line) && !was.has(line))
  );
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one && other ? one.equals(other) : one === other;

const linesOf = (bytes: Buffer | undefined): Set<string> =>
  new Set((bytes?.toString('utf8') ?? '').split('\n').filter((line) => line.trim() !== ''));
