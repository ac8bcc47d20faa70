import { transcriptFormatOf, typeOf } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import type { SessionId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { branchRef, shadowBranch } from '../../checkpoint/shadow-branch.ts';
import type { Branch } from '../../history/branch.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { hasJournal } from '../../snapshot/operation.ts';
import { placeOf, unfinished } from '../../snapshot/place.ts';
import { removeRecord } from '../../snapshot/record/record.ts';
import { restorePaths } from '../../snapshot/restore.ts';
import { keepOpenTurn } from '../../strategy/turn/keep.ts';
import { findWaitingFiles, readStillTouched } from '../../strategy/waiting-work.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { isAtWork } from '../at-work.ts';
import { type LogPlan, type RestoredLog, readIfThere } from '../log/logs.ts';
import { writeLogs } from '../log/logs-write.ts';
import { dropBoth, keepBoth } from '../log/replaced-log.ts';
import type { RewindPoint } from '../points.ts';
import { keepingLocks, puttingBack } from '../putting-back.ts';
import { concludeRewind } from './more.ts';
import { type RewindMore, toStoredMore } from './note.ts';
import { restoring } from './rewind.ts';

/** What a log loses when it goes back while files stay. */
export interface LogLoss {
  readonly sessionId: SessionId;
  /** What its later turns were asked for, oldest first; none where the end of a turn goes. */
  readonly prompts: readonly string[];
  /** Files that the session wrote and that no commit has. */
  readonly files: readonly RepoPath[];
  /** Its agent may write into the log at this moment. */
  readonly isAtWork: boolean;
}

/** What logs lose that are about to go back. Changes nothing. */
export function findLosses({ repo }: Branch, logs: readonly LogPlan[]): LogLoss[] {
  const work = workIn(repo);
  return logs.flatMap((log) => {
    const prompts = log.state === 'unchanged' ? undefined : findLost(log);
    if (!prompts) return [];
    const { sessionId } = log;
    const state = readStateIfReadable(work.sessions, sessionId);
    const files = state
      ? (findWaitingFiles(repo, [state]).get(sessionId)?.paths ?? [])
      : readStillTouched(repo, sessionId);
    return [{ sessionId, prompts, files, isAtWork: isAtWork(work, sessionId) }];
  });
}

/** The prompts that a log loses; `undefined` where it loses nothing that was said or done. */
function findLost({ agent, file, bytes }: LogPlan): string[] | undefined {
  const here = readIfThere(file);
  if (!here || bytes.subarray(0, here.length).equals(here)) return undefined;
  const format = transcriptFormatOf(typeOf(agent));
  const isBeginning = here.subarray(0, bytes.length).equals(bytes);
  const lost = isBeginning ? here.toString('utf8', bytes.length) : undefined;
  if (lost !== undefined && format.readEntries(lost).length === 0) return undefined;
  const stays = format.readPrompts(bytes.toString('utf8')).length;
  return format.readPrompts(here.toString('utf8')).slice(stays);
}

/** Logs that went back. */
export interface LogsBack {
  readonly logs: readonly RestoredLog[];
  /** The records of it, which `entire undo` takes back. */
  readonly recordIds: readonly string[];
  /** What kept the next one from it, to be thrown once it is said what was done: `LOCKED`, `UNDO_UNFINISHED`, `WRITE_FAILED`. */
  readonly failure?: unknown;
}

/**
 * Makes logs end where a point has them, and nothing else: no file changes. What a log was is kept, and `entire undo` brings it back. At
 * the first that cannot be written it ends.
 */
export async function rewindLogs(
  branch: Branch,
  point: RewindPoint,
  plans: readonly LogPlan[],
): Promise<LogsBack> {
  const work = workIn(branch.repo);
  const logs: RestoredLog[] = [];
  const recordIds: string[] = [];
  try {
    for (const plan of plans) {
      // Where there is none, and where it stays, there is nothing to bring back.
      if (plan.state === 'unchanged' || plan.state === 'new')
        logs.push(...writeLogs({ repo: branch.repo, env: process.env }, [plan]));
      else {
        const { kept, recordId } = await rewindLog(work, point, plan);
        logs.push({ ...plan, outcome: 'written', kept });
        recordIds.push(recordId);
      }
    }
  } catch (failure) {
    return { logs, recordIds, failure };
  }
  return { logs, recordIds };
}

function rewindLog(
  work: Work,
  point: RewindPoint,
  plan: LogPlan,
): Promise<{ readonly kept: string | undefined; readonly recordId: string }> {
  const { repo } = work;
  const { sessionId } = plan;
  return puttingBack(work, sessionId, async () => {
    const place = placeOf(repo, sessionId);
    if (hasJournal(place.store)) throw unfinished();
    await keepOpenTurn(work, sessionId, { isOver: !isAtWork(work, sessionId) }); // what is no turn yet could not be undone behind us
    const replaced = keepBoth(repo.commonDir, plan);
    const more: RewindMore = {
      sessionId,
      ref: branchRef(shadowBranch(point.id, repo.worktreeId)),
      target: point.id,
      tip: point.id,
      owned: [],
      state: { before: '', after: '' },
      userLines: undefined,
      files: [],
      logs: [replaced],
      others: [],
      isOfLogs: true,
    };
    let failure: string | undefined;
    const record = restoring(place, more, () =>
      restorePaths(place, work.git, {
        kind: 'rewind',
        turnId: '',
        subject: point.subject,
        effects: [{ isBack: false, note: toStoredMore(more) }],
        targets: [],
        conclude: concludeRewind(work, undefined, (why) => {
          failure = why;
        }),
        onProgress: keepingLocks(),
      }),
    );
    if (failure === undefined) return { kept: replaced.kept, recordId: record.id };
    removeRecord(place.store, record.id);
    dropBoth(replaced);
    throw new EntireError('WRITE_FAILED', `${plan.file} could not be written: ${failure}`, {
      hint: 'It is as it was. Make room or correct the permissions, and run the command again.',
    });
  });
}
