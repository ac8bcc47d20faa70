import { join } from 'node:path';
import * as z from 'zod/mini';
import { now } from '../../base/clock.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { newId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { parseRepoPath, type RepoPath } from '../../base/repo-path.ts';
import { isObject } from '../../base/text/json.ts';
import { type FileState, parseFileState, toStoredState } from '../store/file-state.ts';

/** How it is known that the session wrote a path: by a tool's hook, by that of a shell command, or by looking. */
export type EditSource = 'tool' | 'bash' | 'scan';

/** What was made of one path, with nobody else's work in between. */
export interface ChangePart {
  /** `undefined`: not known, and nothing to go back to. */
  readonly before: FileState | undefined;
  readonly after: FileState;
  /** What it was before is known only as a text that a client told, and nobody goes back to it unasked. */
  readonly isDoubtful: boolean;
  /** A shell command of the agent ran meanwhile, which says nothing of what it writes: some of it may be the user's. */
  readonly isMixed?: boolean;
}

/** What became of one path. */
export interface PathChange {
  /** `undefined`: not known, and nothing to go back to. */
  readonly before: FileState | undefined;
  readonly after: FileState;
  readonly source: EditSource;
  /** As of {@link ChangePart}; of several parts one is. */
  readonly isDoubtful?: boolean;
  readonly isMixed?: boolean;
  /** Oldest first, where somebody else changed the path in between: then `before` is that of the first, and `after` that of the last. */
  readonly parts?: readonly ChangePart[];
}

/** A change by its parts, oldest first. */
export const partsOf = (change: PathChange): readonly ChangePart[] => {
  const { before, after, isDoubtful = false, isMixed, parts } = change;
  return parts ?? [{ before, after, isDoubtful, ...(isMixed && { isMixed }) }];
};

/** The states that a change names. */
export const statesOf = (change: PathChange): FileState[] =>
  [change, ...(change.parts ?? [])].flatMap(({ before, after }) => [...(before ? [before] : []), after]);

/**
 * Something that happened to files of a worktree, so that it can be taken back: `<store>/snaps/<id>.json`.
 *
 * - `turn`: what an agent changed between a prompt and its stop
 * - `undo`, `redo`: what such a command did; `of` names what it took back
 * - `rewind`: what going back to a checkpoint did
 * - `snap`: what {@link FileSnapshotStore} was asked to look at
 */
export interface SnapshotRecord {
  readonly id: string;
  readonly kind: 'turn' | 'undo' | 'redo' | 'rewind' | 'snap';
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly turnId: string;
  /** What people know it by: the prompt's first line, redacted. May be empty. */
  readonly subject: string;
  /** Everything that can have written files was on record: what was found by looking is somebody else's. */
  readonly isComplete: boolean;
  /** For `undo` and `redo`: records it took back, the newest first. */
  readonly of: readonly string[];
  /** Transcript when the turn began; empty where none is known. */
  readonly transcript: TranscriptPosition;
  /** Ledgers it was made of. */
  readonly ledgers: readonly string[];
  readonly files: ReadonlyMap<RepoPath, PathChange>;
  /** Paths that were left as they were, and why; of a turn those that changed in it, and are not known to be its own. */
  readonly left: ReadonlyMap<RepoPath, string>;
  /** Paths that were already what they were to become. */
  readonly already: readonly RepoPath[];
  /** For `undo` and `redo`: paths where it went by force over what somebody else had made of them, which only it knows. */
  readonly forced: readonly RepoPath[];
  /** Of an undo, paths that are what an older turn made of them, and that HEAD had otherwise: that turn's work once more. */
  readonly again?: readonly RepoPath[];
  /** What else it changed beside files. */
  readonly effects: readonly Effect[];
  /** Of an undo that is a part of what going back did in another session: that session. It is brought back with the rest alone. */
  readonly within?: string;
}

/** Where a transcript was when a turn began. */
export interface TranscriptPosition {
  readonly path: string;
  readonly items: number;
  /** Id of its last message, or empty. */
  readonly last: string;
}

export const NO_TRANSCRIPT: TranscriptPosition = { path: '', items: 0, last: '' };

/** Something a rewind changed beside files: whose room made the note knows how it is done and taken back. */
export interface Effect {
  /** Taken back, not done. */
  readonly isBack: boolean;
  readonly note: unknown;
}

/** A record of what happens now, with nothing in it but what is said. */
export const newRecord = (
  what: Pick<SnapshotRecord, 'id' | 'kind'> & Partial<SnapshotRecord>,
): SnapshotRecord => ({
  at: now().toISOString(),
  turnId: '',
  subject: '',
  isComplete: true,
  of: [],
  transcript: NO_TRANSCRIPT,
  ledgers: [],
  files: new Map(),
  left: new Map(),
  already: [],
  forced: [],
  effects: [],
  ...what,
});

/** Where records lie. */
export const snapsDir = (store: string): string => join(store, 'snaps');
export const recordFile = (store: string, id: string): string => join(snapsDir(store), `${id}.json`);

const RECORD_NAME = /^(\d{13}-[0-9a-f]{12})\.json$/;

/** When a record was made, by its id; in milliseconds since 1970. */
export const recordMs = (id: string): number => Number(id.slice(0, 13));

/** A new id: later ones sort behind earlier ones, whatever the clock does. */
export function newRecordId(after: string | undefined): string {
  const last = after === undefined ? 0 : recordMs(after);
  return `${String(Math.max(now().getTime(), last + 1)).padStart(13, '0')}-${newId()}`;
}

/** Ids of all records, oldest first. */
export const listRecordIds = (store: string): string[] =>
  listNames(snapsDir(store))
    .flatMap((name) => RECORD_NAME.exec(name)?.[1] ?? [])
    .sort();

export const hasRecord = (store: string, id: string): boolean => disk.existsSync(recordFile(store, id));

/** {@link TranscriptPosition} as it stands on disk. */
export const transcriptPosition = z.object({ path: z.string(), items: z.number(), last: z.string() });

/** By path. Not `z.record`, which passes over a file that is called `__proto__`. */
export const byPath = z.custom<Record<string, unknown>>(isObject);

const stored = z.object({
  version: z.literal(1),
  kind: z.enum(['turn', 'undo', 'redo', 'rewind', 'snap']),
  at: z.string(),
  turn_id: z.optional(z.string()),
  subject: z.optional(z.string()),
  complete: z.optional(z.boolean()),
  of: z.optional(z.array(z.string())),
  transcript: z.optional(transcriptPosition),
  ledgers: z.optional(z.array(z.string())),
  files: byPath,
  left: z.optional(byPath),
  already: z.optional(z.array(z.string())),
  forced: z.optional(z.array(z.string())),
  again: z.optional(z.array(z.string())),
  effects: z.optional(z.array(z.object({ back: z.boolean(), note: z.unknown() }))),
  within: z.optional(z.string()),
});

/** Writes a record whole. @throws the system error */
export const writeRecord = (store: string, record: SnapshotRecord, options: { fsync?: boolean } = {}): void =>
  writeFileAtomic(recordFile(store, record.id), `${JSON.stringify(renderRecord(record))}\n`, options);

/** Removes a record, if any: what it was about can no longer be taken back. @throws the system error */
export const removeRecord = (store: string, id: string): void =>
  disk.rmSync(recordFile(store, id), { force: true });

/** A record as it stands on disk; its id is the name of the file. */
export function renderRecord(record: SnapshotRecord): Record<string, unknown> {
  const { kind, at, turnId, subject, isComplete, of, transcript, ledgers, files, left, already } = record;
  const { forced, again, effects, within } = record;
  return {
    version: 1,
    kind,
    at,
    turn_id: turnId,
    subject,
    complete: isComplete,
    of,
    transcript,
    ledgers,
    files: Object.fromEntries([...files].map(([path, change]) => [path, toStoredChange(change)])),
    left: Object.fromEntries(left),
    already,
    forced: forced.length > 0 ? forced : undefined,
    again,
    effects: effects.map(({ isBack, note }) => ({ back: isBack, note })),
    within,
  };
}

const toStoredChange = (change: PathChange) => ({
  ...toStoredPart({ isDoubtful: false, ...change }),
  source: change.source,
  parts: change.parts?.map(toStoredPart),
});

const toStoredPart = ({ before, after, isDoubtful, isMixed }: ChangePart) => ({
  before: before && toStoredState(before),
  after: toStoredState(after),
  doubtful: isDoubtful || undefined,
  mixed: isMixed || undefined,
});

/**
 * Reads a record.
 *
 * @throws {EntireError} `SNAPSHOT_DAMAGED` when it is missing or no record
 */
export function readRecord(store: string, id: string): SnapshotRecord {
  try {
    return parseRecord(id, JSON.parse(readOwnText(recordFile(store, id), 'record') ?? ''));
  } catch (cause) {
    throw new EntireError('SNAPSHOT_DAMAGED', `${recordFile(store, id)} cannot be read.`, {
      cause,
      hint: 'Steps back from there are not possible; `entire verify` shows what else is damaged.',
    });
  }
}

/** {@link readRecord}; `undefined`, and a line in the log, for what cannot be read. */
export function readRecordIfSound(store: string, id: string): SnapshotRecord | undefined {
  try {
    return readRecord(store, id);
  } catch (error) {
    log('warn', 'record of a turn passed over', { store, id, error: describeError(error) });
    return undefined;
  }
}

/** A record without some of its files. */
export function withoutFiles(record: SnapshotRecord, isOut: (path: RepoPath) => boolean): SnapshotRecord {
  return { ...record, files: new Map([...record.files].filter(([path]) => !isOut(path))) };
}

/** Reads the value of a record; keys of later versions are passed over. @throws for a value that is none */
export function parseRecord(id: string, json: unknown): SnapshotRecord {
  const value = stored.parse(json);
  return {
    id,
    kind: value.kind,
    at: value.at,
    turnId: value.turn_id ?? '',
    subject: value.subject ?? '',
    isComplete: value.complete ?? true,
    of: value.of ?? [],
    transcript: value.transcript ?? NO_TRANSCRIPT,
    ledgers: value.ledgers ?? [],
    files: new Map(Object.entries(value.files).flatMap(([path, change]) => parseChange(path, change))),
    left: new Map(
      Object.entries(value.left ?? {}).flatMap(([path, why]) =>
        toPaths([path]).map((parsed) => [parsed, String(why)] as const),
      ),
    ),
    already: toPaths(value.already),
    forced: toPaths(value.forced),
    effects: (value.effects ?? []).map(({ back, note }) => ({ isBack: back, note })),
    ...(value.again && { again: toPaths(value.again) }),
    ...(value.within !== undefined && { within: value.within }),
  };
}

const toPaths = (names: readonly string[] = []) => names.flatMap((name) => parseRepoPath(name) ?? []);

function parseChange(path: string, value: unknown): Array<[RepoPath, PathChange]> {
  const parsed = parseRepoPath(path);
  const [whole] = parsePart(value);
  if (!parsed || !whole) return [];
  const { source: told, parts: list } = value as { source?: unknown; parts?: unknown };
  const source = told === 'bash' || told === 'scan' ? told : 'tool';
  const { before, after, isDoubtful, isMixed } = whole;
  const parts = Array.isArray(list) ? list.flatMap(parsePart) : [];
  const more = {
    ...(isDoubtful && { isDoubtful }),
    ...(isMixed && { isMixed }),
    ...(parts.length > 1 && { parts }),
  };
  return [[parsed, { before, after, source, ...more }]];
}

function parsePart(value: unknown): ChangePart[] {
  if (!isObject(value)) return [];
  const after = parseFileState(value.after);
  const [before, isMixed] = [parseFileState(value.before), value.mixed === true];
  return after ? [{ before, after, isDoubtful: value.doubtful === true, ...(isMixed && { isMixed }) }] : [];
}
