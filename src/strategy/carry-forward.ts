import { join } from 'node:path';
import { disk } from '../base/disk.ts';
import type { ObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { readShadowBranch } from '../checkpoint/shadow-branch.ts';
import { writeTemporary } from '../checkpoint/temporary.ts';
import type { Commit } from '../git/commits.ts';
import {
  type Change,
  type FileMode,
  hashFiles,
  type Identity,
  retryWhenMoved,
  type TreeEntry,
} from '../git/objects.ts';
import type { SessionState } from '../session/state.ts';
import { isProperPart } from './overlap.ts';
import type { Work } from './work.ts';

export interface Remainder {
  readonly paths: readonly RepoPath[];
  /** Paths whose left-out part is not in the worktree at this moment: the shadow tree's version is the work. */
  readonly fromShadow: ReadonlyMap<RepoPath, TreeEntry>;
}

/**
 * What stays with a session after a commit took part of its work: paths the commit does not have; paths the
 * worktree has otherwise than the commit; and new files of which the commit has only some of the agent's lines.
 */
export function findRemaining(
  work: Work,
  touched: readonly RepoPath[],
  commit: Commit,
  shadow: ReadonlyMap<string, TreeEntry>,
  readText: (entry: TreeEntry) => string | undefined,
): Remainder {
  const fromShadow = new Map<RepoPath, TreeEntry>();
  const differing = new Set(
    findDiffering(
      work,
      touched.filter((path) => commit.changes.has(path)),
      commit,
    ),
  );
  const paths = touched.filter((path) => {
    const change = commit.changes.get(path);
    if (!change || differing.has(path)) return true;
    const saved = shadow.get(path);
    if (!saved || !change.after || saved.oid === change.after.oid) return false;
    const [committed, agent] = [readText(change.after), readText(saved)];
    const leftOut = committed !== undefined && agent !== undefined && isProperPart(committed, agent);
    if (leftOut) fromShadow.set(path, saved);
    return leftOut;
  });
  return { paths, fromShadow };
}

/** Committed paths that the worktree has in another version. A file deleted after the commit counts, too. */
function findDiffering(work: Work, paths: readonly RepoPath[], commit: Commit): RepoPath[] {
  const differing: RepoPath[] = [];
  const files: RepoPath[] = [];
  for (const path of paths) {
    const stat = disk.lstatSync(join(work.repo.worktreeRoot, path), { throwIfNoEntry: false });
    const after = commit.changes.get(path)?.after;
    if (stat?.isFile() && after) files.push(path);
    else if ((stat === undefined) !== (after === undefined)) differing.push(path);
  }
  const ids = hashFiles(work.git, files, false);
  return [
    ...differing,
    ...files.filter((path, index) => ids[index] !== commit.changes.get(path)?.after?.oid),
  ];
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
