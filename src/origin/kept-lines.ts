import { describeError } from '../base/errors.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { plainLine, plainLines } from '../base/text/lines.ts';
import { readObjects } from '../git/object/objects.ts';
import { partsOf, type SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { numberTurns } from '../snapshot/record/turn-records.ts';
import { openUnchecked, readBlob } from '../snapshot/store/chunks.ts';
import { listStores, type Store } from '../snapshot/store/collect.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { readOpenEdits } from '../snapshot/turn/ledger.ts';
import { readTurnBegin } from '../snapshot/turn/turn-begin.ts';
import { type DiffBudget, findBlocks, newBudget } from '../strategy/attribution/line-diff.ts';
import type { Work } from '../strategy/work.ts';

/** What a turn did with a line of a file: it brought it, or found it there and left it. */
export type LineFate = 'added' | 'carried' | undefined;

/** A turn of which the contents of files are kept. */
export interface KeptLines {
  /** As other commands take it, `<session>:<n>`; `undefined` for one of another worktree. */
  readonly name: string | undefined;
  /** Items of the transcript when it began; `undefined` where that is not known. */
  readonly items: number | undefined;
  /** What it is known by, made of its last prompt; `undefined` while it goes on. */
  readonly subject: string | undefined;
  /** When it was over, in milliseconds since 1970; infinite while it goes on. */
  readonly endedMs: number;
  /** That these files will be asked about: what git has of them is read in one go. */
  expect(paths: readonly string[]): void;
  fateOf(path: string, line: string): LineFate;
  /** Whether it only found the file changed, with all on record that its agent did: by somebody else. */
  leftAlone(path: string): boolean;
  /** The lines that it brought into a file, without what a formatter decides. */
  addedTo(path: string): ReadonlySet<string>;
  /** Whether it can have brought a line into a file: not where that has not even a word of it. */
  canHaveAdded(path: string, line: string): boolean;
}

/** Turns of a session that are kept, the oldest first; the one that goes on among them. */
export type KeptOf = (sessionId: string) => readonly KeptLines[];

/** No text that anybody writes by hand is longer. */
const MAX_BYTES = 4 << 20;

/** {@link KeptOf} of a repository; read for each session when it is asked for first, and the contents of a file likewise. */
export function openKeptLines(work: Work): KeptOf {
  const known = new Map<string, readonly KeptLines[]>();
  const stores = once(() => listStores(work.repo.commonDir));
  const shared: Shared = {
    ...{ git: openBlobs(work), budget: newBudget(), mayHold: openSearch() },
    storesOf: (id) => stores().filter((store) => store.id === id),
  };
  return (sessionId) => {
    const found = known.get(sessionId) ?? readKept(work, sessionId, shared);
    known.set(sessionId, found);
    return found;
  };
}

/** What is read, and compared, for all turns together. */
interface Shared {
  readonly git: Blobs;
  readonly budget: DiffBudget;
  readonly mayHold: MayHold;
  storesOf(id: SessionId): readonly Store[];
}

function readKept(work: Work, sessionId: string, shared: Shared): KeptLines[] {
  const { worktreeId } = work.repo;
  const id = parseSessionId(sessionId);
  const stores = id ? shared.storesOf(id) : [];
  return stores.flatMap(({ name, store }): KeptLines[] => {
    const isHere = name === (worktreeId === '' ? id : `${id}@${worktreeId}`);
    try {
      const { turns, next } = numberTurns(store);
      const kept = turns.map(({ number, record }) => ({ ...toKept(record), number }));
      const open = openTurn(store).map((turn) => ({ ...turn, number: next }));
      return [...kept, ...open].map(({ partsIn, number, ...turn }) => ({
        ...turn,
        name: isHere ? `${id}:${number}` : undefined,
        expect: (paths) => paths.flatMap((path) => partsIn(path as RepoPath)).forEach(shared.git.expect),
        ...openFates(store, partsIn, shared),
      }));
    } catch (error) {
      log('warn', 'kept turns passed over', { store, error: describeError(error) });
      return [];
    }
  });
}

/** What was made of a file, with nobody else's work in between. */
interface Made {
  readonly before: FileState | undefined;
  readonly after: FileState;
}

interface Turn extends Pick<KeptLines, 'items' | 'subject' | 'endedMs' | 'leftAlone'> {
  readonly partsIn: (path: RepoPath) => readonly Made[];
}

function toKept({ transcript, subject, at, files, isComplete }: SnapshotRecord): Turn {
  const leftAlone = (path: string) => isComplete && files.get(path as RepoPath)?.source === 'scan';
  return {
    items: transcript.path === '' ? undefined : transcript.items,
    ...{ subject, leftAlone },
    endedMs: Date.parse(at),
    partsIn: (path) => {
      const change = files.get(path);
      return change && !leftAlone(path) ? partsOf(change) : [];
    },
  };
}

/** The turn that goes on, by what its hooks noted. */
function openTurn(store: string): Turn[] {
  const edits = readOpenEdits(store).filter(({ isLook }) => !isLook);
  if (edits.length === 0) return [];
  const items = readTurnBegin(store)?.transcript.items;
  const partsIn = (path: RepoPath) => edits.filter((edit) => edit.path === path);
  const endedMs = Number.POSITIVE_INFINITY;
  return [{ items, subject: undefined, endedMs, partsIn, leftAlone: () => false }];
}

/** Lines without what a formatter decides. */
interface Fates {
  readonly added: ReadonlySet<string>;
  /** All that stood in the file: of many turns that is much, and few lines are asked about. */
  found(): ReadonlySet<string>;
}

function openFates(
  store: string,
  partsIn: Turn['partsIn'],
  shared: Shared,
): Pick<KeptLines, 'fateOf' | 'addedTo' | 'canHaveAdded'> {
  const known = new Map<string, Fates>();
  const fatesIn = (path: string): Fates => {
    const fates = known.get(path) ?? readFates(store, partsIn(path as RepoPath), shared);
    known.set(path, fates);
    return fates;
  };
  return {
    fateOf: (path, line) => {
      const fates = fatesIn(path);
      const text = plainLine(line);
      if (fates.added.has(text)) return 'added';
      return fates.found().has(text) ? 'carried' : undefined;
    },
    addedTo: (path) => fatesIn(path).added,
    canHaveAdded: (path, line) => {
      const word = longestWord(line);
      return (
        known.has(path) ||
        word === '' ||
        partsIn(path as RepoPath).some(({ after }) => shared.mayHold(store, after, word))
      );
    },
  };
}

/** What no formatter takes apart; empty where a line has none. */
const longestWord = (line: string): string =>
  (line.match(/[A-Za-z0-9_]{4,}/g) ?? []).reduce(
    (longest, word) => (word.length > longest.length ? word : longest),
    '',
  );

function readFates(store: string, parts: readonly Made[], { git, budget }: Shared): Fates {
  const readBoth = ({ before, after }: Made): readonly [string, string] | undefined => {
    const [old, now] = [before, after].map((state) => state && readText(git, store, state));
    return old === undefined || now === undefined ? undefined : [old, now];
  };
  const added = parts.flatMap((part) => {
    const texts = readBoth(part);
    return texts ? addedLines(...texts, budget) : [];
  });
  let found: ReadonlySet<string> | undefined;
  return {
    added: new Set(added.map(plainLine)),
    found: () => {
      found ??= new Set(parts.flatMap((part) => plainLines(readBoth(part)?.[0] ?? '')));
      return found;
    },
  };
}

function addedLines(before: string, after: string, budget: DiffBudget): string[] {
  const blocks = findBlocks(before, after, budget);
  if (blocks) return blocks.flatMap((block) => block.added);
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line));
}

/** `undefined` where the content is not kept. Line ends are those of the file, and count for nothing. */
function readText(git: Blobs, store: string, state: FileState): string | undefined {
  const bytes = readBytes(git, store, state);
  return bytes && bytes.length <= MAX_BYTES ? bytes.toString('utf8').replaceAll('\r\n', '\n') : undefined;
}

function readBytes(git: Blobs, store: string, state: FileState): Buffer | undefined {
  if (state.kind === 'missing') return Buffer.alloc(0);
  if (state.kind === 'git') return git.read(state.oid);
  if (state.kind !== 'file' || state.size > MAX_BYTES) return undefined;
  try {
    return readBlob(store, state.sha256);
  } catch {
    return undefined; // it was dropped, or is damaged: `entire verify` says so
  }
}

/** Whether a word can stand in a content: one that is damaged has none, and git is not asked. */
type MayHold = (store: string, state: FileState, word: string) => boolean;
/** The content that was looked into last is held: lines of a commit are asked about one after the other. */
function openSearch(): MayHold {
  let last: { readonly key: string; readonly bytes: Buffer | undefined } | undefined;
  let room = Buffer.alloc(0);
  const makeRoom = (size: number): Buffer => {
    if (room.length < size) room = Buffer.alloc(2 * size);
    return room.subarray(0, size);
  };
  const read = openUnchecked(makeRoom);
  return (store, state, word) => {
    if (state.kind === 'missing') return false;
    if (state.kind !== 'file' || state.size > MAX_BYTES) return state.kind === 'git';
    const key = `${store}\0${state.sha256}`;
    if (last?.key !== key) last = { key, bytes: read(store, state.sha256) };
    return last.bytes?.includes(word) ?? false;
  };
}

/** Blobs that the repository has. */
interface Blobs {
  expect(made: Made): void;
  read(oid: string): Buffer | undefined;
}

/** So many are read at once, and so many bytes of them are held. */
const AT_ONCE = 32;
const HELD_BYTES = 64 << 20;

/** Whatever is asked for first, all that is expected is read along with it, as far as it can be held: in which order it is asked for is not known. */
function openBlobs({ git }: Work): Blobs {
  const expected = new Set<string>();
  /** The one that was read first goes first. */
  const held = new Map<string, Buffer | undefined>();
  let size = 0;
  const readSome = (oids: readonly string[]): void => {
    const found = readObjects(git, oids);
    for (const oid of oids) {
      const data = found.get(oid)?.data;
      expected.delete(oid);
      held.set(oid, data);
      size += data?.length ?? 0;
    }
  };
  const makeRoom = (): void => {
    for (const [oid, data] of held) {
      if (size <= HELD_BYTES) return;
      held.delete(oid);
      size -= data?.length ?? 0;
    }
  };
  return {
    expect({ before, after }) {
      for (const state of [before, after])
        if (state?.kind === 'git' && !held.has(state.oid)) expected.add(state.oid);
    },
    read(oid) {
      if (held.has(oid)) return held.get(oid);
      makeRoom();
      readSome([...new Set([oid, ...expected])].slice(0, AT_ONCE));
      while (expected.size > 0 && size < HELD_BYTES) readSome([...expected].slice(0, AT_ONCE));
      return held.get(oid);
    },
  };
}
