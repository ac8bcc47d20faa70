import { EntireError } from '../base/errors.ts';
import { type ObjectId, parseSessionId, type SessionId } from '../base/ids.ts';
import { isInfrastructurePath, type RepoPath, sortedUnique } from '../base/repo-path.ts';
import { branchRef, shadowBranch } from '../checkpoint/shadow-branch.ts';
import { readTree } from '../git/objects.ts';
import { readRef } from '../git/refs.ts';
import type { Branch } from '../history/branch.ts';

import type { SessionState } from '../session/state.ts';
import { readState } from '../session/state-store.ts';
import { readFilesTouched } from '../session/tracking-file.ts';
import { sessionStore } from '../snapshot/blobs.ts';
import type { SnapshotRecord } from '../snapshot/record.ts';
import { listSessions } from '../strategy/sessions.ts';
import type { Work } from '../strategy/work.ts';
import type { StepPoint } from './points.ts';
import { findOthers } from './rewind-branch.ts';
import { pathsOfFirst } from './rewind-first.ts';
import { correct, lookAtPaths } from './rewind-look.ts';
import { planRewind, type Verdict } from './rewind-plan.ts';
import {
  type Corrections,
  correctTree,
  findOthersWork,
  NO_CORRECTIONS,
  readRecords,
  splitAround,
} from './rewind-records.ts';
import { type CutBranch, cutBranch, pathsOf } from './rewind-steps.ts';
import { filesAt } from './rollback.ts';

/** What going back to a step comes to. Nothing has been changed. */
export interface RewindPreview {
  readonly sessionId: SessionId;
  /** `undefined` for a session that left nothing but its steps. */
  readonly state: SessionState | undefined;
  readonly verdicts: readonly Verdict[];
  /** Paths that become something else, and hold what somebody else wrote since the step. */
  readonly othersWork: readonly RepoPath[];
  /** Paths for which the tree of the step does not count, and what is put there. */
  readonly corrected: Corrections['targets'];
  readonly cut: CutBranch;
  /** Steps of other sessions that stay on the branch. */
  readonly otherSteps: number;
  /** Files that the session is known to have written, saved or not. */
  readonly files: readonly RepoPath[];
  /** Those of them that no other session wrote since. */
  readonly owned: readonly RepoPath[];
  /** Those of them that it has at the step. */
  readonly filesAtStep: (left: Iterable<RepoPath>) => RepoPath[];
}

/** What is known of a session besides what lies on the disk. */
export interface InHand {
  /** Paths that were taken out of the tracking file. */
  readonly claimed?: readonly RepoPath[];
  /** The turn that goes on, where it is no record yet. */
  readonly open?: SnapshotRecord | undefined;
}

/**
 * Looks at the worktree, the session and its branch.
 *
 * @throws {EntireError} `NOT_FOUND` when the point is gone; `STATE_UNREADABLE`
 */
export function previewRewind(
  work: Work,
  branch: Branch,
  point: StepPoint,
  { claimed = [], open }: InHand = {},
): RewindPreview {
  const { git, sessions } = work;
  const { id: target } = point;
  const sessionId = sessionOf(point);
  const head = branch.head as ObjectId;
  const ref = branchRef(shadowBranch(head, branch.repo.worktreeId));
  const tip = readRef(git, ref);
  if (!tip) throw gone(target);
  const cut = cutBranch(branch, ref, tip, target);
  const state = readState(sessions, sessionId);
  const tracked = [...claimed, ...readFilesTouched(sessions, sessionId)];
  const written = [...cut.later, ...cut.kept];
  const first = written.find(({ step, isFirst }) => isFirst && step.sessionId === sessionId);
  const store = sessionStore(branch.repo.commonDir, sessionId, branch.repo.worktreeId);
  const records = readRecords(store);
  const inFirst = first ? pathsOfFirst(git, records, head, first) : [];
  const around = splitAround(store, records, cut, open);
  const since = around?.since ?? (open ? [open] : []);
  const recorded = since.flatMap((record) => [...record.files.keys()]);
  const files = sortedUnique(
    [
      ...(state?.filesTouched ?? []),
      ...tracked,
      ...inFirst,
      ...pathsOf(written, sessionId),
      ...recorded,
    ].filter((path) => !isInfrastructurePath(path)),
  );
  const isFirstKept = first !== undefined && cut.kept.includes(first);
  const corrections = around
    ? correctTree(around, cut, { store, like: head }, files, new Set(isFirstKept ? inFirst : []))
    : NO_CORRECTIONS;
  const { targets: corrected, untouched, notYet } = corrections;
  const others = findOthers(cut, sessionId, readOthers(work, sessionId));
  const atStart = state?.untrackedFilesAtStart ?? [];
  const concerned = files.filter((path) => !untouched.has(path));
  const verdicts = planRewind(lookAtPaths(git, concerned, { target, head, atStart, others, corrected }));
  const touched = state?.filesTouched ?? [];
  const changed = verdicts.flatMap(({ kind, path }) => (kind === 'leave' ? [] : path));
  return {
    ...{ sessionId, state, verdicts, cut, files },
    othersWork: around ? findOthersWork(since, git.cwd, changed) : [],
    corrected,
    otherSteps: cut.later.filter(({ step }) => step.sessionId !== sessionId).length,
    owned: files.filter((path) => !others.has(path)),
    filesAtStep(left) {
      const tree = correct(readTree(git, target, files) ?? new Map(), corrected);
      const stays = { touched, paths: new Set([...left, ...untouched]) };
      const then = files.filter((path) => !notYet.has(path) && !untouched.has(path));
      return filesAt(then, { target: tree, head: readTree(git, head, files) ?? new Map() }, stays);
    },
  };
}

/** Whose step it is. @throws {EntireError} `NOT_FOUND` where it names no session */
export function sessionOf({ id, sessionId }: StepPoint): SessionId {
  const parsed = parseSessionId(sessionId);
  if (parsed) return parsed;
  throw gone(id);
}

const gone = (id: ObjectId): EntireError =>
  new EntireError('NOT_FOUND', `rewind point not found: ${id.slice(0, 7)}`, {
    hint: 'It was there a moment ago. Run `entire rewind --list` to see the points there are.',
  });

/** What other sessions have in this worktree, by their ids. */
function readOthers(
  work: Work,
  sessionId: SessionId,
): Map<string, { touched: readonly RepoPath[]; tracked: readonly RepoPath[] }> {
  const { worktreeId } = work.repo;
  const others = listSessions(work).filter((session) => session.sessionId !== sessionId);
  return new Map(
    others.map(({ sessionId: id, isVisitor, isTracked, filesTouched }) => {
      const tracked = isVisitor
        ? readFilesTouched(work.sessions, id, worktreeId)
        : isTracked
          ? readFilesTouched(work.sessions, id)
          : [];
      return [id, { touched: isVisitor ? [] : filesTouched, tracked }] as const;
    }),
  );
}
