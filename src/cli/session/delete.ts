import { AGENTS } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import type { SessionId } from '../../base/ids.ts';
import { removeImported, withImports } from '../../conversation/export/imported-transcripts.ts';
import { importsFolder } from '../../conversation/home.ts';
import { requireId, type Storage } from '../../conversation/storage/storage.ts';
import type { SessionRecord } from '../../conversation/walk/session-record.ts';
import { defineCommand } from '../command.ts';
import { plain, say } from '../ui/terminal.ts';
import { findOurs, findRecord, openSessions } from './find.ts';
import * as text from './text.ts';

export const deleteCommand = defineCommand({
  positionals: { session: { type: 'string', array: true, demandOption: true, describe: text.SESSIONS } },
  options: { log: { type: 'boolean', describe: 'Also the logs of its runs' } },
  completes: { session: 'session' },
  examples: ['entire session delete 7f3a', 'entire session delete --log 7f3a'],
  run: ({ session, log }) => deleteSessions(session, log === true),
});

/** What is to go of a session. */
interface Doomed {
  readonly id: SessionId;
  readonly isKept: boolean;
  /** Folders of its runs. */
  readonly runs: readonly string[];
}

/**
 * Forgets sessions that are kept by us; what agents keep of them stays.
 *
 * @param words ids, or how they begin
 * @param withLog the logs of their runs go, too
 * @throws {EntireError} `NOT_FOUND`, `INVALID_ID` when a word does not name one of them: nothing is deleted then
 */
async function deleteSessions(words: readonly string[], withLog: boolean): Promise<void> {
  const store = openSessions();
  const kept = await store.listSessions(); // also those that cannot be read
  const doomed = new Map<string, Doomed>();
  for (const word of words) {
    const one = await findDoomed(word, kept, withLog);
    doomed.set(one.id, one);
  }
  for (const one of doomed.values()) await deleteOne(store, one, withLog);
}

async function findDoomed(word: string, kept: readonly string[], withLog: boolean): Promise<Doomed> {
  const record = await findOurs(word);
  if (kept.includes(word)) return { id: requireId(word), isKept: true, runs: runsOf(word, record) };
  if (!record) throw await explain(word);
  const id = record.sessionId;
  const isKept = kept.includes(id);
  if (isKept || withLog) return { id, isKept, runs: record.runs };
  const { message, hint } = text.logOnly(id);
  throw new EntireError('NOT_FOUND', message, { hint });
}

/** What cannot be read may be named as another one begins. */
const runsOf = (id: string, record: SessionRecord | undefined): readonly string[] =>
  record?.sessionId === id ? record.runs : [];

/** Why a word names nothing of ours: nobody knows it, or only an agent does. */
async function explain(word: string): Promise<EntireError> {
  const { sessionId, cliOrigin } = await findRecord(word);
  const { message, hint } = text.notOurs(sessionId, cliOrigin === '' ? 'its agent' : AGENTS[cliOrigin].type);
  return new EntireError('NOT_FOUND', message, { hint });
}

async function deleteOne(store: Storage, { id, isKept, runs }: Doomed, withLog: boolean): Promise<void> {
  const folder = importsFolder();
  if (isKept)
    await withImports(folder, id, async () => {
      await store.delete(id);
      removeImported(folder, id);
    });
  if (withLog) for (const run of runs) disk.rmSync(run, { recursive: true, force: true });
  say(plain(isKept ? text.deleted(id, withLog && runs.length > 0) : text.deletedLog(id)));
  if (!withLog && runs.length > 0) say(plain(text.logStays(id)));
}
