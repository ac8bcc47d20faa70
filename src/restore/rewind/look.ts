import { join } from 'node:path';
import { disk, lstatIfExists, lstatInWorktree } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { foldersOf, type RepoPath } from '../../base/repo-path.ts';
import { hashFiles } from '../../git/object/blobs.ts';
import { blobId, isSameEntry, readTree, type TreeEntry } from '../../git/object/objects.ts';
import { byHalves, type Git } from '../../git/run.ts';
import { readModeConfig } from '../../git/worktree/modes.ts';
import { findIgnored } from '../../git/worktree/status.ts';
import type { PathFacts, Standing } from './plan.ts';

/** What is known of the paths apart from the disk and git. */
export interface Known {
  /** The step one goes back to, and the commit it sits on. */
  readonly target: ObjectId;
  readonly head: ObjectId;
  /** Paths that were there, untracked or ignored, before the session; a folder ends in `/`. */
  readonly atStart: readonly string[];
  /** Paths that other sessions wrote since the target, and which. */
  readonly others: ReadonlyMap<RepoPath, string>;
  /** Paths for which the tree of the target does not count, and what counts. */
  readonly corrected: ReadonlyMap<RepoPath, { readonly entry: TreeEntry | undefined }>;
}

/** Looks at what stands at each path, links not followed. Reads the files, and writes nothing. Five processes at most. */
export function lookAtPaths(git: Git, paths: readonly RepoPath[], known: Known): PathFacts[] {
  if (paths.length === 0) return [];
  const targets = correct(
    readTree(git, known.target, paths) ?? new Map<string, TreeEntry>(),
    known.corrected,
  );
  const tracked = readTree(git, known.head, paths) ?? new Map<string, TreeEntry>();
  const standings = readStandings(git, paths, targets, known.head);
  const within = paths.filter((path) => !/^(beyond|in)-/.test(standings.get(path)?.kind ?? ''));
  const ignored = new Set(findIgnored(git, within));
  const atStart = new Set(known.atStart);
  return paths.map((path) => ({
    path,
    target: targets.get(path),
    standing: standings.get(path) ?? { kind: 'missing' },
    isTracked: tracked.has(path),
    isIgnored: ignored.has(path),
    wasThere: atStart.has(path) || foldersOf(path).some((folder) => atStart.has(`${folder}/`)),
    other: known.others.get(path),
  }));
}

/** Paths at which something stands that the last step of a branch does not have. */
export function findUnsaved(git: Git, tip: ObjectId, head: ObjectId, paths: readonly RepoPath[]): RepoPath[] {
  const saved = readTree(git, tip, paths) ?? new Map<string, TreeEntry>();
  const standings = paths.length > 0 ? readStandings(git, paths, saved, head) : new Map<RepoPath, Standing>();
  return paths.filter((path) => {
    const standing = standings.get(path);
    return standing !== undefined && 'entry' in standing && !isSameEntry(standing.entry, saved.get(path));
  });
}

/** A tree as it should have been. */
export function correct(
  tree: ReadonlyMap<string, TreeEntry>,
  corrected: Known['corrected'],
): Map<string, TreeEntry> {
  const entries = new Map(tree);
  for (const [path, { entry }] of corrected) {
    if (entry) entries.set(path, entry);
    else entries.delete(path);
  }
  return entries;
}

function readStandings(
  git: Git,
  paths: readonly RepoPath[],
  targets: ReadonlyMap<string, TreeEntry>,
  like: ObjectId,
): Map<RepoPath, Standing> {
  const { ignoresModes, ignoresLinks } = readModeConfig(git);
  const standings = new Map<RepoPath, Standing>();
  const files = new Map<RepoPath, string>();
  const folders = new Map<string, Standing['kind'] | undefined>();
  for (const path of paths) {
    const way = foldersOf(path).flatMap((folder) => {
      if (!folders.has(folder)) folders.set(folder, lookAtFolder(git.cwd, folder));
      return folders.get(folder) ?? [];
    })[0] as Exclude<Standing['kind'], 'file' | 'link'> | undefined;
    const stat = way ? undefined : lstatInWorktree(git.cwd, path);
    if (way) standings.set(path, { kind: way });
    else if (!stat) standings.set(path, { kind: 'missing' });
    else if (stat.isDirectory()) standings.set(path, { kind: 'folder' });
    else if (stat.isSymbolicLink()) {
      const oid = blobId(disk.readlinkSync(join(git.cwd, path), 'buffer'), like);
      standings.set(path, { kind: 'link', entry: { mode: '120000', oid } });
    } else if (!stat.isFile()) standings.set(path, { kind: 'special' });
    else {
      // Where the file system keeps no such thing, the file is what the checkpoint says that it is.
      const mode = targets.get(path)?.mode;
      const own = stat.mode & 0o111 ? '100755' : '100644';
      const isUnknown = (ignoresModes && mode?.startsWith('100')) || (ignoresLinks && mode === '120000');
      files.set(path, isUnknown ? (mode as string) : own);
    }
  }
  for (const [path, oid] of hash(git, [...files.keys()])) {
    const mode = files.get(path) as string;
    standings.set(path, oid ? { kind: 'file', entry: { mode, oid } } : { kind: 'unreadable' });
  }
  return standings;
}

/** What stands in the way at a folder: `undefined` when nothing does. */
function lookAtFolder(root: string, folder: string): Standing['kind'] | undefined {
  const stat = lstatIfExists(join(root, folder));
  if (!stat) return undefined;
  if (stat.isSymbolicLink()) return 'beyond-link';
  if (!stat.isDirectory()) return 'beyond-file';
  return disk.existsSync(join(root, folder, '.git')) ? 'in-repository' : undefined;
}

/** All files with one process; when that fails, without those that cannot be read. */
const hash = (
  git: Git,
  paths: readonly RepoPath[],
): ReadonlyArray<readonly [RepoPath, ObjectId | undefined]> =>
  byHalves(
    paths,
    (some): Array<readonly [RepoPath, ObjectId | undefined]> => {
      const ids = hashFiles(git, some, 'look');
      return some.map((path, at) => [path, ids[at]]);
    },
    (path) => [[path, undefined]],
  );
