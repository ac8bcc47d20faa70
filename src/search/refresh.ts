import { describeError, EntireError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { rulesFingerprint } from '../checkpoint/redact/custom.ts';
import type { Repo } from '../git/locate.ts';
import type { SearchIndex } from './database/index-file.ts';
import { type Known, Writer } from './database/writer.ts';
import { listFolders, readSlots } from './sources/checkpoints.ts';
import { listLive, listOwn, rootsOf } from './sources/sessions.ts';
import type { ReadableSource } from './sources/source.ts';

/** Told how far it is. */
export type OnProgress = (what: string, done?: number, total?: number) => void;

/** Brings the index of a repository up to date. @throws {EntireError} where it cannot be kept */
export async function refreshRepository(
  index: SearchIndex,
  {
    repo,
    store,
    env,
  }: { readonly repo: Repo; readonly store: CheckpointStore; readonly env: NodeJS.ProcessEnv },
  onProgress: OnProgress,
): Promise<void> {
  const writer = new Writer(index);
  await writer.open();
  await refreshCheckpoints(writer, store, rootsOf(repo), onProgress);
  const live = listLive(repo);
  const covered = new Set([...live.map(({ session }) => session), ...writer.stored()]);
  const own = (await listOwn(env, repo)).filter(({ session }) => !covered.has(session));
  await refreshFiles(writer, [...live, ...own], onProgress);
}

/** Brings the index of all sessions of this machine up to date. @throws {EntireError} where it cannot be kept */
export async function refreshUser(
  index: SearchIndex,
  env: NodeJS.ProcessEnv,
  onProgress: OnProgress,
): Promise<void> {
  const writer = new Writer(index);
  await writer.open();
  await refreshFiles(writer, await listOwn(env, undefined), onProgress);
}

async function refreshCheckpoints(
  writer: Writer,
  store: CheckpointStore,
  roots: readonly string[],
  onProgress: OnProgress,
): Promise<void> {
  const rules = rulesFingerprint();
  const seen = [...store.tips, rules].join(' ');
  if (writer.seen === seen) return;
  const folders = await listFolders(store);
  const known = new Map<string, Known[]>();
  for (const [, one] of writer.entries())
    if (one.checkpoint !== '') known.set(one.checkpoint, [...(known.get(one.checkpoint) ?? []), one]);
  const isCurrent = (one: Known): boolean =>
    one.rules === rules && folders.get(one.checkpoint as never) === one.state;
  const wanted = new Map([...folders].filter(([id]) => !known.has(id) || !known.get(id)?.every(isCurrent)));
  for (const [key, one] of writer.entries()) if (one.checkpoint !== '' && !isCurrent(one)) writer.drop(key);
  const tell = (done: number): void => onProgress('Reading checkpoints', done, wanted.size);
  for await (const { source, documents } of readSlots(store, wanted, { rules, roots }, tell))
    await writer.add(source, { documents, isWhole: true, progress: '' });
  writer.seen = seen;
  await writer.flush();
}

async function refreshFiles(
  writer: Writer,
  sources: readonly ReadableSource[],
  onProgress: OnProgress,
): Promise<void> {
  const keys = new Set(sources.map(({ key }) => key));
  for (const [key, known] of writer.entries())
    if (known.checkpoint === '' && !keys.has(key)) writer.drop(key);
  const changed = sources.filter((source) => {
    const known = writer.find(source.key);
    return !known || known.state !== source.state || known.rules !== source.rules;
  });
  const total = changed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let done = 0;
  for (const source of changed) {
    onProgress('Reading sessions, MB', Math.round(done / 1e6), Math.round(total / 1e6));
    await readOne(writer, source);
    done += source.sizeBytes;
  }
  await writer.flush();
}

async function readOne(writer: Writer, source: ReadableSource): Promise<void> {
  const known = writer.find(source.key);
  const isSame = known?.rules === source.rules;
  if (known && !isSame) writer.drop(source.key);
  try {
    const reading = await source.read(isSame ? known.progress : '', (isHeld) =>
      writer.holds(source.key, isHeld),
    );
    if (reading) await writer.add(source, reading);
  } catch (error) {
    if (
      error instanceof EntireError &&
      error.code !== 'REDACTION_FAILED' &&
      error.code !== 'STATE_UNREADABLE'
    )
      throw error;
    log('warn', 'session is not searched', { session_id: source.session, error: describeError(error) });
  }
}
