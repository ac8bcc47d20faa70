import { join } from 'node:path';
import * as z from 'zod/mini';
import { describeError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';

/** A sub-agent that has begun and not ended. */
export interface RunningTask {
  readonly toolUseId: string;
  /** Known once it works in the background; `undefined` while its tool call is waited for. */
  readonly agentId: string | undefined;
  readonly subagentType: string;
  readonly description: string;
  /** In milliseconds since 1970. */
  readonly startedAtMs: number;
  /** Size of the session's transcript when it began. */
  readonly transcriptBytes: number;
  /** Incremental checkpoints written so far. */
  readonly increments: number;
  /** Fingerprint of each path that differed from HEAD when it began, or that another step has saved since. */
  readonly paths: ReadonlyMap<string, string>;
}

/**
 * What we know of a session's sub-agents: `<git-common-dir>/entire/tasks/<session-id>.json`. Ours alone; losing it
 * costs precision, not data. Written under the session lock.
 */
export interface TaskRecord {
  readonly running: readonly RunningTask[];
  /** Blobs (`<id>@<rules>`) of sub-agent transcripts that we have redacted ourselves, and no checkpoint holds yet. */
  readonly redacted: readonly string[];
}

const folder = (commonDir: string): string => join(commonDir, 'entire', 'tasks');
const recordFile = (commonDir: string, id: SessionId): string => join(folder(commonDir), `${id}.json`);

const stored = z.object({
  version: z.literal(1),
  running: z.array(
    z.object({
      tool_use_id: z.string(),
      agent_id: z.optional(z.string()),
      subagent_type: z.string(),
      description: z.string(),
      started_at_ms: z.number(),
      transcript_bytes: z.number(),
      increments: z.number(),
      paths: z.record(z.string(), z.string()),
    }),
  ),
  redacted: z.array(z.string()),
});

/** Empty when there is none that can be read. */
export function readTaskRecord(commonDir: string, id: SessionId): TaskRecord {
  return parseRecord(recordFile(commonDir, id));
}

function parseRecord(file: string): TaskRecord {
  try {
    const text = readOwnText(file, 'record');
    if (text === undefined) return { running: [], redacted: [] };
    const { running, redacted } = stored.parse(JSON.parse(text));
    return {
      running: running.map((task) => ({
        toolUseId: task.tool_use_id,
        agentId: task.agent_id,
        subagentType: task.subagent_type,
        description: task.description,
        startedAtMs: task.started_at_ms,
        transcriptBytes: task.transcript_bytes,
        increments: task.increments,
        paths: new Map(Object.entries(task.paths)),
      })),
      redacted,
    };
  } catch (error) {
    log('warn', 'unreadable task record', { file, error: describeError(error) });
    return { running: [], redacted: [] };
  }
}

/** Replaces the record; an empty one is removed. */
export function writeTaskRecord(commonDir: string, id: SessionId, record: TaskRecord): void {
  const file = recordFile(commonDir, id);
  if (record.running.length === 0 && record.redacted.length === 0) return disk.rmSync(file, { force: true });
  const value = {
    version: 1,
    running: record.running.map((task) => ({
      tool_use_id: task.toolUseId,
      agent_id: task.agentId,
      subagent_type: task.subagentType,
      description: task.description,
      started_at_ms: task.startedAtMs,
      transcript_bytes: task.transcriptBytes,
      increments: task.increments,
      paths: Object.fromEntries(task.paths),
    })),
    redacted: record.redacted,
  };
  writeFileAtomic(file, JSON.stringify(value));
}

/** Sessions that have a record. */
export const listTaskRecords = (commonDir: string): SessionId[] =>
  listNames(folder(commonDir)).flatMap((name) =>
    name.endsWith('.json') ? (parseSessionId(name.slice(0, -'.json'.length)) ?? []) : [],
  );

/** Tool-use ids that other sessions of the repository have on record. */
export function tasksOfOthers(commonDir: string, id: SessionId): Set<string> {
  const others = listNames(folder(commonDir)).filter(
    (name) => name.endsWith('.json') && name !== `${id}.json`,
  );
  const records = others.map((name) => parseRecord(join(folder(commonDir), name)));
  return new Set(records.flatMap(({ running }) => running.map(({ toolUseId }) => toolUseId)));
}
