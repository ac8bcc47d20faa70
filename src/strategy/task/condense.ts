import { describeError } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { byTodaysRules } from '../../checkpoint/redact/custom.ts';
import { redactJsonLines } from '../../checkpoint/redact/redact.ts';
import { metadataDir, readShadowTree, type ShadowBranch } from '../../checkpoint/shadow-branch.ts';
import { parseTaskCheckpoint, renderCommittedTask } from '../../checkpoint/task-files.ts';
import { type Change, readObjects } from '../../git/object/objects.ts';
import { readTaskRecord, writeTaskRecord } from '../../session/record/task-record.ts';
import type { SessionState } from '../../session/state.ts';
import type { LiveTranscript } from '../transcript/live.ts';
import { sliceFrom } from '../transcript/part.ts';
import type { Work } from '../work.ts';

/** What a task's folder holds; anything else there is not ours to publish. */
const CHECKPOINT = /^tasks\/[\w-]+\/checkpoint\.json$/;
const TRANSCRIPT = /^tasks\/[\w-]+\/agent-[\w-]+\.jsonl$/;
const INCREMENT = /^tasks\/[\w-]+\/checkpoints\/\d+-[\w-]+\.json$/;

/**
 * The metadata of a session's tasks, for its committed checkpoint: the blobs of the shadow branch, by their ids.
 * Read and written anew are the small `checkpoint.json`, whose committed form differs, and transcripts that we did
 * not redact ourselves: v0.4.4 keeps them as they are.
 */
export async function readTaskFiles(
  work: Work,
  state: SessionState,
  shadow: ShadowBranch,
  live: LiveTranscript,
): Promise<Change[]> {
  const dir = metadataDir(state.sessionId);
  const entries = [...readShadowTree(work.git, shadow, [`${dir}/tasks/`])].map(([path, { oid }]) => ({
    path: path.slice(dir.length + 1),
    oid,
  }));
  if (entries.length === 0) return [];
  const redacted = new Set(readTaskRecord(work.repo.commonDir, state.sessionId).redacted);
  const rewritten = entries.filter(
    ({ path, oid }) => CHECKPOINT.test(path) || (TRANSCRIPT.test(path) && !redacted.has(byTodaysRules(oid))),
  );
  const contents = readObjects(
    work.git,
    rewritten.map(({ oid }) => oid),
  );

  const files: Change[] = [];
  for (const { path, oid } of entries) {
    const content = contents.get(oid)?.data.toString('utf8');
    if (CHECKPOINT.test(path)) {
      const task = parseTaskCheckpoint(content ?? '');
      if (!task) continue;
      // When a tool call returns, the transcript does not have its result yet.
      const checkpointUuid = task.checkpointUuid || findResult(live, state, task.toolUseId);
      files.push({ path, mode: '100644', data: renderCommittedTask({ ...task, checkpointUuid }) });
    } else if (TRANSCRIPT.test(path) && content !== undefined) {
      files.push({ path, mode: '100644', data: await redactJsonLines(content) });
    } else if (TRANSCRIPT.test(path) || INCREMENT.test(path)) {
      files.push({ path, mode: '100644', oid });
    }
  }
  return files;
}

function findResult(live: LiveTranscript, state: SessionState, toolUseId: string): string {
  return live.format.findToolResult(sliceFrom(live, state.checkpointTranscriptStart), toolUseId);
}

/** Once a checkpoint has them, nobody asks any more who redacted them. */
export function forgetRedacted(work: Work, state: SessionState): void {
  const { commonDir } = work.repo;
  try {
    const record = readTaskRecord(commonDir, state.sessionId);
    if (record.redacted.length > 0) writeTaskRecord(commonDir, state.sessionId, { ...record, redacted: [] });
  } catch (error) {
    log('debug', 'task record not tidied', { session_id: state.sessionId, error: describeError(error) });
  }
}
