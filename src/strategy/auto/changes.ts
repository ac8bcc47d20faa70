import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isAlready, readWorktreeChanges } from '../../checkpoint/worktree-files.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import {
  blobId,
  type Change,
  type FileMode,
  isSubmodule,
  readTree,
  type TreeEntry,
} from '../../git/object/objects.ts';
import { readRef, toIdentity } from '../../git/ref/refs.ts';
import { gitAt } from '../../git/run.ts';
import { type ModeConfig, parseModeConfig } from '../../git/worktree/modes.ts';
import { type IndexEntries, readIndexEntries } from '../../git/worktree/user-index.ts';
import type { AttributedCommit } from '../attribution/commit.ts';
import type { Work } from '../work.ts';

/** Settings of git's that say what a commit looks like. */
export interface CommitConfig extends ModeConfig {
  readonly author: ReturnType<typeof toIdentity>;
  readonly isSigned: boolean;
}

/** Names of the settings, as a pattern. */
export const COMMIT_CONFIG = '^(user\\.(name|email)|commit\\.gpgsign|core\\.(filemode|symlinks))$';

const isOn = (value: string | undefined): boolean => /^(true|yes|on|[1-9]\d*)$/i.test(value ?? '');

/** Reads what {@link COMMIT_CONFIG} names. */
export const parseCommitConfig = (config: ReadonlyMap<string, string>): CommitConfig => ({
  author: toIdentity(config),
  isSigned: isOn(config.get('commit.gpgsign')),
  ...parseModeConfig(config),
});

/** What a commit changes, and what stood at those paths before. */
export interface CommitChanges {
  /** What goes comes first: a folder can become a file, and a file a folder. */
  readonly changes: readonly Change[];
  readonly before: ReadonlyMap<string, TreeEntry>;
  readonly index: IndexEntries;
}

/**
 * How paths of the worktree differ from HEAD, as `git add` would store them: line ends and filters of
 * `.gitattributes`, executable bits, links, and the commits that submodules are on.
 *
 * @param onLeftOut told of each path that could not be read
 */
export function readCommitChanges(
  { git, repo }: Work,
  head: ObjectId,
  paths: readonly RepoPath[],
  config: CommitConfig,
  onLeftOut: (path: string) => void,
): CommitChanges {
  const before = readTree(git, head, paths) ?? new Map<string, TreeEntry>();
  const index = readIndexEntries(git, paths);
  const known = (path: string) => before.get(path) ?? index.entries.get(path);
  const isFolder = (path: string) => lstatInWorktree(repo.worktreeRoot, path)?.isDirectory() ?? false;
  const files = readWorktreeChanges(
    git,
    paths.filter((path) => !isFolder(path)),
    before,
    head,
    onLeftOut,
  ).map((change) => withKnownMode(change, known(change.path)?.mode, config));
  const submodules = paths.filter((path) => known(path)?.mode === '160000' && isFolder(path));
  const replaced = paths.filter((path) => isFile(before.get(path)) && isFolder(path));
  const moved = submodules.flatMap((path) => readSubmodule(repo.worktreeRoot, path) ?? []);
  const gone = replaced.map((path): Change => ({ path, removed: true })); // by a folder, whose files are paths of their own
  const changes = [...files, ...gone, ...moved].filter(
    (change) => !isAlready(change, before.get(change.path), head),
  );
  const isGone = (change: Change) => 'removed' in change;
  const sorted = [...changes.filter(isGone), ...changes.filter((change) => !isGone(change))];
  return { changes: sorted, before, index };
}

const isFile = (entry: TreeEntry | undefined): boolean =>
  entry !== undefined && !isSubmodule(entry) && entry.mode !== '040000';

/** Where the file system does not keep a mode, git's own record of it counts. */
function withKnownMode(change: Change, known: string | undefined, config: CommitConfig): Change {
  if ('removed' in change || change.mode === '120000') return change;
  if (known === '120000' && config.ignoresLinks) return { ...change, mode: known };
  if (!config.ignoresModes) return change;
  const mode: FileMode = known === '100755' ? '100755' : '100644';
  return { ...change, mode };
}

/** The commit that a submodule is on; nothing for one that is not there. */
function readSubmodule(root: string, path: string): Change | undefined {
  const dir = join(root, path);
  if (!disk.existsSync(join(dir, '.git'))) return undefined; // git would answer for the repository around it
  try {
    const oid = readRef(gitAt(dir), 'HEAD');
    return oid && { path, mode: '160000', oid };
  } catch (error) {
    log('warn', 'submodule left out of the commit', { file: path, error: describeError(error) });
    return undefined; // damaged, or of an owner that git does not trust
  }
}

/** What the tree has at a path after a change. */
export function entryOf(change: Change, like: ObjectId): TreeEntry | undefined {
  if ('removed' in change) return undefined;
  return { mode: change.mode, oid: 'oid' in change ? change.oid : blobId(change.data, like) };
}

/** A commit that is made of one session's work alone. */
export const asSoleWork = (changes: PathChanges): AttributedCommit => ({
  changes,
  files: [...changes.keys()],
  left: new Set(),
  renamed: new Map(),
  foreign: new Set(),
  saved: new Set(),
  steps: new Map(),
  isByAgent: false,
});
