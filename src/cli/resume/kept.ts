import type { AgentName } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { MIN_BEGINNING, parseSessionId, type SessionId } from '../../base/ids.ts';
import { parseRunId } from '../../conversation/runs/run-id.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { listSessions } from '../../conversation/walk/walker.ts';
import type { Repo } from '../../git/locate.ts';
import type { LogPlan } from '../../restore/log/logs.ts';
import { shortenPrompt } from '../../restore/log/logs.ts';
import type { ResumePlan } from '../../restore/resume/resume.ts';
import type { KnownSession } from '../../restore/resume/sessions.ts';
import { readStateIfReadable } from '../../session/state-store.ts';
import { sessionsDir } from '../../session/tracking-file.ts';
import { findRecord, isLogOnly } from '../session/find.ts';
import { warnOf } from '../ui/terminal.ts';

/**
 * What is newer than the newest session that hooks or checkpoints tell of: a session of ours, or one that only its agent knows, which
 * was begun in this worktree. A session that hooks know is as new as they say, whatever the time of its transcript.
 *
 * @param newest what hooks and checkpoints tell of
 * @param agent only of this agent
 * @returns `undefined` where that is the one to go on with
 */
export async function findNewerKept(
  repo: Repo,
  newest: KnownSession | undefined,
  agent?: AgentName,
): Promise<SessionRecord | undefined> {
  const folder = repo.worktreeRoot;
  const which = agent === undefined ? { limit: NEWEST } : { agents: [agent] };
  const found = await listSessions({ folder, newest: 'written', onProblem: warnOf, ...which });
  const records = found.filter(
    (record) =>
      !isLogOnly(record) && !record.isUnanswered && (agent === undefined || record.cliOrigin === agent),
  );
  const own = records.find(
    ({ isStored, agentSessionId }) => isStored && agentSessionId === newest?.sessionId,
  );
  if (own && newest) return own; // we talked in the session that hooks tell of
  const dir = sessionsDir(repo.commonDir);
  const isKnown = ({ agentSessionId, sessionId }: SessionRecord): boolean =>
    readStateIfReadable(dir, agentSessionId ?? sessionId) !== undefined;
  const unknown = records.find((record) => !isKnown(record));
  return unknown && Date.parse(unknown.updatedAt) > (newest?.heardMs ?? 0) ? unknown : undefined;
}

/** So many are looked at where the agent does not matter: where hooks know them all, nobody waits for more. */
const NEWEST = 50;

/** The session of a run, of ours or of an agent's own store that a word names; `undefined` for none. @throws {EntireError} `INVALID_ID` */
export async function findKept(word: string): Promise<SessionRecord | undefined> {
  if (word.length < MIN_BEGINNING || parseSessionId(word) === undefined) return undefined;
  try {
    return await findRecord(word);
  } catch (error) {
    if (error instanceof EntireError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Whether a word is the id of a run, which nothing else in a repository is called. */
export const isRun = (word: string): boolean => parseRunId(word) !== undefined;

/** The agent's own id of a session that it keeps. */
export const ownId = ({ agentSessionId, sessionId }: SessionRecord): SessionId => agentSessionId ?? sessionId;

/** Going on with what only an agent keeps, as it lies there. */
export function planKept(record: SessionRecord): ResumePlan {
  const { cliOrigin, transcript, path, summary } = record;
  if (cliOrigin === '')
    throw new EntireError('NOT_FOUND', `nothing says which agent ${record.sessionId} is of`);
  const log: LogPlan = {
    ...{ sessionId: ownId(record), agent: cliOrigin, file: transcript ?? path, bytes: Buffer.alloc(0) },
    prompt: shortenPrompt(summary.title ?? ''),
    problems: [],
    state: 'unchanged',
    localMs: undefined,
    storedMs: undefined,
  };
  return { checkpoint: undefined, logs: [log], skipped: [], isSingle: false, bare: undefined };
}
