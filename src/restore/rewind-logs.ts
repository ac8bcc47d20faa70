import { join } from 'node:path';
import { disk } from '../base/disk.ts';
import { errnoOf } from '../base/errors.ts';
import { type ObjectId, parseSessionId } from '../base/ids.ts';
import type { StoredCheckpoint } from '../checkpoint/read/checkpoint.ts';
import { readTranscript, type StoredTranscript } from '../checkpoint/read/texts.ts';
import { metadataDir } from '../checkpoint/shadow-branch.ts';
import { parseTaskCheckpoint } from '../checkpoint/task-files.ts';
import { readObjects, readTree } from '../git/objects.ts';
import type { Branch } from '../history/branch.ts';
import type { Step } from '../history/temporary.ts';
import type { SessionState } from '../session/state.ts';
import { digest } from '../snapshot/blobs.ts';
import {
  type LogPlace,
  type LogPlan,
  type LogPlans,
  planLog,
  planLogs,
  type RestoredLog,
  type SkippedLog,
} from './logs.ts';
import { writeLogs } from './logs-write.ts';
import type { StepPoint } from './points.ts';
import type { ReplacedLog } from './rewind-note.ts';
import { cutAfter, cutBack } from './rewind-transcript.ts';

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
  const { git } = branch;
  const { bytes, problems } = readStepTranscript(branch, point.step);
  const stored = bytes.length > 0 ? bytes : readCopy(branch.repo.worktreeRoot, point.sessionId);
  const log = planLog(
    place,
    {
      ...{ sessionId: point.sessionId, prompt: point.sessionPrompt, bytes: stored, problems },
      ...{ agentType: state?.agentType ?? '', recordedPath: '' },
    },
    { assumeAgent: true },
  );
  if ('why' in log) return { log, isTruncated: false };
  const local = readIfThere(log.file);
  const taskDir = point.step.taskDir;
  if (taskDir === undefined)
    return { log: withBytes(log, local, cutBack(local, stored)), isTruncated: false };
  const name = `${point.id}:${taskDir}/checkpoint.json`;
  const task = parseTaskCheckpoint(readObjects(git, [name]).get(name)?.data.toString('utf8') ?? '');
  const uuid = task?.checkpointUuid ?? '';
  if (uuid === '') return { log: withBytes(log, local, local ?? stored), isTruncated: false };
  const cut = cutAfter(local, uuid) ?? cutAfter(stored, uuid) ?? stored;
  return { log: withBytes(log, local, cut), isTruncated: true };
}

/** The transcript of its session that a step has, redacted; empty where it has none. Two processes. */
export function readStepTranscript(
  { git, store }: Branch,
  { commit, sessionId, metadataDir: named }: Step,
): StoredTranscript {
  const dir = named ?? metadataDir(sessionId);
  const entries = readTree(git, commit.oid, [`${dir}/`], true) ?? new Map();
  const files = new Map(
    [...entries].flatMap(([path, { oid }]): Array<[string, ObjectId]> => {
      const name = path.slice(dir.length + 1);
      return name.includes('/') ? [] : [[name, oid]];
    }),
  );
  return readTranscript(store, { files });
}

/** What restoring all sessions of a checkpoint comes to, newer ones here included. Writes nothing. */
export function planCheckpointLogs(place: LogPlace, branch: Branch, checkpoint: StoredCheckpoint): LogPlans {
  const { logs, skipped } = planLogs(place, branch.store, checkpoint.slots);
  return {
    skipped,
    logs: logs.map((log) => {
      const local = readIfThere(log.file);
      return withBytes(log, local, cutBack(local, log.bytes));
    }),
  };
}

/** Going back, a log that lies here and holds more is not what is wanted. */
const withBytes = (log: LogPlan, local: Buffer | undefined, bytes: Buffer): LogPlan => ({
  ...log,
  bytes,
  state: local?.equals(bytes) ? 'unchanged' : local ? 'checkpoint-newer' : 'new',
});

/** Writes the logs; what they replace is kept. @throws {EntireError} `WRITE_FAILED` */
export const restoreLogs = (place: LogPlace, logs: readonly LogPlan[]): RestoredLog[] =>
  writeLogs(place, logs);

/** How to put the old logs back, and to cut them again. */
export const replacedLogs = (restored: readonly RestoredLog[]): ReplacedLog[] =>
  restored.flatMap(({ file, kept, bytes }) => {
    if (kept === undefined) return [];
    const isPart = disk.readFileSync(kept).subarray(0, bytes.length).equals(bytes);
    return [{ file, kept, sha256: digest(bytes), ...(isPart ? { bytes: bytes.length } : {}) }];
  });

/** The working copy of the transcript, which older releases left where a step has none. */
function readCopy(root: string, sessionId: string): Buffer {
  if (!parseSessionId(sessionId)) return Buffer.alloc(0);
  const folder = join(root, metadataDir(sessionId));
  return readIfThere(join(folder, 'full.jsonl')) ?? readIfThere(join(folder, 'full.log')) ?? Buffer.alloc(0);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return disk.readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
