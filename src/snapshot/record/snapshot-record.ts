import * as z from 'zod/mini';
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
  /** Found by looking, and it changed last while no tool of the agent was at work: somebody else wrote it. */
  readonly isUnclaimed?: boolean;
  /** Oldest first, where somebody else changed the path in between: then `before` is that of the first, and `after` that of the last. */
  readonly parts?: readonly ChangePart[];
}

/** A change by its parts, oldest first. */
export const partsOf = (change: PathChange): readonly ChangePart[] => {
  const { before, after, isDoubtful = false, isMixed, parts } = change;
  return parts ?? [{ before, after, isDoubtful, ...(isMixed && { isMixed }) }];
};

/** Whether a change was found by looking, and nothing of the agent that tells of no files was at work: that is somebody else's. */
export const isUnclaimed = (
  { isComplete }: Pick<SnapshotRecord, 'isComplete'>,
  change: PathChange,
): boolean => change.source === 'scan' && (isComplete || change.isUnclaimed === true);

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

/** How one field of a record stands on disk. */
interface Field<Value> {
  /** Its key there. */
  readonly key: string;
  /** @throws for a value that is none of this field */
  read(stored: unknown): Value;
  /** `undefined` leaves the key out. Default: the value itself. */
  write?(value: Value): unknown;
}

/** {@link TranscriptPosition} as it stands on disk. */
export const transcriptPosition = z.object({ path: z.string(), items: z.number(), last: z.string() });

/** By path. Not `z.record`, which passes over a file that is called `__proto__`. */
export const byPath = z.custom<Record<string, unknown>>(isObject);

const kind = z.enum(['turn', 'undo', 'redo', 'rewind', 'snap']);
const text = z.string();
const flag = z.boolean();
const texts = z.array(text);
const effects = z.array(z.object({ back: z.boolean(), note: z.unknown() }));

/**
 * Records are read by the hundred, and the schema is slow: it is asked where a value is not plainly right, to say what is wrong with it.
 */
const unless =
  <Value>(
    isRight: (stored: unknown) => boolean,
    schema: { parse(stored: unknown): Value },
  ): ((stored: unknown) => Value) =>
  (stored) =>
    isRight(stored) ? (stored as Value) : schema.parse(stored);

const isText = (stored: unknown): stored is string => typeof stored === 'string';
const isEmpty = (stored: unknown): boolean => Array.isArray(stored) && stored.length === 0;
const asText = unless(isText, text);
const asKind = unless((stored) => stored === 'turn', kind);
const asFlag = unless((stored) => typeof stored === 'boolean', flag);
const asTexts = unless((stored) => Array.isArray(stored) && stored.every(isText), texts);
const asEffects = unless(isEmpty, effects);
const asByPath = unless(isObject, byPath);

function asPosition(stored: unknown): TranscriptPosition {
  if (isObject(stored)) {
    const { path, items, last } = stored;
    if (isText(path) && Number.isFinite(items) && isText(last)) return { path, items: items as number, last };
  }
  return transcriptPosition.parse(stored);
}

const toPaths = (names: readonly string[]): RepoPath[] => names.flatMap((name) => parseRepoPath(name) ?? []);
const paths = (key: string) => ({ key, read: (stored: unknown) => toPaths(asTexts(stored)) });

type Fields = Omit<SnapshotRecord, 'id'>;

/** All fields, in the order in which they are written. One that a record does not have is what {@link EMPTY} has, or is missing, too. */
const FIELDS: { readonly [Name in keyof Fields]-?: Field<Exclude<Fields[Name], undefined>> } = {
  kind: { key: 'kind', read: (stored) => asKind(stored) },
  at: { key: 'at', read: (stored) => asText(stored) },
  turnId: { key: 'turn_id', read: (stored) => asText(stored) },
  subject: { key: 'subject', read: (stored) => asText(stored) },
  isComplete: { key: 'complete', read: (stored) => asFlag(stored) },
  of: { key: 'of', read: (stored) => asTexts(stored) },
  transcript: { key: 'transcript', read: (stored) => asPosition(stored) },
  ledgers: { key: 'ledgers', read: (stored) => asTexts(stored) },
  files: {
    key: 'files',
    read: (stored) => new Map(Object.entries(asByPath(stored)).flatMap(readChange)),
    write: (files) => Object.fromEntries([...files].map(([path, change]) => [path, writeChange(change)])),
  },
  left: {
    key: 'left',
    read: (stored) =>
      new Map(
        Object.entries(asByPath(stored)).flatMap(([path, why]) =>
          toPaths([path]).map((one) => [one, String(why)] as const),
        ),
      ),
    write: (left) => Object.fromEntries(left),
  },
  already: paths('already'),
  forced: { ...paths('forced'), write: (forced) => (forced.length > 0 ? forced : undefined) },
  again: paths('again'),
  effects: {
    key: 'effects',
    read: (stored) => asEffects(stored).map(({ back, note }) => ({ isBack: back, note })),
    write: (list) => list.map(({ isBack, note }) => ({ back: isBack, note })),
  },
  within: { key: 'within', read: (stored) => asText(stored) },
};

/** What a record is that says nothing more of itself. */
export const EMPTY: Omit<Fields, 'kind' | 'at' | 'again' | 'within'> = {
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
};

const VERSION = 1;
const whole = z.looseObject({ version: z.literal(VERSION), files: byPath });
const FIELD_LIST = Object.entries(FIELDS) as [keyof Fields, Field<unknown>][];

/** A record as it stands on disk; its id is the name of the file. */
export function renderRecord(record: SnapshotRecord): Record<string, unknown> {
  const stored = FIELD_LIST.map(([name, { key, write }]) => {
    const value = record[name];
    return [key, value === undefined || !write ? value : write(value)];
  });
  return { version: VERSION, ...Object.fromEntries(stored) };
}

/** Reads the value of a record; keys of later versions are passed over. @throws for a value that is none */
export function parseRecord(id: string, json: unknown): SnapshotRecord {
  const stored: Record<string, unknown> =
    isObject(json) && json.version === VERSION && isObject(json.files) ? json : whole.parse(json);
  const known = FIELD_LIST.flatMap(([name, { key, read }]) =>
    stored[key] === undefined && (name in EMPTY || OPTIONAL.has(name)) ? [] : [[name, read(stored[key])]],
  );
  return { id, ...EMPTY, ...(Object.fromEntries(known) as Pick<Fields, 'kind' | 'at'>) };
}

const OPTIONAL: ReadonlySet<keyof Fields> = new Set(['again', 'within']);

const writeChange = (change: PathChange) => ({
  ...writePart({ isDoubtful: false, ...change }),
  source: change.source,
  unclaimed: change.isUnclaimed || undefined,
  parts: change.parts?.map(writePart),
});

const writePart = ({ before, after, isDoubtful, isMixed }: ChangePart) => ({
  before: before && toStoredState(before),
  after: toStoredState(after),
  doubtful: isDoubtful || undefined,
  mixed: isMixed || undefined,
});

function readChange([path, value]: readonly [string, unknown]): Array<[RepoPath, PathChange]> {
  const parsed = parseRepoPath(path);
  const [whole] = readPart(value);
  if (!parsed || !whole) return [];
  const { source: told, parts: list, unclaimed } = value as Record<string, unknown>;
  const source = told === 'bash' || told === 'scan' ? told : 'tool';
  const { before, after, isDoubtful, isMixed } = whole;
  const parts = Array.isArray(list) ? list.flatMap(readPart) : [];
  const more = {
    ...(isDoubtful && { isDoubtful }),
    ...(isMixed && { isMixed }),
    ...(unclaimed === true && { isUnclaimed: true }),
    ...(parts.length > 1 && { parts }),
  };
  return [[parsed, { before, after, source, ...more }]];
}

function readPart(value: unknown): ChangePart[] {
  if (!isObject(value)) return [];
  const after = parseFileState(value.after);
  const [before, isMixed] = [parseFileState(value.before), value.mixed === true];
  return after ? [{ before, after, isDoubtful: value.doubtful === true, ...(isMixed && { isMixed }) }] : [];
}
