import { describeError } from '../base/errors.ts';
import { parseSessionId, type SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { plainLine, plainLines } from '../base/text/lines.ts';
import { partsOf, type SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { numberTurns } from '../snapshot/record/turn-records.ts';
import { listStores, type Store } from '../snapshot/store/collect.ts';
import type { FileState } from '../snapshot/store/file-state.ts';
import { type LedgerEdit, readClosedEdits, readOpenEdits } from '../snapshot/turn/ledger.ts';
import { readTurnBegin } from '../snapshot/turn/turn-begin.ts';
import { type DiffBudget, findBlocks, newBudget } from '../strategy/attribution/line-diff.ts';
import type { Work } from '../strategy/work.ts';
import { type Blobs, type MayHold, openBlobs, openSearch, readText } from './kept-contents.ts';

/** What a turn did with a line of a file: it brought it, or found it there and left it. */
export type LineFate = 'added' | 'carried' | undefined;

/** How a turn met a line first, as far as its hooks tell: one of its tools put it into the file, or it came there in another way. */
export interface FirstMet {
  readonly how: 'put' | 'put-by-sub-agent' | 'found' | 'untold';
  /** When the hook told of it, in milliseconds since 1970. */
  readonly atMs: number;
}

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
  /** How it met a line of a file first; `undefined` where no hook told of it. */
  meets(path: string, line: string): FirstMet | undefined;
  /** Whether it can have brought a line into a file: not where that has not even a word of it. */
  canHaveAdded(path: string, line: string): boolean;
}

/** Turns of a session that are kept, the oldest first; the one that goes on among them. */
export type KeptOf = (sessionId: string) => readonly KeptLines[];

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
      const kept = turns.map(({ number, record }) => ({ ...toKept(store, record), number }));
      const open = openTurn(store).map((turn) => ({ ...turn, number: next }));
      return [...kept, ...open].map(({ partsIn, notedIn, number, ...turn }) => ({
        ...turn,
        meets: openMeets(store, notedIn, shared),
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
  /** What hooks noted of a file, the oldest first. */
  readonly notedIn: (path: string) => readonly LedgerEdit[];
}

function toKept(
  store: string,
  { transcript, subject, at, files, isComplete, ledgers }: SnapshotRecord,
): Turn {
  const noted = once(() => readClosedEdits(store, ledgers));
  const leftAlone = (path: string) => isComplete && files.get(path as RepoPath)?.source === 'scan';
  return {
    items: transcript.path === '' ? undefined : transcript.items,
    ...{ subject, leftAlone },
    endedMs: Date.parse(at),
    notedIn: (path) => noted().filter((edit) => edit.path === path),
    partsIn: (path) => {
      const change = files.get(path);
      return change && !leftAlone(path) ? partsOf(change) : [];
    },
  };
}

/** The turn that goes on, by what its hooks noted. */
function openTurn(store: string): Turn[] {
  const noted = readOpenEdits(store);
  const edits = noted.filter(({ isLook }) => !isLook);
  if (edits.length === 0) return [];
  const items = readTurnBegin(store)?.transcript.items;
  const partsIn = (path: RepoPath) => edits.filter((edit) => edit.path === path);
  const notedIn = (path: string) => noted.filter((edit) => edit.path === path);
  const endedMs = Number.POSITIVE_INFINITY;
  return [{ items, subject: undefined, endedMs, partsIn, notedIn, leftAlone: () => false }];
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

/** A line that stands in what an edit found is no work of that, and of what a command made nobody says whose it is. */
function openMeets(store: string, notedIn: Turn['notedIn'], { git }: Shared): KeptLines['meets'] {
  const known = new Map<string, ReadonlyMap<string, FirstMet>>();
  const read = (path: string): ReadonlyMap<string, FirstMet> => {
    const first = new Map<string, FirstMet>();
    for (const { at, before, after, source, agentId } of notedIn(path)) {
      const note = (state: FileState | undefined, how: FirstMet['how']): boolean => {
        const text = state && readText(git, store, state);
        const met = { how, atMs: Date.parse(at) };
        for (const line of plainLines(text ?? '')) if (!first.has(line)) first.set(line, met);
        return text !== undefined;
      };
      const isTold = note(before, 'found');
      const put = agentId === undefined ? 'put' : 'put-by-sub-agent';
      note(after, source === 'bash' ? 'found' : isTold ? put : 'untold');
    }
    return first;
  };
  return (path, line) => {
    const first = known.get(path) ?? read(path);
    known.set(path, first);
    return first.get(plainLine(line));
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
