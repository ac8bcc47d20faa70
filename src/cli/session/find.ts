import { EntireError } from '../../base/errors.ts';
import type { Storage } from '../../conversation/storage/storage.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { listSessions } from '../../conversation/walk/walker.ts';
import { plain } from '../terminal.ts';
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
  const records = await listSessions();
  const idsOf = ({ sessionId, runId, agentSessionId }: SessionRecord): string[] =>
    [sessionId, runId, agentSessionId].filter((id) => id !== undefined);
  const exact = records.find((record) => idsOf(record).includes(word as never));
  const begun = records.filter((record) => word !== '' && idsOf(record).some((id) => id.startsWith(word)));
  const [record, second] = exact ? [exact] : begun;
  if (!record) throw new EntireError('NOT_FOUND', ...told(word));
  if (second) {
    const ids = begun.map(({ sessionId }) => sessionId).sort();
    throw new EntireError('INVALID_ID', `several sessions begin with ${plain(word)}: ${ids.join(', ')}`);
  }
  return ours.includes(record.sessionId) ? { ours: record.sessionId } : { agents: record };
}

function told(word: string): [string, { hint: string }] {
  const { unknown, hint } = text.unknownSession(plain(word));
  return [unknown, { hint }];
}
