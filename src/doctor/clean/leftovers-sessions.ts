import { basename, join } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { readBlobs } from '../../checkpoint/read/blobs.ts';
import { type ListedBranch, readStepSessions, sessionsIn } from '../../checkpoint/shadow-branch.ts';
import type { Git } from '../../git/run.ts';
import { isLockDead } from '../../session/lock.ts';
import { listAllOwed } from '../../session/record/owed.ts';
import { readTaskRecord } from '../../session/record/task-record.ts';
import { listTrackedAnywhere } from '../../session/session-index.ts';
import {
  hasState,
  listSetAside,
  listStates,
  readStateIfReadable,
  sessionOfStateFile,
} from '../../session/state-store.ts';
import type { Work } from '../../strategy/work.ts';
import type { BranchFacts, SessionFacts } from './leftovers.ts';

/** Every session that has a state, archived ones and those that cannot be read included. */
export function readSessions({ repo, sessions }: Work): SessionFacts[] {
  const tracked = listTrackedAnywhere(sessions);
  const owing = readOwing(repo.commonDir);
  const { states, unreadable } = listStates(sessions);
  const lost = new Set([
    ...unreadable.flatMap((file) => sessionOfStateFile(basename(file)) ?? []),
    ...listSetAside(sessions),
  ]);
  return [
    ...states.map((state) => ({
      id: state.sessionId,
      state,
      isTracked: tracked.has(state.sessionId),
      hasTask: hasTask(repo.commonDir, state.sessionId),
      isOwed: owing.has(state.worktreeId),
    })),
    ...[...lost].map((id) => ({
      id,
      state: undefined,
      isTracked: tracked.has(id),
      hasTask: false,
      isOwed: false,
    })),
  ];
}

/** One session as it is now; `undefined` when it has no state. Under its lock, to be sure. */
export function readSession({ repo, sessions }: Work, id: SessionId): SessionFacts | undefined {
  if (!hasState(sessions, id)) return undefined;
  const state = readStateIfReadable(sessions, id);
  return {
    id,
    state,
    isTracked: listTrackedAnywhere(sessions).has(id),
    hasTask: hasTask(repo.commonDir, id),
    isOwed: state !== undefined && readOwing(repo.commonDir).has(state.worktreeId),
  };
}

const hasTask = (commonDir: string, session: string): boolean => {
  const id = parseSessionId(session);
  return id !== undefined && readTaskRecord(commonDir, id).running.length > 0;
};

const readOwing = (commonDir: string): Set<string> =>
  new Set(listAllOwed(commonDir).map(({ worktreeId }) => worktreeId));

/** Sessions that a hook works for at this moment. */
export const listBusy = (dir: string): Set<string> =>
  new Set(
    listNames(dir)
      .filter((name) => name.endsWith('.lock') && !isLockDead(join(dir, name)))
      .map((name) => name.slice(0, -'.lock'.length)),
  );

/**
 * Whose steps shadow branches hold: that of the last step, and with `all` those of every step. One process, and with
 * `all` one for each branch.
 */
export function readBranches(git: Git, branches: readonly ListedBranch[], all: boolean): BranchFacts[] {
  const { found } = readBlobs(
    git,
    branches.map(({ tip }) => tip),
  );
  return branches.map((branch) => {
    const tip = found.get(branch.tip)?.data.toString('utf8');
    if (tip === undefined || !all)
      return { branch, sessions: tip === undefined ? undefined : sessionsIn(tip) };
    const named = readStepSessions(git, branch.tip);
    return { branch, sessions: named && [...named] };
  });
}

/** A file's age in milliseconds; endless where it is gone. */
export function ageOf(file: string, nowMs: number): number {
  const stat = disk.lstatSync(file, { throwIfNoEntry: false });
  return stat ? nowMs - stat.mtimeMs : Number.POSITIVE_INFINITY;
}
