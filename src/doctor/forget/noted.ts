import { join } from 'node:path';
import { listNames } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { type OtherMore, othersOf, parseMore, toStoredMore } from '../../restore/rewind/note.ts';
import { withSessionLock } from '../../session/lock.ts';
import { parseState, renderState, type SessionState } from '../../session/state.ts';
import {
  readRecordIfSound,
  readSoundRecords,
  withoutFiles,
  writeRecord,
} from '../../snapshot/record/record.ts';
import { parseRecord, renderRecord, type SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import { isSaidInPrivate, type Mask } from '../../strategy/transcript/private.ts';
import type { Work } from '../../strategy/work.ts';
import type { TurnPart } from './turn.ts';

/**
 * Takes out what rewinds of other sessions noted of a session that went back along: its prompt, and its files; of one turn what that alone
 * left there. Under `RESTORE_LOCK`: who puts files back has several locks of sessions.
 *
 * @param mask what is private in it by now
 * @param waitMs for each of those sessions
 */
export async function forgetNoted(
  { repo, sessions }: Work,
  { sessionId, turn }: { readonly sessionId: SessionId; readonly turn?: TurnPart },
  { mask, waitMs }: { readonly mask: Mask | undefined; readonly waitMs: number },
): Promise<void> {
  const strip = turn ? withoutTurn(turn.onlyPaths, mask) : withoutContents;
  const dir = snapshotsDir(repo.commonDir);
  for (const name of listNames(dir)) {
    const other = parseSessionId(name.split('@')[0]);
    if (!other || other === sessionId) continue;
    const noted = findNoted(join(dir, name), sessionId);
    if (noted.length > 0)
      await withSessionLock(
        sessions,
        other,
        () => {
          for (const { id } of noted) forgetIn(join(dir, name), id, sessionId, strip);
        },
        { waitMs },
      );
  }
}

const findNoted = (store: string, sessionId: SessionId): SnapshotRecord[] =>
  readSoundRecords(store).filter(({ effects }) => othersOf(effects).includes(sessionId));

function forgetIn(
  store: string,
  id: string,
  sessionId: SessionId,
  strip: (noted: OtherMore) => OtherMore,
): void {
  const record = readRecordIfSound(store, id); // under the lock: an undo may have changed it
  if (!record) return;
  const effects = record.effects.map((effect) => {
    const more = parseMore(effect.note);
    if (!more?.others.some((other) => other.sessionId === sessionId)) return effect;
    const others = more.others.map((other) => (other.sessionId === sessionId ? strip(other) : other));
    return { ...effect, note: toStoredMore({ ...more, others }) };
  });
  writeRecord(store, { ...record, effects }, { fsync: true });
}

/** That it went along stays known: its steps do not come back when the rewind is undone. */
function withoutContents({ sessionId, state, record }: OtherMore): OtherMore {
  const bare = (text: string): string =>
    changeState(text, (known) => ({ ...known, firstPrompt: '', filesTouched: [], transcriptPath: '' }));
  const noted = parseRecord(record.id, record.value);
  return {
    sessionId,
    state: { before: bare(state.before), after: bare(state.after) },
    userLines: undefined,
    files: [],
    record: {
      id: record.id,
      value: renderRecord({ ...noted, subject: '', files: new Map(), left: new Map() }),
    },
  };
}

/** Other turns of the session come back with the rewind as they were. */
const withoutTurn =
  (gone: ReadonlySet<string>, mask: Mask | undefined) =>
  ({ sessionId, state, userLines, files, record }: OtherMore): OtherMore => {
    const bare = (text: string): string =>
      changeState(text, (known) => ({
        ...known,
        firstPrompt: isSaidInPrivate(mask, known.firstPrompt) ? '' : known.firstPrompt,
        filesTouched: known.filesTouched.filter((path) => !gone.has(path)),
      }));
    const isKept = ([path]: readonly [string, unknown]): boolean => !gone.has(path);
    const noted = parseRecord(record.id, record.value);
    const value = {
      ...withoutFiles(noted, (path) => gone.has(path)),
      left: new Map([...noted.left].filter(isKept)),
    };
    return {
      sessionId,
      state: { before: bare(state.before), after: bare(state.after) },
      userLines: userLines && { ...userLines, files: new Map([...userLines.files].filter(isKept)) },
      files: files.filter((path) => !gone.has(path)),
      record: { id: record.id, value: renderRecord(value) },
    };
  };

const changeState = (text: string, change: (state: SessionState) => SessionState): string =>
  text === '' ? '' : renderState(change(parseState(text)));
