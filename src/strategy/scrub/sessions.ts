import { listNames } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { withSessionLock } from '../../session/lock.ts';
import {
  listTaskRecords,
  type RunningTask,
  readTaskRecord,
  writeTaskRecord,
} from '../../session/record/task-record.ts';
import { archiveState, isArchived, listStates, readState, writeState } from '../../session/state-store.ts';
import type { Work } from '../work.ts';

/** What became of sessions. */
export interface ScrubbedSessions {
  /** Session states whose first prompt changed. */
  readonly states: number;
  /** State files that cannot be read, set aside or not: they were left. */
  readonly unreadable: number;
  /** Records of sub-agents in which a description changed. */
  readonly tasks: number;
}

/**
 * What states say of prompts, and records of sub-agents of what they were asked, by today's rules. Under the lock of each
 * session: a hook of it may write at this moment.
 */
export async function scrubSessions(work: Work, dryRun: boolean): Promise<ScrubbedSessions> {
  const { repo, sessions } = work;
  const { states, unreadable } = listStates(sessions);
  const ids = states.flatMap(({ sessionId }) => parseSessionId(sessionId) ?? []);
  const scrubEach = async (each: readonly SessionId[], scrubOne: (id: SessionId) => Promise<boolean>) => {
    let changed = 0;
    for (const id of each) {
      const one = () => scrubOne(id);
      if (await (dryRun ? one() : withSessionLock(sessions, id, one))) changed++;
    }
    return changed;
  };
  return {
    states: await scrubEach(ids, (id) => scrubState(work, id, dryRun)),
    unreadable: unreadable.length + listNames(sessions).filter((name) => /\.corrupt-\d+$/.test(name)).length,
    tasks: await scrubEach(listTaskRecords(repo.commonDir), (id) => scrubTasks(work, id, dryRun)),
  };
}

async function scrubState({ sessions }: Work, id: SessionId, dryRun: boolean): Promise<boolean> {
  const state = readState(sessions, id);
  const firstPrompt = await redactText(state?.firstPrompt ?? '');
  if (!state || firstPrompt === state.firstPrompt) return false;
  if (dryRun) return true;
  const wasArchived = isArchived(sessions, id);
  writeState(sessions, { ...state, firstPrompt });
  if (wasArchived) archiveState(sessions, id, () => true);
  return true;
}

async function scrubTasks({ repo }: Work, id: SessionId, dryRun: boolean): Promise<boolean> {
  const record = readTaskRecord(repo.commonDir, id);
  const running: RunningTask[] = [];
  for (const task of record.running)
    running.push({ ...task, description: await redactText(task.description) });
  if (running.every(({ description }, at) => description === record.running[at]?.description)) return false;
  if (!dryRun) writeTaskRecord(repo.commonDir, id, { ...record, running });
  return true;
}
