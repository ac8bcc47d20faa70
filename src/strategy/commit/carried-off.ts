import { describeError } from '../../base/errors.ts';
import { isChangedAfter } from '../../base/file/change-time.ts';
import { lstatInWorktree } from '../../base/file/disk.ts';
import { readWorktreeBytes, SMALL_FILES } from '../../base/file/small-file.ts';
import { sha256Of } from '../../base/hash.ts';
import type { CheckpointId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, isImport, plainLine, plainLines } from '../../base/text/lines.ts';
import { readSlotMetadata } from '../../checkpoint/committed.ts';
import type { PathChange, PathChanges } from '../../git/commit/commits.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { storeOf } from '../../snapshot/place.ts';
import { listRecordIds, readRecordIfSound, recordMs } from '../../snapshot/record/record.ts';
import type { FileState } from '../../snapshot/store/file-state.ts';
import { readLast } from '../../snapshot/undo/taken-back.ts';
import { isBinary } from '../attribution/texts.ts';
import { openKeptWork } from '../kept-work.ts';
import type { Participant, Touched } from '../sessions.ts';
import { readKept } from '../versions.ts';
import type { Work } from '../work.ts';
import type { ReadBefore } from './before.ts';
import type { BlobTexts, ByteBudget, ReadBudgets, ReadText } from './blob-text.ts';
import { sharesPair } from './overlap.ts';

/** Where there are more pairs of a file that lost something and one that a commit changes, none is looked at. */
const MAX_PAIRS = 100;

interface CarriedOff {
  readonly touched: Pick<Touched, 'all'>;
  readonly changes: PathChanges;
  readonly readText: BlobTexts;
  readonly bytes: ReadBudgets;
  readonly readBefore: ReadBefore;
  /** The checkpoint of the commit before, where it holds work of the session: the file may have been committed first, without the lines. */
  readonly before: () => CheckpointId | undefined;
}

/** A file that the session left, and that has less now. */
interface Source {
  readonly path: RepoPath;
  readonly isGone: boolean;
  /** Lines that the session left there, blank ones left out. */
  readonly lines: readonly string[];
  /** Those that tell something, and are there no more. */
  readonly lost: ReadonlySet<string>;
}

/** A file of a commit, and what it may have of a source. */
interface Fit {
  readonly path: RepoPath;
  readonly lines: readonly string[];
  readonly source: Source;
  readonly carried: ReadonlySet<string>;
}

/**
 * Files of a commit that hold lines which the session wrote into another one, where they are no more: somebody carried them there before they
 * were committed. One line alone proves nothing, nor do imports: another file has the same ones. Nor do lines that the commit only moves:
 * they are not of the session, which may have copied them.
 *
 * Each commit costs a look at the newest verdict, the newest records and the sizes of the session's files, and of those touched since at what
 * they have; where one is another or gone, what the commit changes is read, once for all sessions of a hook; and only where two lines of a file
 * fit, what HEAD has of it, what each turn wrote, and what the checkpoint before holds of the session.
 *
 * @returns each with the file that it had most of, where that is gone
 */
export function findCarriedOff(
  work: Work,
  session: Participant,
  { touched, changes, readText: texts, bytes, readBefore, before }: CarriedOff,
): Map<RepoPath, RepoPath | undefined> {
  const own = new Set(touched.all);
  const asked = [...changes].filter(([path, { after }]) => after && !own.has(path));
  if (session.isVisitor || asked.length === 0) return new Map();
  const left = new Set([...own, ...(before() ? lastWritten(work, session) : [])]);
  if (left.size === 0) return new Map();
  const sources = findSources(work, session, left, { asked: asked.length, budget: bytes.other });
  if (sources.length === 0) return new Map();
  const read = texts.readAhead([entriesOf(asked)], bytes.other);
  const settled = once(() => filesIn(work, before(), session));
  const all = fitsOf(sources, asked, read).filter(
    ({ source: { path } }) => own.has(path) || settled().includes(path),
  );
  if (all.length === 0) return new Map();
  const moved = linesBefore(changes, (entries) => texts.readAhead([entries], bytes.other), asked, read);
  const fits = all.flatMap((fit) => {
    const carried = new Set([...fit.carried].filter((line) => !moved.has(line)));
    return carried.size > 1 ? { ...fit, carried } : [];
  });
  if (fits.length === 0) return new Map();
  const isWork = openIsWork(work, session, [...new Set(fits.map(({ source }) => source.path))], readBefore);
  const held = fits.flatMap(({ path, lines, source, carried }) => {
    const isOwn = (line: string): boolean => isWork(source.path, line);
    const proved = new Set([...carried].filter(isOwn));
    if (proved.size < 2) return [];
    const isMost = proved.size * 2 > [...source.lost].filter(isOwn).length;
    if (!isMost && !sharesPair(source.lines, lines, (line) => proved.has(line))) return [];
    return [[path, isMost && source.isGone ? source.path : undefined] as const];
  });
  return new Map(held);
}

/** The files of its last turn; none, where these are too many to look at. */
function lastWritten({ repo }: Work, { sessionId }: Participant): RepoPath[] {
  const store = storeOf(repo, sessionId);
  const id = listRecordIds(store).at(-1);
  const paths = [...((id && readRecordIfSound(store, id)?.files.keys()) || [])];
  return paths.length > MAX_PAIRS ? [] : paths;
}

/** Files of a session that a checkpoint holds; none of one that cannot be read. */
function filesIn({ git }: Work, id: CheckpointId | undefined, { sessionId }: Participant): string[] {
  try {
    const slots = id ? readSlotMetadata(git, id) : [];
    return slots.flatMap((slot) => (slot.sessionId === sessionId ? slot.filesTouched : []));
  } catch (error) {
    log('warn', 'the checkpoint before not read', { checkpoint: id, error: describeError(error) });
    return [];
  }
}

type Asked = readonly [RepoPath, PathChange];

const entriesOf = (asked: readonly Asked[]): Array<TreeEntry | undefined> =>
  asked.flatMap(([, { before, after }]) => [before, after]);

const linesOf = (entry: TreeEntry | undefined, readText: ReadText): string[] =>
  plainLines((entry && readText(entry, 'latin1')) ?? '');

function fitsOf(sources: readonly Source[], asked: readonly Asked[], readText: ReadText): Fit[] {
  return asked.flatMap(([path, { before, after }]) => {
    if (before && readText(before) === undefined) return []; // what is new there is not known
    const known = new Set(linesOf(before, readText));
    const lines = linesOf(after, readText);
    return sources.flatMap((source) => {
      const carried = new Set(lines.filter((line) => source.lost.has(line) && !known.has(line)));
      return carried.size > 1 ? { path, lines, source, carried } : [];
    });
  });
}

/** Lines that files had which a commit changes or takes away. */
function linesBefore(
  changes: PathChanges,
  readMore: (entries: Array<TreeEntry | undefined>) => ReadText,
  asked: readonly Asked[],
  read: ReadText,
): ReadonlySet<string> {
  const isAsked = new Set(asked.map(([path]) => path));
  const others = [...changes].flatMap(([path, { before }]) => (isAsked.has(path) ? [] : before));
  const readOther = readMore(others);
  return new Set([
    ...asked.flatMap(([, { before }]) => linesOf(before, read)),
    ...others.flatMap((before) => linesOf(before, readOther)),
  ]);
}

/** Files of the session that have less than it left there. Of those that are gone none, where there is too much of them. */
function findSources(
  { repo }: Work,
  { sessionId }: Participant,
  own: ReadonlySet<RepoPath>,
  { asked, budget }: { readonly asked: number; readonly budget: ByteBudget },
): Source[] {
  const root = repo.worktreeRoot;
  const store = storeOf(repo, sessionId);
  const all = [...readLast(store, own)].flatMap(([path, { id, after, isTakenBack }]) => {
    if (isTakenBack || after?.kind !== 'file') return [];
    const stat = lstatInWorktree(root, path);
    const isSame = (): boolean => {
      // Of the same size as it was left: only what was touched since is read.
      if (stat?.size !== after.size) return false;
      if (!isChangedAfter(root, path, recordMs(id)) || after.size > budget.left) return true;
      budget.left -= after.size;
      const bytes = readWorktreeBytes(root, path, 'work');
      return !bytes || sha256Of(bytes) === after.sha256;
    };
    const isOther = !stat || (stat.isFile() && stat.size <= SMALL_FILES.work && !isSame());
    return isOther ? { root, store, path, after, isGone: !stat } : [];
  });
  const bytesOf = (files: readonly Left[]): number => files.reduce((sum, { after }) => sum + after.size, 0);
  const isFew = (files: readonly Left[]): boolean =>
    files.length * asked <= MAX_PAIRS && bytesOf(files) <= budget.left;
  const files = [all, all.filter(({ isGone }) => !isGone)].find(isFew) ?? [];
  budget.left -= bytesOf(files);
  return files.flatMap((file) => readSource(file) ?? []);
}

interface Left {
  readonly root: string;
  readonly store: string;
  readonly path: RepoPath;
  /** What the session left there. */
  readonly after: Extract<FileState, { kind: 'file' }>;
  readonly isGone: boolean;
}

/** `undefined` where it lost nothing that tells something. Latin-1 throughout, so that each byte is a character. */
function readSource({ root, store, path, after, isGone }: Left): Source | undefined {
  const bytes = readKept(store, after);
  if (!bytes || isBinary(bytes)) return undefined;
  const text = bytes.toString('latin1');
  const now = isGone ? undefined : readWorktreeBytes(root, path, 'work');
  const there = new Set(plainLines(now?.toString('latin1') ?? ''));
  const telling = text.split('\n').filter((line) => isDistinctive(line) && !isImport(line));
  const lost = new Set(telling.map(plainLine).filter((line) => !there.has(line)));
  return lost.size > 1 ? { path, isGone, lines: plainLines(text), lost } : undefined;
}

/** Tells of a line whether the session wrote it, and the commit before this one has it not: to move such a one is to bring nothing. */
function openIsWork(
  work: Work,
  session: Participant,
  paths: readonly RepoPath[],
  readBefore: ReadBefore,
): (path: RepoPath, line: string) => boolean {
  const entryOf = readBefore(paths);
  const { versions, wrote } = openKeptWork(work, session, paths, paths.map(entryOf));
  return (path, line) =>
    versions.ofEntry(entryOf(path))?.lines?.has(line) === false && wrote(path, [line]) === true;
}
