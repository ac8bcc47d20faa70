import { join } from 'node:path';
import { describeError, EntireError } from '../base/errors.ts';
import { disk, listNames } from '../base/file/disk.ts';
import { readOwnText } from '../base/file/small-file.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { noticeTemporary } from './killed-writers.ts';
import type { SessionState } from './state.ts';
import { fingerprintOf, readState, sessionOfStateFile } from './state-store.ts';
import { parseTrackingName } from './tracking-file.ts';

/** What hooks have to know of every session, whether they open its state or not. */
export interface SessionSummary
  extends Pick<
    SessionState,
    | 'sessionId'
    | 'worktreeId'
    | 'baseCommit'
    | 'phase'
    | 'startedAt'
    | 'lastInteractionTime'
    | 'checkpointCount'
    | 'filesTouched'
    | 'lastCheckpointId'
  > {
  /** There is a tracking file of its own worktree, or a claim of one. */
  readonly isTracked: boolean;
}

/** What a look at all sessions found. */
export interface SummaryListing {
  readonly sessions: readonly SessionSummary[];
  /** State files that cannot be read; nothing here ever deletes them. */
  readonly unreadable: readonly string[];
  /** A state that may well be sound could not be read at this moment; it is among the unreadable ones. */
  readonly isPartial: boolean;
  /** Sessions that have tracking files here and no state. */
  readonly strangers: readonly SessionId[];
  /** Sessions that have tracking files for another worktree than their own: by the worktree's name there, their ids. */
  readonly away: ReadonlyMap<string, readonly SessionId[]>;
}

/** A state that nobody wrote for this long may go into the index. */
const SETTLED_MS = 5_000;
/** So many states are opened, each time, before the index is written again. */
const MAX_OPENED = 8;

type Digest = Omit<SessionSummary, 'sessionId' | 'isTracked' | 'phase'> & {
  readonly phase: 'idle' | 'ended';
};
/** What a hook found settled, by session id. */
export type SettledSessions = Map<SessionId, Digest>;
/** By session id: the state file's fingerprint, and what it said. */
type Index = ReadonlyMap<string, { readonly file: string; readonly digest: Digest }>;

/**
 * Sums up every session that is not archived, in order of id, and then the archived ones with edits since. Months of sessions pile up: `<git-common-dir>/entire/sessions.json` holds what
 * the settled ones said, so that only the others are opened. A state that any version wrote since then has another
 * fingerprint. The index is a cache: missing or broken means that it is made again.
 *
 * @param dir `<git-common-dir>/entire-sessions`
 * @param seen settled sessions that the same hook has looked at before; they are not looked at again, so whoever writes
 *   the state of one takes it out
 */
export function listSummaries(dir: string, seen: SettledSessions = new Map()): SummaryListing {
  const names = listNames(dir).sort();
  noticeTemporary(dir, names);
  const { tracked, away } = findTrackingFiles(names);
  const isFirstLook = seen.size === 0;
  const index = isFirstLook ? readIndex(dir) : new Map();
  const next = new Map<string, { file: string; digest: Digest }>();
  let opened = 0;
  const sessions: SessionSummary[] = [];
  const unreadable: string[] = [];
  let isPartial = false;
  for (const name of names) {
    const id = sessionOfStateFile(name);
    if (id === undefined) continue;
    const settled = seen.get(id);
    if (settled) {
      sessions.push({ sessionId: id, ...settled, isTracked: tracked.has(id) });
      continue;
    }
    const stat = disk.statSync(join(dir, name), { throwIfNoEntry: false });
    const file = fingerprintOf(stat);
    const known = index.get(id);
    if (known && known.file === file) {
      next.set(id, known);
      seen.set(id, known.digest);
      sessions.push({ sessionId: id, ...known.digest, isTracked: tracked.has(id) });
      continue;
    }
    const state = open(dir, id);
    if (state instanceof Error) {
      unreadable.push(join(dir, name));
      isPartial ||= !(state instanceof EntireError);
    }
    if (!state || state instanceof Error) continue;
    const { phase, ...digest } = digestOf(state);
    sessions.push({ sessionId: id, phase, ...digest, isTracked: tracked.has(id) });
    if (phase === 'active' || !stat || Date.now() - stat.mtimeMs < SETTLED_MS) continue;
    next.set(id, { file, digest: { phase, ...digest } });
    seen.set(id, { phase, ...digest });
    opened++;
  }
  if (isFirstLook && opened > MAX_OPENED) writeIndex(dir, next); // a later look does not have them all
  const known = new Set(names);
  const strangers: SessionId[] = [];
  for (const id of new Set([...tracked, ...[...away.values()].flat()])) {
    if (known.has(`${id}.json`)) continue;
    const state = open(dir, id); // archived, and at work all the same
    if (state instanceof Error) {
      unreadable.push(join(dir, `${id}.json`));
      isPartial ||= !(state instanceof EntireError);
    } else if (state) sessions.push({ sessionId: id, ...digestOf(state), isTracked: tracked.has(id) });
    else if (tracked.has(id)) strangers.push(id);
  }
  return { sessions, unreadable, isPartial, away, strangers };
}

/** Sessions with tracking files or claims, of their own worktree or of another one. Reads no state. */
export const listTrackedAnywhere = (dir: string): ReadonlySet<string> =>
  new Set(listNames(dir).flatMap((name) => parseTrackingName(name)?.id ?? []));

/** Sessions with tracking files of their own worktree. Reads no state. */
export const listTracked = (dir: string): ReadonlySet<SessionId> => findTrackingFiles(listNames(dir)).tracked;

function findTrackingFiles(names: readonly string[]): {
  tracked: Set<SessionId>;
  away: Map<string, SessionId[]>;
} {
  const tracked = new Set<SessionId>();
  const away = new Map<string, SessionId[]>();
  for (const name of names) {
    const { id, foreignWorktree: worktree } = parseTrackingName(name) ?? {};
    if (!id) continue;
    if (worktree === undefined) tracked.add(id);
    else away.set(worktree, [...new Set([...(away.get(worktree) ?? []), id])]);
  }
  return { tracked, away };
}

function open(dir: string, id: SessionId): SessionState | undefined | Error {
  try {
    return readState(dir, id);
  } catch (error) {
    return error as Error;
  }
}

function digestOf(state: SessionState): Omit<SessionSummary, 'sessionId' | 'isTracked'> {
  const { worktreeId, baseCommit, phase, startedAt, lastInteractionTime } = state;
  const { checkpointCount, filesTouched, lastCheckpointId } = state;
  return {
    worktreeId,
    baseCommit,
    phase,
    startedAt,
    lastInteractionTime,
    checkpointCount,
    filesTouched,
    lastCheckpointId,
  };
}

const indexFile = (dir: string): string => join(dir, '..', 'entire', 'sessions.json');

/** Read by hand: it has as many entries as there are sessions, and a schema library takes longer than opening them. */
function readIndex(dir: string): Index {
  try {
    const text = readOwnText(indexFile(dir), 'record');
    if (text === undefined) return new Map();
    const { version, sessions } = JSON.parse(text) as { version?: unknown; sessions?: unknown };
    if (version !== 1 || typeof sessions !== 'object' || sessions === null) throw new Error('unknown format');
    return new Map(Object.entries(sessions).filter(([, entry]) => isEntry(entry)));
  } catch (error) {
    log('warn', 'session index is unreadable, made again', { error: describeError(error) });
    return new Map();
  }
}

function isEntry(value: unknown): boolean {
  const { file, digest } = (value ?? {}) as {
    file?: unknown;
    digest?: Partial<Record<keyof Digest, unknown>>;
  };
  return (
    typeof file === 'string' &&
    typeof digest === 'object' &&
    typeof digest?.worktreeId === 'string' &&
    typeof digest.baseCommit === 'string' &&
    (digest.phase === 'idle' || digest.phase === 'ended') &&
    typeof digest.startedAt === 'string' &&
    typeof digest.checkpointCount === 'number' &&
    Array.isArray(digest.filesTouched)
  );
}

/** After sessions were archived: the next hook makes a smaller one. */
export function dropIndex(dir: string): void {
  disk.rmSync(indexFile(dir), { force: true });
}

function writeIndex(dir: string, index: Index): void {
  const json = JSON.stringify({ version: 1, sessions: Object.fromEntries(index) });
  try {
    writeFileAtomic(indexFile(dir), json);
  } catch (error) {
    log('warn', 'session index not written', { error: describeError(error) });
  }
}
