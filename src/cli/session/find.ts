import { EntireError } from '../../base/errors.ts';
import { MIN_BEGINNING } from '../../base/ids.ts';
import { parseRunId } from '../../conversation/runs/run-id.ts';
import { FileStorage } from '../../conversation/storage/file.ts';
import type { Storage } from '../../conversation/storage/storage.ts';
import { sessionOfRun } from '../../conversation/walk/own-sessions.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { listSessions } from '../../conversation/walk/walker.ts';
import { findTitled } from '../names/titles.ts';
import { plain, warnOf } from '../ui/terminal.ts';
import * as text from './text.ts';

/** A session that somebody named: one of ours by its id, or one that only an agent keeps. */
export type Named = { readonly ours: string } | { readonly agents: SessionRecord };

/**
 * The session that is meant by its name, by an id, by how that begins, or by what it is about: of ours, of a run, or of an agent's own store; ours first.
 *
 * @throws {EntireError} `NOT_FOUND`, also where only the log of its runs is left; `INVALID_ID` where several begin so, naming them
 */
export async function findSession(storage: Storage, word: string): Promise<Named> {
  const ours = await storage.listSessions();
  if (ours.includes(word)) return { ours: word };
  const record = await findRecord(word);
  if (ours.includes(record.sessionId)) return { ours: record.sessionId };
  return { agents: requireMore(record) };
}

/** @throws {EntireError} `NOT_FOUND` where only the log of a session's runs is left, with which nobody can go on */
export function requireMore(record: SessionRecord): SessionRecord {
  if (!isLogOnly(record)) return record;
  const { message, hint } = text.logOnly(record.sessionId);
  throw new EntireError('NOT_FOUND', message, { hint });
}

/** Whether neither we nor its agent have anything of a session but the log of its runs. */
export const isLogOnly = ({ kind, isStored, transcript }: SessionRecord): boolean =>
  kind === 'run' && !isStored && transcript === undefined;

/** {@link findSession}, of ours and of agents alike. The last eight digits of a run, which lists show, name it, too. */
export async function findRecord(word: string): Promise<SessionRecord> {
  const problems: string[] = [];
  const records = await listSessions({ onProblem: (problem) => problems.push(problem) });
  const record = choose(word, records);
  if (record) return record;
  problems.forEach(warnOf); // it may be there
  throw new EntireError('NOT_FOUND', ...told(word));
}

/** {@link findRecord}, of ours alone, agents' stores not looked at. @returns `undefined` for none */
export const findOurs = async (word: string): Promise<SessionRecord | undefined> =>
  choose(word, await listSessions({ agents: [] }));

/** The one of these that a word names; `undefined` for none. @throws {EntireError} `INVALID_ID` for several */
function choose(word: string, records: readonly SessionRecord[]): SessionRecord | undefined {
  const named = sessionOfRun(process.env, word) ?? word;
  const idsOf = ({ sessionId, runId, agentSessionId }: SessionRecord): string[] =>
    [sessionId, runId, agentSessionId].filter((id) => id !== undefined);
  const isBegun = (id: string): boolean =>
    id.startsWith(word) || (parseRunId(id) !== undefined && id.endsWith(`-${word}`));
  const sorted = records.toSorted((a, b) => Number(a.kind === 'agent') - Number(b.kind === 'agent')); // ours first
  // A run may have gone on as a fork of the session that it gave its id.
  const exact =
    sorted.find(({ sessionId }) => sessionId === word) ??
    onlyOne(
      sorted.filter(({ branch }) => branch === word),
      `are called ${plain(word)}`,
    ) ??
    sorted.find((record) => idsOf(record).includes(named));
  if (exact) return exact;
  const begun = sorted.filter((record) => word !== '' && idsOf(record).some(isBegun));
  if (begun.length > 0 || word.length < MIN_BEGINNING) return onlyOne(begun, `begin with ${plain(word)}`);
  return onlyOne(
    findTitled(records, word, ({ summary }) => summary.title ?? ''),
    `are about ${plain(word)}`,
  );
}

/** @throws {EntireError} `INVALID_ID` for several, naming them */
function onlyOne(records: readonly SessionRecord[], what: string): SessionRecord | undefined {
  const ids = [...new Set(records.map(({ sessionId }) => sessionId))];
  if (ids.length <= 1) return records[0];
  const more = ids.length > MAX_NAMED ? `, and ${ids.length - MAX_NAMED} more` : '';
  throw new EntireError(
    'INVALID_ID',
    `several sessions ${what}: ${ids.slice(0, MAX_NAMED).sort().join(', ')}${more}`,
  );
}

/** @throws {EntireError} `SESSION_EXISTS` where a session is called so, or has that for its id; `INVALID_ID` for no name */
export async function requireFreeName(branch: string | undefined): Promise<void> {
  if (branch === undefined) return;
  if (branch.trim() === '' || branch !== branch.trim() || branch.startsWith('-') || /\p{Cc}/u.test(branch))
    throw new EntireError('INVALID_ID', text.badName(plain(branch)));
  const records = await listSessions({ agents: [] });
  const taken = records.find((one) => one.branch === branch || one.sessionId === branch);
  if (!taken) return;
  const { message, hint } = text.nameTaken(plain(branch), taken.sessionId);
  throw new EntireError('SESSION_EXISTS', message, { hint });
}

/** The newest of those that begin alike. */
const MAX_NAMED = 10;

function told(word: string): [string, { hint: string }] {
  const { unknown, hint } = text.unknownSession(plain(word));
  return [unknown, { hint }];
}

/** Where the commands keep sessions: files that people can look at. */
export const openSessions = (): Storage => new FileStorage();
