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
 * What stays with a session after a commit took part of its work: every path the commit does not have, except those
 * that HEAD has as the agent left them, whichever commit took them; and of those it has, the ones that still differ
 * from HEAD, and new files of which it has only some of the agent's lines.
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
  const left = clean.filter((path) => saved.has(path) && !commit.changes.has(path));
  const head = left.length > 0 ? readTree(work.git, commit.oid, left) : undefined;

  const fromShadow = new Map<RepoPath, TreeEntry>();
  const paths = touched.filter((path) => {
    if (dirty.has(path)) return true;
    const entry = saved.get(path);
    const change = commit.changes.get(path);
    if (!entry) return !change; // no step has it: whatever became of it, this commit is not it
    // Clean and yet not what the agent left: its work is elsewhere at the moment, in a stash or cut out of the file.
    const isElsewhere = change
      ? change.after !== undefined && isPartOf(change.after, entry, readText)
      : head?.get(path)?.oid !== entry.oid;
    if (isElsewhere) fromShadow.set(path, entry);
    return isElsewhere;
  });
  return { paths, fromShadow };
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
