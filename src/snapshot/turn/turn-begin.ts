import { join } from 'node:path';
import * as z from 'zod/mini';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { log } from '../../base/log.ts';
import { parseRepoPath, type RepoPath } from '../../base/repo-path.ts';
import { listRecordIds } from '../record/record.ts';
import { byPath, type TranscriptPosition, transcriptPosition } from '../record/snapshot-record.ts';
import { captureFile, digestOfFile } from '../store/blobs.ts';
import { type FileState, parseFileState, toStoredState } from '../store/file-state.ts';

/**
 * What the worktree held when the turn began, as far as git does not have it: `<store>/start.json`. With it a file that a
 * shell command changes, and of which no client tells what it was, can be put back to what the user had there.
 */
export interface TurnBegin {
  readonly turnId: string;
  readonly at: string;
  /** What the paths not named were, if git knows them. */
  readonly head: string;
  readonly transcript: TranscriptPosition;
  /** Paths that differed from HEAD; `undefined` for one whose content was not kept. */
  readonly files: ReadonlyMap<RepoPath, BeginState>;
  /** The newest record. */
  readonly last: string | undefined;
}

export interface BeginState {
  /** Mode, size and time: what changes when a file is written. */
  readonly fingerprint: string;
  /** `undefined` where it was not kept, because it is large, or there are too many. */
  readonly state: FileState | undefined;
  /** SHA-256 of the bytes of one that was too large to keep: by it they are known again. */
  readonly digest?: string;
}

/** A prompt waits for us: larger files, and more of them than this, are not kept before an agent touched them. */
const MAX_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 500;
/** Larger ones, and more of them than this together, are not looked into either. */
const MAX_DIGEST_BYTES = 16 * 1024 * 1024;
const MAX_DIGEST_TOTAL_BYTES = 64 * 1024 * 1024;

const beginFile = (store: string): string => join(store, 'start.json');

const stored = z.object({
  version: z.literal(1),
  turn_id: z.string(),
  at: z.string(),
  head: z.string(),
  transcript: transcriptPosition,
  files: byPath,
  last: z.optional(z.string()),
});

/** What the running turn began with; `undefined` when nothing is known of it. */
export function readTurnBegin(store: string): TurnBegin | undefined {
  try {
    const text = readOwnText(beginFile(store), 'record');
    if (text === undefined) return undefined;
    const value = stored.parse(JSON.parse(text));
    const files = Object.entries(value.files).flatMap(([path, entry]): Array<[RepoPath, BeginState]> => {
      const parsed = parseRepoPath(path);
      const [fingerprint, state, digest]: unknown[] = Array.isArray(entry) ? entry : [];
      if (!parsed || typeof fingerprint !== 'string') return [];
      const seen = { fingerprint, state: parseFileState(state) };
      return [[parsed, typeof digest === 'string' ? { ...seen, digest } : seen]];
    });
    const { turn_id: turnId, at, head, transcript, last } = value;
    return { turnId, at, head, transcript, files: new Map(files), last };
  } catch (error) {
    log('warn', 'unreadable start of a turn', { file: beginFile(store), error: describeError(error) });
    return undefined;
  }
}

/** Replaces it. @throws the system error */
export function writeTurnBegin(store: string, begin: TurnBegin): void {
  const { turnId, at, head, transcript, files, last } = begin;
  const value = {
    version: 1,
    turn_id: turnId,
    at,
    head,
    transcript,
    files: Object.fromEntries(
      [...files].map(([path, { fingerprint, state, digest }]) => [
        path,
        [fingerprint, state ? toStoredState(state) : null, ...(digest === undefined ? [] : [digest])],
      ]),
    ),
    last,
  };
  writeFileAtomic(beginFile(store), JSON.stringify(value));
}

/** What a prompt hook knows. */
export interface PromptView {
  readonly root: string;
  readonly turnId: string;
  readonly head: string;
  readonly transcript: TranscriptPosition;
  /** Of each path that differs from HEAD. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** Paths whose contents are nobody's to keep: they changed in a private stretch. */
  readonly hidden?: ReadonlySet<string>;
}

/**
 * A turn begins: keeps what differs from HEAD. Files are read only when they changed since the last prompt or stop.
 *
 * @throws the system error
 */
export function beginTurn(store: string, view: PromptView): void {
  const known = readTurnBegin(store);
  const files = keepDirty(store, view, known?.files ?? new Map());
  const { turnId, head, transcript } = view;
  const last = known ? known.last : listRecordIds(store).at(-1);
  writeTurnBegin(store, { turnId, at: now().toISOString(), head, transcript, files, last });
}

/**
 * A command put files back: the running turn of the session did not change them.
 *
 * @param last the newest record of the session that there is
 * @param states what each path is now
 */
export function rememberStates(
  store: string,
  last: string | undefined,
  states: Iterable<readonly [RepoPath, BeginState]>,
): void {
  const begin = readTurnBegin(store);
  if (begin) writeTurnBegin(store, { ...begin, files: new Map([...begin.files, ...states]), last });
}

/** The turn goes on with another prompt: what it began with stays. @throws the system error */
export function continueTurn(store: string, turnId: string): void {
  const begin = readTurnBegin(store);
  if (begin) writeTurnBegin(store, { ...begin, turnId });
}

function keepDirty(
  store: string,
  { root, fingerprints, hidden }: Pick<PromptView, 'root' | 'fingerprints' | 'hidden'>,
  known: ReadonlyMap<string, BeginState>,
): Map<RepoPath, BeginState> {
  const files = new Map<RepoPath, BeginState>();
  let [kept, bytes, left, looked] = [0, 0, 0, 0];
  for (const [path, fingerprint] of fingerprints) {
    const before = known.get(path as RepoPath);
    if (before?.fingerprint === fingerprint) {
      files.set(path as RepoPath, before);
      continue;
    }
    if (hidden?.has(path)) {
      files.set(path as RepoPath, { fingerprint, state: undefined });
      continue;
    }
    const isAffordable = kept++ < MAX_FILES && bytes < MAX_TOTAL_BYTES;
    const state = isAffordable ? tryCapture(store, root, path) : undefined;
    if (state?.kind === 'file') bytes += state.size;
    if (state === undefined || state.kind === 'unkept') left++;
    const size = state?.kind === 'unkept' ? state.size : 0;
    const isLooked = size > 0 && size <= MAX_DIGEST_BYTES && looked + size <= MAX_DIGEST_TOTAL_BYTES;
    if (isLooked) looked += size;
    const digest = isLooked ? tryDigest(root, path) : undefined;
    const seen = { fingerprint, state: state?.kind === 'unkept' ? undefined : state };
    files.set(path as RepoPath, digest === undefined ? seen : { ...seen, digest });
  }
  if (left > 0) log('info', 'files of the user not kept before the turn', { count: left });
  return files;
}

function tryCapture(store: string, root: string, path: string): FileState | undefined {
  try {
    return captureFile(root, path, { store, maxBytes: MAX_BYTES });
  } catch (error) {
    log('warn', 'file of the user not kept', { path, error: describeError(error) });
    return undefined;
  }
}

function tryDigest(root: string, path: string): string | undefined {
  try {
    return digestOfFile(join(root, path));
  } catch (error) {
    log('warn', 'file of the user not looked into', { path, error: describeError(error) });
    return undefined;
  }
}
