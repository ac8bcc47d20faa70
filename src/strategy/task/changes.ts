import type { TranscriptFormat } from '../../agents/shared/transcript/transcript.ts';
import type { SessionId } from '../../base/ids.ts';
import { type RepoPath, sortedUnique } from '../../base/repo-path.ts';
import type { Status } from '../../git/worktree/status.ts';
import { readUntrackedAtStart } from '../../session/record/task-mark.ts';
import type { RunningTask, TaskRecord } from '../../session/record/task-record.ts';
import { changedSince, newOrGone } from '../../session/record/turn-snapshot.ts';
import { readFilesTouched } from '../../session/tracking-file.ts';
import { findPrivatePaths } from '../private-paths.ts';
import { toWorktreePaths } from '../resolve-files-touched.ts';
import { pathsOfOthers } from '../sessions.ts';
import type { Work } from '../work.ts';

/** A task that is over, and what can be read of it. */
export interface FinishedTask {
  readonly sessionId: SessionId;
  readonly toolUseId: string;
  /** What we wrote down when it began; `undefined` when another version began it. */
  readonly known: RunningTask | undefined;
  /** The sub-agent's transcript; empty when it cannot be had. */
  readonly ownTranscript: string;
  /** The session's transcript, from where the task began. */
  readonly sessionPart: string;
}

/**
 * Files a sub-agent changed and that still differ from HEAD: what the tools in its transcript wrote, and what
 * `git status` finds changed since it began.
 *
 * Two things are kept apart as well as can be: what runs beside it in the same session, since hooks do not say which
 * of several agents made an edit, and what the user does while it works in the background.
 */
export function findTaskChanges(
  work: Work,
  format: TranscriptFormat,
  status: Status,
  record: TaskRecord,
  task: FinishedTask,
): RepoPath[] {
  const root = work.repo.worktreeRoot;
  const named = new Set(toWorktreePaths(root, format.readFilesTouched(toolText(task))));
  const recorded = new Set(readFilesTouched(work.sessions, task.sessionId));
  const foreign = pathsOfOthers(work, task, named, task.known?.startedAtMs ?? 0);
  const isAlone = record.running.every(({ toolUseId }) => toolUseId === task.toolUseId);
  const found = scan(work, status, task).filter((path) => {
    if (foreign.has(path)) return false;
    if (task.known?.agentId === undefined) return isAlone || !recorded.has(path);
    return task.ownTranscript === '' ? recorded.has(path) : format.ranShell(task.ownTranscript);
  });
  const paths = sortedUnique([...named, ...found]).filter((path) => status.changes.has(path));
  const hidden = findPrivatePaths(work, paths, recorded);
  return paths.filter((path) => !hidden.has(path));
}

/** Its own transcript, else the session's from where it began, unless the session went on with other things. */
function toolText({ ownTranscript, sessionPart, known }: FinishedTask): string {
  return ownTranscript !== '' || known?.agentId !== undefined ? ownTranscript : sessionPart;
}

/** Paths that changed since the task began; for one that v0.4.4 began, files that are new or gone. */
function scan(work: Work, status: Status, { known, toolUseId }: FinishedTask): RepoPath[] {
  const root = work.repo.worktreeRoot;
  if (known) return changedSince(known, root, status);
  const untracked = readUntrackedAtStart(root, toolUseId);
  return untracked ? newOrGone(status, untracked) : [];
}

/**
 * Files changed since a task began, while it runs: what hooks recorded, and what `git status` finds. Which of the
 * session's agents did it is not asked.
 */
export function findChangesSoFar(
  work: Work,
  status: Status,
  task: Pick<FinishedTask, 'sessionId' | 'toolUseId' | 'known'>,
): RepoPath[] {
  const recorded = new Set(readFilesTouched(work.sessions, task.sessionId));
  const foreign = pathsOfOthers(work, task, recorded, task.known?.startedAtMs ?? 0);
  const found = scan(work, status, { ...task, ownTranscript: '', sessionPart: '' });
  const hidden = findPrivatePaths(work, found, recorded);
  return sortedUnique(found.filter((path) => !foreign.has(path) && !hidden.has(path)));
}
