import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, lstatInWorktree } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { findMergeBase } from '../../git/commit/commits.ts';
import { hashFiles } from '../../git/object/blobs.ts';
import { blobId, isSameEntry, readTree, type TreeEntry } from '../../git/object/objects.ts';
import type { Git } from '../../git/run.ts';
import { readModeConfig } from '../../git/worktree/modes.ts';
import type { ChangePart } from '../record/snapshot-record.ts';
import { type FileState, isSameState } from '../store/file-state.ts';
import type { LedgerEdit } from '../turn/ledger.ts';
import { MAX_BYTES } from '../turn/look-now.ts';
import type { TurnBegin } from '../turn/turn-begin.ts';
import { type CommitPart, chainParts, gapsOf, toState } from './commit-parts.ts';
import { type FindingHow, openNearest, type Versions } from './nearest.ts';
import type { Noted } from './own-changes.ts';

/** Where HEAD is now, and what commits of the turn itself made of paths, the oldest first. */
export interface NewHead {
  /** `undefined` before the first commit. */
  readonly head: string | undefined;
  /** A rebase or its like has stopped, and goes on. */
  readonly isReplaying: boolean;
  readonly committed: ReadonlyMap<RepoPath, readonly CommitPart[]>;
  /**
   * What `git commit` made here since the prompt, whoever called it, the newest first; not what a pull brought. `undefined` where git
   * keeps no note of it.
   */
  readonly commitsHere: (begin: Pick<TurnBegin, 'at' | 'head'>) => readonly ObjectId[] | undefined;
}

/** What a turn of which HEAD went elsewhere has to know of paths. What came by others' commits, or a pull, is none of the turn's. */
export interface HeadMoved {
  /**
   * What the turn found at a path, of which it made `after`, with the edits of it that were noted; `undefined` where that is what was
   * there at the prompt.
   */
  readonly foundAt: (path: RepoPath, edits: readonly LedgerEdit[], after: FileState) => FileState | undefined;
  /** What commits of the turn, and then what no commit has, made of a path that is `left` in the end; `undefined` where no commit did. */
  readonly committedParts: (path: RepoPath, left: FileState) => ChangePart[] | undefined;
  /**
   * What a command of a shell, such as `git pull`, made of a path by bringing what others had committed, before whatever else it did;
   * `undefined` where it brought nothing.
   *
   * @param made what edits of the turn left
   */
  readonly broughtBy: (
    edit: LedgerEdit,
    before: FileState | undefined,
    made: readonly FileState[],
  ) => FileState | undefined;
  /** Paths that are what they were at the prompt, wherever HEAD is. */
  readonly still: ReadonlySet<RepoPath>;
}

const NOTHING: HeadMoved = {
  foundAt: () => undefined,
  committedParts: () => undefined,
  broughtBy: () => undefined,
  still: new Set(),
};

/** How the version is found that commits of a turn went on from: no hook noted them. */
const BY_COMMITS: FindingHow = {
  ...{ isNoted: false, isTold: false, isMadeAnew: false, isReplaying: false, made: [] },
};

/**
 * Holds what HEAD has of paths against what it had at the prompt. Of commits that it lost, as by `git reset` or in the middle of a rebase,
 * nothing became the turn's: what they had made of a path is what was there. No process where HEAD is where it was.
 *
 * @param scanned paths that were found changed
 * @param noted those of which hooks noted edits
 */
export function readHeadMoved(
  store: string,
  git: Git,
  begin: TurnBegin | undefined,
  { head, isReplaying, committed, commitsHere }: NewHead,
  { scanned, noted }: { readonly scanned: ReadonlySet<RepoPath>; readonly noted: readonly RepoPath[] },
): HeadMoved {
  if (!begin?.head || !head || head === begin.head) return NOTHING;
  const paths = [...scanned, ...noted];
  if (paths.length === 0) return NOTHING;
  const [was, now] = [readTree(git, begin.head, paths), readTree(git, head, paths)];
  if (!was || !now) return NOTHING;
  const own = (path: RepoPath) => (scanned.has(path) ? committed.get(path) : undefined);
  const isElsewhere = (path: RepoPath, entry: TreeEntry | undefined) => !isSameEntry(was.get(path), entry);
  const moved = paths.filter((path) => isElsewhere(path, now.get(path)));
  const onOthers = paths.filter((path) => own(path)?.some(({ before }) => isElsewhere(path, before)));
  const baseOf = openBase(git, begin.head, head, was, [...new Set([...moved, ...onOthers])]);
  const versionsOf = (path: RepoPath): Versions => {
    const [first] = committed.get(path) ?? [];
    const others = toState(first ? first.before : now.get(path));
    const dirty = begin.files.get(path);
    const atPrompt = toState(was.get(path));
    return dirty
      ? { base: atPrompt, was: dirty.state, now: others, isDirty: true }
      : { base: toState(baseOf(path)), was: atPrompt, now: others, isDirty: false };
  };
  const isMoved = new Set(moved);
  const sides = new Map([...moved, ...onOthers].map((path) => [path, versionsOf(path)]));
  const { find, findBrought } = openNearest(store, git, sides);
  const isMadeHere = openMadeHere(git, () => commitsHere(begin), moved);
  // What differs from HEAD, which is at this path what it was, differs from that as well.
  const compared = [...scanned].filter((path) => own(path) || (isMoved.has(path) && !begin.files.has(path)));
  const isAsIn = compareWith(git, [was, now], compared);
  return {
    foundAt: (path, edits, after) => {
      const versions = isMoved.has(path) ? sides.get(path) : undefined;
      if (!versions) return undefined;
      const [first] = edits;
      const isMadeAnew = first?.before?.kind === 'missing';
      if (isMadeAnew && !was.has(path) && !begin.files.has(path)) return undefined; // it was not there at the prompt either
      return find(path, versions, first?.before ?? first?.after ?? after, {
        isNoted: first !== undefined,
        isTold: first?.before !== undefined,
        isMadeAnew,
        isReplaying,
        made: edits.map((edit) => edit.after),
      });
    },
    committedParts(path, left) {
      const commits = own(path);
      const [first] = commits ?? [];
      if (!commits || !first) return undefined;
      const versions = sides.get(path); // without it the commits went on from what was there at the prompt
      const found = versions && find(path, versions, toState(first.after) ?? left, BY_COMMITS);
      const start = found ?? begin.files.get(path)?.state ?? toState(was.get(path));
      const isCommitted = isAsIn(now, path) || (left.kind === 'missing' && !now.has(path));
      return chainParts(commits, start, now.get(path), { left, isCommitted });
    },
    broughtBy({ path, source, after }, before, made) {
      if (source !== 'bash' || !isMoved.has(path)) return undefined;
      const found = gapsOf(was.get(path), committed.get(path) ?? [], now.get(path)).flatMap(([from, to]) => {
        const own = { made, isMadeHere: () => isMadeHere(path, to) };
        return findBrought(path, { was: toState(from), now: toState(to) }, { before, after }, own) ?? [];
      });
      return found.find((state) => isSameState(state, after)) ?? found[0];
    },
    still: new Set(compared.filter((path) => !begin.files.has(path) && isAsIn(was, path))),
  };
}

/** An edit, behind one that is none of the turn's where a shell brought what others had committed. */
export function withBrought(
  edit: LedgerEdit,
  before: FileState | undefined,
  made: readonly FileState[],
  { broughtBy }: HeadMoved,
): Array<LedgerEdit & Noted> {
  const brought = broughtBy(edit, before, made);
  if (!brought) return [edit];
  const bringing = { ...edit, after: brought, isBrought: true };
  return isSameState(brought, edit.after) ? [bringing] : [bringing, { ...edit, before: undefined }];
}

/** Of more commits it is not asked what they made. */
const MAX_COMMITS = 50;

/** Tells whether one of some commits made a path what it is, or may have. One process for each commit, once that is asked for. */
function openMadeHere(
  git: Git,
  commits: () => readonly ObjectId[] | undefined,
  paths: readonly RepoPath[],
): (path: RepoPath, entry: TreeEntry | undefined) => boolean {
  const trees = once(() =>
    commits()
      ?.slice(0, MAX_COMMITS)
      .flatMap((oid) => readTree(git, oid, paths) ?? []),
  );
  return (path, entry) => trees()?.some((tree) => isSameEntry(tree.get(path), entry)) ?? true;
}

/** Tells what commits had of paths that HEAD has and those that it lost; `undefined` where both have nothing in common. */
function openBase(
  git: Git,
  from: string,
  head: string,
  was: ReadonlyMap<string, TreeEntry>,
  paths: readonly RepoPath[],
): (path: RepoPath) => TreeEntry | undefined {
  const base = paths.length === 0 ? undefined : findMergeBase(git, from, head);
  const tree = base === from ? was : base && readTree(git, base, paths);
  return (path) => tree?.get(path);
}

type Tree = ReadonlyMap<string, TreeEntry>;

/**
 * Tells which files are what a tree has, as git would add them: their names in git tell, after its filters. Each is read once, for all of
 * the trees; what is too large is taken for something else.
 */
function compareWith(
  git: Git,
  trees: readonly Tree[],
  paths: readonly RepoPath[],
): (tree: Tree, path: RepoPath) => boolean {
  const { ignoresModes, ignoresLinks } = paths.length > 0 ? readModeConfig(git) : NO_MODES;
  const stats = new Map(paths.map((path) => [path, lstatInWorktree(git.cwd, path)]));
  const mayBe = (path: RepoPath, entry: TreeEntry | undefined): boolean => {
    const stat = stats.get(path);
    if (!entry || !stat?.isFile() || stat.size > MAX_BYTES) return false;
    const own = (stat.mode & 0o111) === 0 ? '100644' : '100755';
    // Where the file system keeps no such thing, git goes by what it has.
    const isUnknown =
      (ignoresModes && entry.mode.startsWith('100')) || (ignoresLinks && entry.mode === '120000');
    return isUnknown || entry.mode === own;
  };
  const files = paths.filter((path) => trees.some((tree) => mayBe(path, tree.get(path))));
  const ids = hashQuietly(git, files);
  const idOf = new Map(files.map((path, at) => [path, ids[at]]));
  return (tree, path) => {
    const entry = tree.get(path);
    if (!entry) return false;
    if (entry.mode === '120000' && stats.get(path)?.isSymbolicLink())
      return isLinkOf(join(git.cwd, path), entry.oid);
    return mayBe(path, entry) && idOf.get(path) === entry.oid;
  };
}

const NO_MODES = { ignoresModes: false, ignoresLinks: false };

/** A file that cannot be read must not keep the rest of the turn from its record. */
function hashQuietly(git: Git, files: readonly RepoPath[]): readonly ObjectId[] {
  try {
    return hashFiles(git, files, 'look');
  } catch (error) {
    log('warn', 'not held against a commit', { error: describeError(error) });
    return [];
  }
}

const isLinkOf = (file: string, oid: ObjectId): boolean =>
  blobId(disk.readlinkSync(file, 'buffer'), oid) === oid;
