import { describeError, EntireError } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { counted } from '../base/text/text.ts';
import type { CheckpointStore } from '../checkpoint/read/store.ts';
import { rulesFingerprint } from '../checkpoint/redact/custom.ts';
import type { Repo } from '../git/locate.ts';
import { IndexGone, type SearchIndex } from './database/index-file.ts';
import { type Known, Writer } from './database/writer.ts';
import { listFolders, readSlots } from './sources/checkpoints.ts';
import { listLive, listOwn, rootsOf } from './sources/sessions.ts';
import type { ReadableSource } from './sources/source.ts';

/** Told how far it is. */
export type OnProgress = (what: string, done?: number, total?: number) => void;

/** Whoever waits. */
export interface Listener {
  readonly onProgress: OnProgress;
  /** Hears what could not be done, as a sentence. */
  readonly onProblem: (problem: string) => void;
}

/** Brings the index of a repository up to date. @throws {EntireError} where it cannot be kept */
export async function refreshRepository(
  index: SearchIndex,
  {
    repo,
    store,
    env,
  }: { readonly repo: Repo; readonly store: CheckpointStore; readonly env: NodeJS.ProcessEnv },
  listener: Listener,
): Promise<void> {
  const writer = new Writer(index);
  await writer.open();
  await refreshCheckpoints(writer, store, rootsOf(repo), listener.onProgress);
  const live = listLive(repo);
  const covered = new Set([...live.map(({ session }) => session), ...writer.stored()]);
  const own = (await listOwn(env, repo)).filter(({ session }) => !covered.has(session));
  await refreshFiles(writer, [...live, ...own], listener);
}

/** Brings the index of all sessions of this machine up to date. @throws {EntireError} where it cannot be kept */
export async function refreshUser(
  index: SearchIndex,
  env: NodeJS.ProcessEnv,
  listener: Listener,
): Promise<void> {
  const writer = new Writer(index);
  await writer.open();
  await refreshFiles(writer, await listOwn(env, undefined), listener);
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
  { onProgress, onProblem }: Listener,
): Promise<void> {
  const keys = new Set(sources.map(({ key }) => key));
  for (const [key, known] of writer.entries())
    if (known.checkpoint === '' && !keys.has(key)) writer.drop(key);
  const changed = sources.filter((source) => {
    const known = writer.find(source.key);
    if (!known || known.state !== source.state || known.rules !== source.rules) return true;
    return source.hasGrown?.(known.progress) === true;
  });
  const total = changed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let done = 0;
  const unread: string[] = [];
  for (const source of changed) {
    onProgress('Reading sessions, MB', Math.round(done / 1e6), Math.round(total / 1e6));
    const problem = await readOne(writer, source);
    if (problem !== undefined) unread.push(problem);
    done += source.sizeBytes;
  }
  await writer.flush();
  if (unread[0] !== undefined)
    onProblem(`${counted(unread.length, 'session')} could not be read, as ${unread[0]}`);
}

/** @returns what kept it from being read */
async function readOne(writer: Writer, source: ReadableSource): Promise<string | undefined> {
  const known = writer.find(source.key);
  const isSame = known?.rules === source.rules;
  if (known && !isSame) writer.drop(source.key);
  try {
    const reading = await source.read(isSame ? known.progress : '', (isHeld) =>
      writer.holds(source.key, isHeld),
    );
    if (reading) await writer.add(source, reading);
    return undefined;
  } catch (error) {
    if (
      error instanceof EntireError &&
      error.code !== 'REDACTION_FAILED' &&
      error.code !== 'STATE_UNREADABLE'
    )
      throw error;
    if (error instanceof IndexGone) throw error;
    log('warn', 'session is not searched', { session_id: source.session, error: describeError(error) });
    return `${source.session}: ${describeError(error)}`;
  }
}
