import { join } from 'node:path';
import { describeError } from '../../base/errors.ts';
import { listNames } from '../../base/file/disk.ts';
import { parseSessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { isObject, type JsonObject } from '../../base/text/json.ts';
import { redactText } from '../../checkpoint/redact/redact.ts';
import { withSessionLock } from '../../session/lock.ts';
import { parseState, renderState } from '../../session/state.ts';
import { readJournal, writeJournal } from '../../snapshot/operation.ts';
import { listRecordIds, readRecord, writeRecord } from '../../snapshot/record/record.ts';
import type { Effect, SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import type { Work } from '../work.ts';

/**
 * What records for undo say of prompts, by today's rules: their subjects, and the states that a rewind would put back. So does the
 * journal of a step back that was not finished. Under the lock of each session.
 *
 * @returns records that changed, or would
 */
export async function scrubSteps({ repo, sessions }: Work, dryRun: boolean): Promise<number> {
  let changed = 0;
  const top = snapshotsDir(repo.commonDir);
  for (const name of listNames(top)) {
    const session = parseSessionId(name.split('@')[0]);
    if (!session) continue;
    const store = join(top, name);
    const scrubStore = async (): Promise<void> => {
      for (const id of listRecordIds(store)) {
        const record = soundOrNothing(store, id, () => readRecord(store, id));
        const scrubbed = record && (await scrubRecord(record));
        if (!scrubbed) continue;
        changed++;
        if (!dryRun) writeRecord(store, scrubbed);
      }
      const journal = soundOrNothing(store, 'journal', () => readJournal(store));
      const scrubbed = journal && (await scrubRecord(journal));
      if (!scrubbed) return;
      changed++;
      if (!dryRun) writeJournal(store, scrubbed);
    };
    await (dryRun ? scrubStore() : withSessionLock(sessions, session, scrubStore));
  }
  return changed;
}

/** `verify` names one that is damaged; nobody reads a prompt in it. */
function soundOrNothing(
  store: string,
  id: string,
  read: () => SnapshotRecord | undefined,
): SnapshotRecord | undefined {
  try {
    return read();
  } catch (error) {
    log('warn', 'record of a turn not scrubbed', { store, id, error: describeError(error) });
    return undefined;
  }
}

/** `undefined` where nothing changes. */
async function scrubRecord(record: SnapshotRecord): Promise<SnapshotRecord | undefined> {
  const subject = await redactText(record.subject);
  const effects: Effect[] = [];
  for (const effect of record.effects) effects.push({ ...effect, note: await scrubNote(effect.note) });
  const isSame = record.effects.every(({ note }, at) => note === effects[at]?.note);
  return subject === record.subject && isSame ? undefined : { ...record, subject, effects };
}

/** A rewind keeps the states of its session, and of those that went back along. `note` itself where nothing changes. */
async function scrubNote(note: unknown): Promise<unknown> {
  if (!isObject(note)) return note;
  const own = await scrubHeld(note);
  if (!Array.isArray(note.others)) return own;
  const others: unknown[] = [];
  for (const other of note.others) others.push(isObject(other) ? await scrubHeld(other) : other);
  const isSame = others.every((other, at) => other === (note.others as unknown[])[at]);
  return isSame ? own : { ...own, others };
}

/** A state as it was, and as the rewind made it; `holder` itself where nothing changes. */
async function scrubHeld(holder: JsonObject): Promise<JsonObject> {
  if (!isObject(holder.state)) return holder;
  const { before, after } = holder.state;
  const state = { ...holder.state, before: await scrubState(before), after: await scrubState(after) };
  return state.before === before && state.after === after ? holder : { ...holder, state };
}

async function scrubState(text: unknown): Promise<unknown> {
  if (typeof text !== 'string' || text === '') return text;
  const state = parseState(text);
  const firstPrompt = await redactText(state.firstPrompt);
  return firstPrompt === state.firstPrompt ? text : renderState({ ...state, firstPrompt });
}
