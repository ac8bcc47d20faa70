import { describeError } from '../base/errors.ts';
import type { ObjectId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import { spareMemory } from '../base/memory.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { Repo } from '../git/locate.ts';
import type { Aside, AsideFile } from '../git/object/aside.ts';
import { readObjects } from '../git/object/objects.ts';
import { findExisting } from '../git/object/sizes.ts';
import { readConfig } from '../git/ref/refs.ts';
import { type Attributes, readAttributes } from '../git/worktree/attributes.ts';
import { storeOf } from '../snapshot/place.ts';
import { type ChangePart, partsOf } from '../snapshot/record/snapshot-record.ts';
import { readBlob } from '../snapshot/store/chunks.ts';
import { canRun, type FileState } from '../snapshot/store/file-state.ts';
import type { KeptTurn } from './kept-turns.ts';

/** What a turn made of a file. */
export interface TurnFile {
  readonly path: RepoPath;
  readonly status: 'added' | 'modified' | 'deleted';
  /** Its versions, oldest first; several pairs where somebody else wrote in between. Empty where they cannot be shown. */
  readonly versions: readonly FileVersions[];
  /** Why it cannot be shown, or a part of it cannot; empty otherwise. */
  readonly unshown: string;
}

/** What is read of a turn. */
interface TurnFiles extends Pick<KeptTurn, 'session' | 'paths'> {
  readonly record: Pick<KeptTurn['record'], 'files'>;
}

/** `undefined`: there was no such file. */
export interface FileVersions {
  readonly before: AsideFile | undefined;
  readonly after: AsideFile | undefined;
}

/** More than this in one file is no text that anybody reads. */
const MAX_SHOWN_BYTES = 64 << 20;

const UNKNOWN_BEFORE = 'what it was before is not known';

/** Why a version of a file cannot be shown. */
class Unshown {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/**
 * The versions of the files of some turns, as git stores files, so that nothing but changes differs: what the worktree has in another
 * form (line ends, `working-tree-encoding`, LFS) is brought into that of the repository where the other version has it.
 */
export function readTurnContents(
  repo: Repo,
  aside: Aside,
  turns: readonly TurnFiles[],
  onProgress?: (done: number, total: number) => void,
): TurnFile[][] {
  const parts = turns.flatMap(({ record, paths }) =>
    [...paths].flatMap((path) => {
      const change = record.files.get(path);
      return change ? partsOf(change) : [];
    }),
  );
  const states = parts.flatMap(({ before, after }) => [...(before ? [before] : []), after]);
  const oids = states.flatMap((state) => (state.kind === 'git' ? [state.oid as ObjectId] : []));
  const all = [...new Set(turns.flatMap(({ paths }) => [...paths]))];
  const read: Reading = {
    aside,
    existing: findExisting(aside.git, [...new Set(oids)]),
    attributes: readAttributes(aside.git, [...CONVERTING, ...OF_LINE_ENDS], all),
    isAutomatic: /^(true|input|1|yes|on)$/i.test(
      readConfig(aside.git, '^core\\.autocrlf$').get('core.autocrlf') ?? '',
    ),
    filtered: new Map(),
  };
  const total = turns.reduce((sum, { paths }) => sum + paths.size, 0);
  let done = 0;
  return turns.map((turn) => {
    const store = storeOf(repo, turn.session);
    return [...turn.paths].toSorted().flatMap((path) => {
      spareMemory(done);
      onProgress?.(done++, total);
      const change = turn.record.files.get(path);
      return change ? toFile(read, store, path, partsOf(change)) : [];
    });
  });
}

/** Attributes by which the worktree has a file in another form, and those that are about its line ends alone. */
const CONVERTING = ['filter', 'ident', 'working-tree-encoding'] as const;
const OF_LINE_ENDS = ['text', 'eol', 'crlf'] as const;

interface Reading {
  readonly aside: Aside;
  /** Blobs that the repository still has. */
  readonly existing: ReadonlySet<ObjectId>;
  readonly attributes: ReadonlyMap<string, Attributes>;
  /** Line ends are converted wherever no attribute says otherwise. */
  readonly isAutomatic: boolean;
  /** Each takes a process: what one turn leaves another begins with. */
  readonly filtered: Map<string, ObjectId>;
}

function toFile(read: Reading, store: string, path: RepoPath, parts: readonly ChangePart[]): TurnFile {
  const versions: FileVersions[] = [];
  const unshown: string[] = [];
  for (const { before, after } of parts) {
    const pair = toVersions(read, store, path, before, after);
    if (pair instanceof Unshown) unshown.push(pair.why);
    else versions.push(pair);
  }
  const [first, last] = [parts[0]?.before, parts.at(-1)?.after];
  const status = last?.kind === 'missing' ? 'deleted' : first?.kind === 'missing' ? 'added' : 'modified';
  return { path, status, versions, unshown: unshown[0] ?? '' };
}

function toVersions(
  read: Reading,
  store: string,
  path: RepoPath,
  before: FileState | undefined,
  after: FileState,
): FileVersions | Unshown {
  if (before === undefined) return new Unshown(UNKNOWN_BEFORE);
  const [was, is] = [before, after].map((state) => readBytes(store, state)) as [Bytes, Bytes];
  if (was instanceof Unshown) return new Unshown(`what it was before ${was.why}`);
  if (is instanceof Unshown) return new Unshown(`what became of it ${is.why}`);
  for (const state of [before, after])
    if (state.kind === 'git' && !read.existing.has(state.oid as ObjectId))
      return new Unshown('git does not have one of its versions any more');
  const toSide = (state: FileState, bytes: Buffer | undefined, other: FileState) =>
    toEntry(read, path, state, bytes, other);
  return { before: toSide(before, was, after), after: toSide(after, is, before) };
}

/** The bytes that we keep; `undefined` where git has them, or there are none. */
type Bytes = Buffer | undefined | Unshown;

function readBytes(store: string, state: FileState): Bytes {
  switch (state.kind) {
    case 'missing':
    case 'git':
      return undefined;
    case 'unkept':
      return new Unshown('was too large to keep');
    case 'other':
      return new Unshown('was no file');
    default:
      if (state.kind === 'file' && state.size > MAX_SHOWN_BYTES) return new Unshown('is too large to show');
      try {
        return readBlob(store, state.sha256);
      } catch (error) {
        log('info', 'content of a turn not shown', { error: describeError(error) });
        return new Unshown('is not kept any more, or damaged');
      }
  }
}

function toEntry(
  read: Reading,
  path: RepoPath,
  state: FileState,
  bytes: Buffer | undefined,
  other: FileState,
): AsideFile | undefined {
  if (state.kind === 'git') return { path, mode: state.mode, oid: state.oid as ObjectId };
  if (bytes === undefined) return undefined;
  if (state.kind === 'link') return { path, mode: '120000', oid: read.aside.addBlob(bytes) };
  if (state.kind !== 'file') return undefined;
  const mode = canRun(state) ? '100755' : '100644';
  return { path, mode, oid: storeBytes(read, path, state, bytes, other) };
}

function storeBytes(read: Reading, path: RepoPath, state: Kept, bytes: Buffer, other: FileState): ObjectId {
  const { aside, filtered } = read;
  if (!isConverted(read, path, bytes, other)) return aside.addBlob(bytes);
  const key = `${state.sha256} ${path}`;
  try {
    const oid = filtered.get(key) ?? aside.addFiltered(path, bytes);
    filtered.set(key, oid);
    return oid;
  } catch (error) {
    log('info', 'content of a turn shown as it lay there', { error: describeError(error) });
    return aside.addBlob(bytes);
  }
}

function isConverted(
  { aside, attributes, isAutomatic }: Reading,
  path: RepoPath,
  bytes: Buffer,
  other: FileState,
): boolean {
  const own = attributes.get(path);
  const has = (names: readonly string[]): boolean => names.some((name) => own?.has(name));
  const isOfGit = other.kind === 'git' && other.mode !== '120000';
  // A program of the user's is run only where nothing else makes the two alike.
  if (own?.has('filter')) return isOfGit;
  if (has(CONVERTING)) return true;
  if (!bytes.includes('\r\n') || !(isAutomatic || has(OF_LINE_ENDS))) return false;
  return !(isOfGit && hasCarriage(aside, other.oid));
}

type Kept = Extract<FileState, { kind: 'file' }>;

/** Whether the file was committed with such line ends: git leaves those of it alone. */
const hasCarriage = ({ git }: Aside, oid: string): boolean =>
  readObjects(git, [oid]).get(oid)?.data.includes('\r\n') ?? false;
