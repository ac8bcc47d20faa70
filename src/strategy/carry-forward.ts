import type { ObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readShadowBranch, readShadowTree, type ShadowBranch } from '../checkpoint/shadow-branch.ts';
import { writeTemporary } from '../checkpoint/temporary.ts';
import type { Commit } from '../git/commits.ts';
import {
  type Change,
  type FileMode,
  type Identity,
  readTree,
  retryWhenMoved,
  type TreeEntry,
} from '../git/objects.ts';
import { readDirty } from '../git/status.ts';
import type { SessionState } from '../session/state.ts';
import { isProperPart } from './overlap.ts';
import type { Work } from './work.ts';

export interface Remainder {
  readonly paths: readonly RepoPath[];
  /** Paths whose left-out part is not in the worktree at this moment: the shadow tree's version is the work. */
  readonly fromShadow: ReadonlyMap<RepoPath, TreeEntry>;
}

/**
 * What stays with a session after a commit took part of its work: paths that still differ from HEAD; new files of
 * which the commit has only some of the agent's lines; and work that is elsewhere at the moment (stashed). A path
 * that HEAD has as the agent left it is done, whichever commit took it.
 */
export function findRemaining(
  work: Work,
  touched: readonly RepoPath[],
  commit: Commit,
  shadow: ShadowBranch,
  readText: (entry: TreeEntry) => string | undefined,
): Remainder {
  const dirty = readDirty(work.git, touched);
  const clean = touched.filter((path) => !dirty.has(path));
  const saved = readShadowTree(work.git, shadow, clean);
  const elsewhere = clean.filter((path) => saved.has(path) && !commit.changes.has(path));
  const head = elsewhere.length > 0 ? readTree(work.git, commit.oid, elsewhere) : undefined;
  const isElsewhere = (path: RepoPath) =>
    elsewhere.includes(path) && head?.get(path)?.oid !== saved.get(path)?.oid;

  const fromShadow = new Map<RepoPath, TreeEntry>();
  for (const path of clean) {
    const entry = saved.get(path);
    const committed = commit.changes.get(path)?.after;
    if (entry && (isElsewhere(path) || (committed && isPartOf(committed, entry, readText))))
      fromShadow.set(path, entry);
  }
  return { paths: touched.filter((path) => dirty.has(path) || fromShadow.has(path)), fromShadow };
}

/** Whether a committed file is the agent's version with lines left out. */
function isPartOf(
  committed: TreeEntry,
  agent: TreeEntry,
  readText: (entry: TreeEntry) => string | undefined,
): boolean {
  if (committed.oid === agent.oid) return false;
  const [part, whole] = [readText(committed), readText(agent)];
  return part !== undefined && whole !== undefined && isProperPart(part, whole);
}

/**
 * Gives the remaining files a shadow branch of their own on the new HEAD, without a transcript, and a state that
 * starts again from it.
 */
export function carryForward(
  work: Work,
  state: SessionState,
  head: ObjectId,
  remainder: Remainder,
  author: Identity,
): SessionState {
  const extra: Change[] = [...remainder.fromShadow].map(([path, { mode, oid }]) => ({
    path,
    mode: mode as FileMode,
    oid,
  }));
  retryWhenMoved(() =>
    writeTemporary(work.git, {
      sessionId: state.sessionId,
      branch: readShadowBranch(work.git, head, state.worktreeId),
      head,
      paths: remainder.paths,
      texts: undefined,
      extra,
      subject: 'carry forward: uncommitted session files',
      author,
    }),
  );
  return {
    ...state,
    filesTouched: remainder.paths,
    checkpointCount: 1,
    checkpointTranscriptStart: 0,
    lastCheckpointId: undefined,
  };
}
