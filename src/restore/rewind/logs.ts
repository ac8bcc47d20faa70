import { join } from 'node:path';
import { transcriptFormatOf } from '../../agents/registry.ts';
import { describeError } from '../../base/errors.ts';
import { parseSessionId } from '../../base/ids.ts';
import type { StoredCheckpoint } from '../../checkpoint/read/checkpoint.ts';
import { metadataDir } from '../../checkpoint/shadow-branch.ts';
import { parseTaskCheckpoint } from '../../checkpoint/task-files.ts';
import { readObjects } from '../../git/object/objects.ts';
import type { Branch } from '../../history/branch.ts';
import { readStepTranscript } from '../../history/detail.ts';
import type { SessionState } from '../../session/state.ts';
import type { Work } from '../../strategy/work.ts';
import {
  type Cut,
  type LogPlace,
  type LogPlan,
  type LogPlans,
  planLog,
  planLogs,
  type RestoredLog,
  readIfThere,
  type SkippedLog,
} from '../log/logs.ts';
import { keepBoth, refusedLog } from '../log/replaced-log.ts';
import type { StepPoint } from '../points.ts';
import type { ReplacedLog } from './note.ts';
import { cutAfter, cutBack } from './transcript.ts';

/** The transcript of a session as it was at a step. */
export interface StepLog {
  readonly log: LogPlan | SkippedLog;
  /** It ends with what a sub-agent returned. */
  readonly isTruncated: boolean;
}

/**
 * What restoring the transcript of a step comes to. What lies in the agent's folder is used as far as it is the same text,
 * since it was never redacted; a checkpoint made in the middle of a task cuts nothing. Writes nothing.
 */
export function planStepLog(
  place: LogPlace,
  branch: Branch,
  point: StepPoint,
  state: SessionState | undefined,
): StepLog {
  const { bytes, problems } = readStepTranscript(branch, point.step);
  const uuid = readTaskLine(branch, point);
  let isTruncated = false;
  const cut: Cut = (copies, stored) => {
    if (uuid === '') return copies[0] ?? stored;
    const ending = uuid && firstOf([...copies, stored], (text) => cutAfter(text, uuid));
    isTruncated = Boolean(ending);
    return ending || cutToStored(copies, stored);
  };
  const log = planLog(
    place,
    {
      ...{ sessionId: point.sessionId, prompt: point.sessionPrompt, problems },
      bytes: bytes.length > 0 ? bytes : readCopy(branch.repo.worktreeRoot, point.sessionId),
      ...{ agentType: state?.agentType ?? '', recordedPath: '' },
    },
    { assumeAgent: true, cut },
  );
  return { log, isTruncated };
}

/** The id of the line that a task ends with; empty where it had not ended, `undefined` for a step that is no task's. */
function readTaskLine({ git }: Branch, { id, step: { taskDir } }: StepPoint): string | undefined {
  if (taskDir === undefined) return undefined;
  const name = `${id}:${taskDir}/checkpoint.json`;
  const text = readObjects(git, [name]).get(name)?.data.toString('utf8') ?? '';
  return parseTaskCheckpoint(text)?.checkpointUuid ?? '';
}

function firstOf(texts: readonly Buffer[], find: (text: Buffer) => Buffer | undefined): Buffer | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found) return found;
  }
  return undefined;
}

/** What is stored, in the words of a copy that was never redacted, as far as there is one. */
const cutToStored: Cut = (copies, stored) =>
  copies.reduceRight((known, copy) => cutBack(copy, known), stored);

/** What restoring all sessions of a checkpoint comes to, newer ones here included. Writes nothing. */
export const planCheckpointLogs = (place: LogPlace, branch: Branch, { slots }: StoredCheckpoint): LogPlans =>
  planLogs(place, branch.store, slots, { cut: cutToStored });

/** The working copy of the transcript, which older releases left where a step has none. */
function readCopy(root: string, sessionId: string): Buffer {
  if (!parseSessionId(sessionId)) return Buffer.alloc(0);
  const folder = join(root, metadataDir(sessionId));
  return readIfThere(join(folder, 'full.jsonl')) ?? readIfThere(join(folder, 'full.log')) ?? Buffer.alloc(0);
}

/** What is to become of the transcript; whatever it replaces is kept. */
export interface ToBeLog {
  readonly log?: RestoredLog;
  readonly replaced: readonly ReplacedLog[];
  /** Why it stays as it is. */
  readonly failure?: string;
}

/** Keeps what is about to be replaced; where that fails, and where it may not be, what is given up in it is left out. */
export function prepareLog({ repo }: Work, { log: plan }: StepLog, agentType: string): ToBeLog {
  const format = transcriptFormatOf(agentType);
  if ('why' in plan) {
    if (plan.plan) return { replaced: [refusedLog(format, plan.plan, linkedAway(plan.detail))] };
    const failure = plan.why === 'no-transcript' ? 'the step has none' : plan.detail || plan.why;
    return { replaced: [], failure };
  }
  if (plan.state === 'unchanged') return { log: { ...plan, outcome: 'left', kept: undefined }, replaced: [] };
  try {
    const replaced = keepBoth(repo.commonDir, plan);
    return { log: { ...plan, outcome: 'written', kept: replaced.kept }, replaced: [replaced] };
  } catch (error) {
    return { replaced: [refusedLog(format, plan, describeError(error))] };
  }
}

const linkedAway = (file: string): string => `${file} lies outside of its agent's folder, by a link`;
