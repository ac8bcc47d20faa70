import { join } from 'node:path';
import { now } from '../../base/clock.ts';
import { errnoOf } from '../../base/errors.ts';
import { disk, listNames } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { newId } from '../../base/ids.ts';
import { parseRepoPath, type RepoPath } from '../../base/repo-path.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import { type FileState, isDigest, parseFileState } from '../store/file-state.ts';
import { openLedger } from './record-edit.ts';

/** One edit, as its hook noted it. */
export interface LedgerEdit {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly path: RepoPath;
  /** `undefined` where the client did not say. */
  readonly before: FileState | undefined;
  /** `before` has the bytes of the file; otherwise it is a text that the client told. */
  readonly isExact: boolean;
  readonly after: FileState;
  /** Digest of the content that says what it replaced; `undefined` where the client did not say. */
  readonly replaced: string | undefined;
  /** Where it moved the file. */
  readonly movedTo: RepoPath | undefined;
  /** How many shell commands of the agent were over by then, in the ledgers of the turn. */
  readonly shells: number;
  readonly tool: string;
  readonly agentId: string | undefined;
  readonly source: 'tool' | 'bash';
  /** What the path was when a shell command was over, and not what was there before: no edit that anybody reported. */
  readonly isLook: boolean;
}

/** Ledgers taken over, and what they say. */
export interface LedgerClaim {
  readonly edits: readonly LedgerEdit[];
  /** How many shell commands they tell of. */
  readonly shells: number;
  /** Their names; the record that is made of them names them. */
  readonly ledgers: readonly string[];
  /** Puts them with those that records were made of. Only after the record is written. */
  close(): void;
}

/** Name of a ledger that was taken over. */
const CLAIMED = /^edits-\d{13}-[0-9a-f]{12}\.jsonl$/;

/** Where the ledgers lie that records were made of. */
export const ledgersDir = (store: string): string => join(store, 'edits');

/**
 * Takes over everything noted so far, together with what a crash left: later edits are noted in a new file. Only under the
 * session's lock.
 *
 * @param closed ledgers that the newest record was made of: a process died before it put them away
 */
export function claimLedger(store: string, closed: () => readonly string[]): LedgerClaim {
  // Behind those that a crash left, whatever the clock does: they are read in the order of their names.
  const last = listNames(store)
    .filter((name) => CLAIMED.test(name))
    .sort()
    .at(-1);
  const time = Math.max(now().getTime(), Number(last?.slice('edits-'.length, 'edits-'.length + 13) ?? 0) + 1);
  const fresh = `edits-${String(time).padStart(13, '0')}-${newId()}.jsonl`;
  try {
    if (disk.lstatSync(openLedger(store)).isFile()) disk.renameSync(openLedger(store), join(store, fresh));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  const claimed = listNames(store).filter((name) => CLAIMED.test(name));
  const isOver = new Set(claimed.some((name) => name !== fresh) ? closed() : []);
  const ledgers = claimed.filter((name) => !isOver.has(name)).sort();
  const noted = readLedgers(ledgers.map((name) => join(store, name)));
  return {
    ledgers,
    ...noted,
    close() {
      if (claimed.length > 0) disk.mkdirSync(ledgersDir(store), { recursive: true, mode: 0o750 });
      for (const name of claimed)
        if (noted.edits.length === 0 && ledgers.includes(name)) disk.rmSync(join(store, name));
        else disk.renameSync(join(store, name), join(ledgersDir(store), name));
    },
  };
}

/** What ledgers of one turn say, oldest first; lines that say nothing are passed over. */
function readLedgers(files: readonly string[]): Pick<LedgerClaim, 'edits' | 'shells'> {
  const edits: LedgerEdit[] = [];
  let shells = 0;
  for (const line of files.flatMap((file) => (readOwnText(file, 'list') ?? '').split('\n'))) {
    const value = parseJson(line);
    if (isObject(value) && value.shell === true) shells++;
    const edit = parseEdit(value, shells);
    if (edit) edits.push(edit);
  }
  return { edits, shells };
}

function parseEdit(value: unknown, shells: number): LedgerEdit | undefined {
  if (!isObject(value) || typeof value.path !== 'string') return undefined;
  const path = parseRepoPath(value.path);
  const after = parseFileState(value.after);
  if (!path || !after) return undefined;
  return {
    at: typeof value.at === 'string' ? value.at : '',
    path,
    before: parseFileState(value.before),
    isExact: value.exact === true,
    after,
    replaced: isDigest(value.replaced) ? value.replaced : undefined,
    movedTo: typeof value.moved_to === 'string' ? parseRepoPath(value.moved_to) : undefined,
    shells,
    tool: typeof value.tool === 'string' ? value.tool : '',
    agentId: typeof value.agent_id === 'string' ? value.agent_id : undefined,
    source: value.source === 'bash' ? 'bash' : 'tool',
    isLook: value.look === true,
  };
}

/** Whether something is noted that no turn was closed with yet. */
export const hasOpenEdits = (store: string): boolean =>
  disk.existsSync(openLedger(store)) || listNames(store).some((name) => CLAIMED.test(name));

/** What is noted and not yet part of a turn's record. Reads only. */
export const readOpenEdits = (store: string): readonly LedgerEdit[] => readOpenLedgers(store).edits;

/** What was noted of a turn that is over. Reads only. */
export function readClosedEdits(store: string, names: readonly string[]): readonly LedgerEdit[] {
  // A process that died may not have put them away.
  const places = names
    .filter((name) => CLAIMED.test(name))
    .map((name) => [ledgersDir(store), store].map((dir) => join(dir, name)));
  return readLedgers(places.flatMap((files) => files.find((file) => disk.existsSync(file)) ?? [])).edits;
}

/** As {@link readOpenEdits}, shell commands included. */
export function readOpenLedgers(store: string): Pick<LedgerClaim, 'edits' | 'shells'> {
  const claimed = listNames(store).filter((name) => CLAIMED.test(name));
  const files = [...claimed.map((name) => join(store, name)), openLedger(store)];
  return readLedgers(files.filter((file) => disk.existsSync(file)));
}
