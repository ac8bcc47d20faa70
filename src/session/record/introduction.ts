import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';

/**
 * Who a session is that has edits in a repository where it has no state: its agent was started elsewhere, or before
 * the repository was enabled. `<git-common-dir>/entire/introductions/<session-id>.json`, written by the edit hook, so
 * that a commit can find the transcript.
 */
export interface Introduction {
  readonly agentType: string;
  readonly transcriptPath: string;
}

const introductionFile = (commonDir: string, id: SessionId): string =>
  join(commonDir, 'entire', 'introductions', `${id}.json`);

/** Leaves the introduction where neither it nor a state is yet. On the hot path: two looks, one write per session. */
export function introduceSession(
  commonDir: string,
  sessions: string,
  id: SessionId,
  { agentType, transcriptPath }: Introduction,
): void {
  const file = introductionFile(commonDir, id);
  if (disk.existsSync(join(sessions, `${id}.json`)) || disk.existsSync(file)) return;
  const value = { version: 1, agent_type: agentType, transcript_path: transcriptPath };
  writeFileAtomic(file, JSON.stringify(value));
}

/** Sessions that were introduced. */
export const listIntroduced = (commonDir: string): SessionId[] =>
  listNames(join(commonDir, 'entire', 'introductions')).flatMap((name) =>
    name.endsWith('.json') ? (parseSessionId(name.slice(0, -'.json'.length)) ?? []) : [],
  );

/** `undefined` when there is none that can be read. */
export function readIntroduction(commonDir: string, id: SessionId): Introduction | undefined {
  const file = introductionFile(commonDir, id);
  try {
    const value = JSON.parse(readOwnText(file, 'mark') ?? 'null') as Record<string, unknown> | null;
    if (value?.version !== 1 || typeof value.agent_type !== 'string') return undefined;
    const path = value.transcript_path;
    return { agentType: value.agent_type, transcriptPath: typeof path === 'string' ? path : '' };
  } catch (error) {
    log('warn', 'unreadable introduction of a session', { file, error: describeError(error) });
    return undefined;
  }
}
