import { describeError } from '../base/errors.ts';
import { parseSessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { plainLine } from '../base/text/lines.ts';
import { readObjects } from '../git/object/objects.ts';
import { partsOf, type SnapshotRecord } from '../snapshot/record/snapshot-record.ts';
import { listTurnRecords } from '../snapshot/record/turn-records.ts';
import { readBlob } from '../snapshot/store/chunks.ts';
import { listStores } from '../snapshot/store/collect.ts';
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
  fateOf(path: string, line: string): LineFate;
}

/** Turns of a session that are kept, the oldest first; the one that goes on among them. */
export type KeptOf = (sessionId: string) => readonly KeptLines[];

/** No text that anybody writes by hand is longer. */
const MAX_BYTES = 4 << 20;

/** {@link KeptOf} of a repository; read for each session when it is asked for first, and the contents of a file likewise. */
export function openKeptLines(work: Work): KeptOf {
  const known = new Map<string, readonly KeptLines[]>();
  const budget = newBudget();
  return (sessionId) => {
    const found = known.get(sessionId) ?? readKept(work, sessionId, budget);
    known.set(sessionId, found);
    return found;
  };
}

function readKept(work: Work, sessionId: string, budget: DiffBudget): KeptLines[] {
  const { commonDir, worktreeId } = work.repo;
  const id = parseSessionId(sessionId);
  const stores = id ? listStores(commonDir).filter((store) => store.id === id) : [];
  return stores.flatMap(({ name, store }): KeptLines[] => {
      const isHere = name === (worktreeId === '' ? id : `${id}@${worktreeId}`);
      try {
        const turns = [...listTurnRecords(store).map(toKept), ...openTurn(store)];
        return turns.map(({ items, subject, partsIn }, at) => ({
          ...{ items, subject },
          name: isHere ? `${id}:${at + 1}` : undefined,
          fateOf: openFates(work, store, partsIn, budget),
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

interface Turn extends Pick<KeptLines, 'items' | 'subject'> {
  readonly partsIn: (path: RepoPath) => readonly Made[];
}

const toKept = ({ transcript, subject, files }: SnapshotRecord): Turn => ({
  items: transcript.path === '' ? undefined : transcript.items,
  subject,
  partsIn: (path) => {
    const change = files.get(path);
    return change ? partsOf(change) : [];
  },
});

/** The turn that goes on, by what its hooks noted. */
function openTurn(store: string): Turn[] {
  const edits = readOpenEdits(store).filter(({ isLook }) => !isLook);
  if (edits.length === 0) return [];
  const items = readTurnBegin(store)?.transcript.items;
  return [{ items, subject: undefined, partsIn: (path) => edits.filter((edit) => edit.path === path) }];
}

/** Lines without what a formatter decides. */
interface Fates {
  readonly added: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}

function openFates(
  work: Work,
  store: string,
  partsIn: Turn['partsIn'],
  budget: DiffBudget,
): KeptLines['fateOf'] {
  const known = new Map<string, Fates>();
  return (path, line) => {
    const fates = known.get(path) ?? readFates(work, store, partsIn(path as RepoPath), budget);
    known.set(path, fates);
    const text = plainLine(line);
    if (fates.added.has(text)) return 'added';
    return fates.found.has(text) ? 'carried' : undefined;
  };
}

function readFates(work: Work, store: string, parts: readonly Made[], budget: DiffBudget): Fates {
  const [added, found] = [new Set<string>(), new Set<string>()];
  for (const part of parts) {
    const [before, after] = [part.before, part.after].map((state) => state && readText(work, store, state));
    if (before === undefined || after === undefined) continue;
    for (const line of before.split('\n')) found.add(plainLine(line));
    for (const line of addedLines(before, after, budget)) added.add(plainLine(line));
  }
  return { added, found };
}

function addedLines(before: string, after: string, budget: DiffBudget): string[] {
  const blocks = findBlocks(before, after, budget);
  if (blocks) return blocks.flatMap((block) => block.added);
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line));
}

/** `undefined` where the content is not kept. Line ends are those of the file, and count for nothing. */
function readText({ git }: Work, store: string, state: FileState): string | undefined {
  const bytes = readBytes(state);
  return bytes && bytes.length <= MAX_BYTES ? bytes.toString('utf8').replaceAll('\r\n', '\n') : undefined;

  function readBytes(of: FileState): Buffer | undefined {
    if (of.kind === 'missing') return Buffer.alloc(0);
    if (of.kind === 'git') return readObjects(git, [of.oid]).get(of.oid)?.data;
    if (of.kind !== 'file' || of.size > MAX_BYTES) return undefined;
    try {
      return readBlob(store, of.sha256);
    } catch {
      return undefined; // it was dropped, or is damaged: `entire verify` says so
    }
  }
}
