import { join } from 'node:path';
import { listNames } from '../../base/file/disk.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { type OtherMore, parseMore, toStoredMore } from '../../restore/rewind/note.ts';
import { withSessionLock } from '../../session/lock.ts';
import { parseState, renderState } from '../../session/state.ts';
import { listRecordIds, readRecordIfSound, writeRecord } from '../../snapshot/record/record.ts';
import { parseRecord, renderRecord, type SnapshotRecord } from '../../snapshot/record/snapshot-record.ts';
import { snapshotsDir } from '../../snapshot/store/blobs.ts';
import type { Work } from '../../strategy/work.ts';

/** Takes out what rewinds of other sessions noted of a session that went back along: its prompt, and its files. */
export async function forgetNoted({ repo, sessions }: Work, sessionId: SessionId): Promise<void> {
  const dir = snapshotsDir(repo.commonDir);
  for (const name of listNames(dir)) {
    const other = parseSessionId(name.split('@')[0]);
    if (!other || other === sessionId) continue;
    const noted = findNoted(join(dir, name), sessionId);
    if (noted.length > 0)
      await withSessionLock(sessions, other, () => {
        for (const { id } of noted) forgetIn(join(dir, name), id, sessionId);
      });
  }
}

const findNoted = (store: string, sessionId: SessionId): SnapshotRecord[] =>
  listRecordIds(store)
    .flatMap((id) => readRecordIfSound(store, id) ?? [])
    .filter(({ effects }) =>
      effects.some(({ note }) => parseMore(note)?.others.some((other) => other.sessionId === sessionId)),
    );

function forgetIn(store: string, id: string, sessionId: SessionId): void {
  const record = readRecordIfSound(store, id); // under the lock: an undo may have changed it
  if (!record) return;
  const effects = record.effects.map((effect) => {
    const more = parseMore(effect.note);
    if (!more?.others.some((other) => other.sessionId === sessionId)) return effect;
    const others = more.others.map((other) =>
      other.sessionId === sessionId ? withoutContents(other) : other,
    );
    return { ...effect, note: toStoredMore({ ...more, others }) };
  });
  writeRecord(store, { ...record, effects }, { fsync: true });
}

/** That it went along stays known: its steps do not come back when the rewind is undone. */
function withoutContents({ sessionId, state, record }: OtherMore): OtherMore {
  const bare = (text: string): string =>
    text === ''
      ? ''
      : renderState({ ...parseState(text), firstPrompt: '', filesTouched: [], transcriptPath: '' });
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
