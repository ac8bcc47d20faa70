import { EntireError } from '../../base/errors.ts';
import { parseRunId } from '../../conversation/runs/run-id.ts';
import type { Storage } from '../../conversation/storage/storage.ts';
import { sessionOfRun } from '../../conversation/walk/own-sessions.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { listSessions } from '../../conversation/walk/walker.ts';
import { plain, warnOf } from '../terminal.ts';
import * as text from './messages.ts';

/** A session that somebody named: one of ours by its id, or one that only an agent keeps. */
export type Named = { readonly ours: string } | { readonly agents: SessionRecord };

/**
 * The session that is meant by an id, or by how it begins: of ours, of a run, or of an agent's own store; ours first.
 *
 * @throws {EntireError} `NOT_FOUND`; `INVALID_ID` where several begin so, naming them
 */
export async function findSession(storage: Storage, word: string): Promise<Named> {
  const ours = await storage.listSessions();
  if (ours.includes(word)) return { ours: word };
  const record = await findRecord(word);
  return ours.includes(record.sessionId) ? { ours: record.sessionId } : { agents: record };
}

/** {@link findSession}, of ours and of agents alike. The last eight digits of a run, which lists show, name it, too. */
export async function findRecord(word: string): Promise<SessionRecord> {
  const problems: string[] = [];
  const records = await listSessions({ onProblem: (problem) => problems.push(problem) });
  const named = sessionOfRun(process.env, word) ?? word;
  const idsOf = ({ sessionId, runId, agentSessionId }: SessionRecord): string[] =>
    [sessionId, runId, agentSessionId].filter((id) => id !== undefined);
  const isBegun = (id: string): boolean =>
    id.startsWith(word) || (parseRunId(id) !== undefined && id.endsWith(`-${word}`));
  // A run may have gone on as a fork of the session that it gave its id.
  const ours = records.find(({ sessionId }) => sessionId === word);
  const exact = ours ?? records.find((record) => idsOf(record).includes(named));
  const begun = records.filter((record) => word !== '' && idsOf(record).some(isBegun));
  const [record, second] = exact ? [exact] : begun;
  if (!record) {
    problems.forEach(warnOf); // it may be there
    throw new EntireError('NOT_FOUND', ...told(word));
  }
  if (second) {
    const ids = begun.slice(0, MAX_NAMED).map(({ sessionId }) => sessionId);
    const more = begun.length > ids.length ? `, and ${begun.length - ids.length} more` : '';
    throw new EntireError(
      'INVALID_ID',
      `several sessions begin with ${plain(word)}: ${ids.sort().join(', ')}${more}`,
    );
  }
  return record;
}

/** The newest of those that begin alike. */
const MAX_NAMED = 10;

function told(word: string): [string, { hint: string }] {
  const { unknown, hint } = text.unknownSession(plain(word));
  return [unknown, { hint }];
}
