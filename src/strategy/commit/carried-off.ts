import { lstatInWorktree } from '../../base/file/disk.ts';
import { readWorktreeText, SMALL_FILES } from '../../base/file/small-file.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, isImport, plainLine, plainLines } from '../../base/text/lines.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import { readTree } from '../../git/object/objects.ts';
import { storeOf } from '../../snapshot/place.ts';
import type { FileState } from '../../snapshot/store/file-state.ts';
import { readLast } from '../../snapshot/undo/taken-back.ts';
import { isBinary } from '../attribution/texts.ts';
import { openKeptWork } from '../kept-work.ts';
import type { Participant, Touched } from '../sessions.ts';
import { readKept } from '../versions.ts';
import type { Work } from '../work.ts';
import type { BlobTexts, ReadBudgets } from './blob-text.ts';
import { sharesPair } from './overlap.ts';

/** Where there are more pairs of a file that lost something and one that a commit changes, none is looked at. */
const MAX_PAIRS = 100;
/** Nor where the session left more than that in them. */
const MAX_LEFT_BYTES = 32 * 1024 * 1024;

interface CarriedOff {
  readonly touched: Pick<Touched, 'all'>;
  readonly changes: PathChanges;
  readonly readText: BlobTexts;
  readonly bytes: ReadBudgets;
}

/** A file that the session left, and that has less now. */
interface Source {
  readonly path: RepoPath;
  /** Lines that the session left there, blank ones left out. */
  readonly lines: readonly string[];
  /** Those that tell something, and are there no more. */
  readonly lost: ReadonlySet<string>;
}

/**
 * Files of a commit that hold lines which the session wrote into another one, where they are no more: somebody carried them there before they
 * were committed. One line alone proves nothing, nor do imports: another file has the same ones.
 *
 * The usual commit costs a look at the sizes of the session's files; where one has another size, what the commit changes is read, once for all
 * sessions of a hook; and only where two lines of a file fit, what HEAD has of it, and what each turn wrote.
 */
export function findCarriedOff(
  work: Work,
  session: Participant,
  { touched, changes, readText: texts, bytes: budgets }: CarriedOff,
): RepoPath[] {
  const own = new Set(touched.all);
  const asked = [...changes].filter(([path, { after }]) => after && !own.has(path));
  if (session.isVisitor || own.size === 0 || asked.length === 0) return [];
  const root = work.repo.worktreeRoot;
  const store = storeOf(work.repo, session.sessionId);
  const changed = [...readLast(store, own)].flatMap(([path, { after, isTakenBack }]) => {
    if (isTakenBack || after?.kind !== 'file') return [];
    const stat = lstatInWorktree(root, path);
    const hasOther = stat?.isFile() && stat.size !== after.size && stat.size <= SMALL_FILES.work;
    return hasOther ? { path, after } : [];
  });
  const bytes = changed.reduce((sum, { after }) => sum + after.size, 0);
  if (changed.length * asked.length > MAX_PAIRS || bytes > MAX_LEFT_BYTES) return [];
  const sources = changed.flatMap(({ path, after }) => readSource({ root, store, path, after }) ?? []);
  if (sources.length === 0) return [];
  const entries = asked.flatMap(([, { before, after }]) => [before, after]);
  const readText = texts.readAhead([entries], budgets.other);
  const fits = asked.flatMap(([path, { before, after }]) => {
    const [old, now] = [before, after].map((entry) => latin1((entry && readText(entry)) ?? ''));
    const known = new Set(plainLines(old as string));
    const lines = plainLines(now as string);
    return sources.flatMap((source) => {
      const carried = new Set(lines.filter((line) => source.lost.has(line) && !known.has(line)));
      return carried.size > 1 ? { path, lines, source, carried } : [];
    });
  });
  if (fits.length === 0) return [];
  const isWork = openIsWork(work, session, {
    paths: [...new Set(fits.map(({ source }) => source.path))],
    changes,
  });
  const held = fits.filter(({ lines, source, carried }) => {
    const isOwn = (line: string): boolean => isWork(source.path, line);
    const proved = new Set([...carried].filter(isOwn));
    return (
      proved.size > 1 &&
      (sharesPair(source.lines, lines, (line) => proved.has(line)) ||
        proved.size * 2 > [...source.lost].filter(isOwn).length)
    );
  });
  return [...new Set(held.map(({ path }) => path))];
}

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

interface Left {
  readonly root: string;
  readonly store: string;
  readonly path: RepoPath;
  /** What the session left there. */
  readonly after: FileState;
}

/** `undefined` where it lost nothing that tells something. */
function readSource({ root, store, path, after }: Left): Source | undefined {
  const bytes = readKept(store, after);
  if (!bytes || isBinary(bytes)) return undefined;
  const text = bytes.toString('latin1');
  const there = new Set(plainLines(latin1(readWorktreeText(root, path, 'work') ?? '')));
  const telling = text.split('\n').filter((line) => isDistinctive(line) && !isImport(line));
  const lost = new Set(telling.map(plainLine).filter((line) => !there.has(line)));
  return lost.size > 1 ? { path, lines: plainLines(text), lost } : undefined;
}

/** Tells of a line whether the session wrote it, and the commit before this one has it not: to move such a one is to bring nothing. */
function openIsWork(
  work: Work,
  session: Participant,
  { paths, changes }: { readonly paths: readonly RepoPath[]; readonly changes: PathChanges },
): (path: RepoPath, line: string) => boolean {
  const rest = paths.filter((path) => !changes.has(path));
  const head = rest.length > 0 ? readTree(work.git, 'HEAD', rest) : undefined;
  const entryOf = (path: RepoPath) => (changes.has(path) ? changes.get(path)?.before : head?.get(path));
  const { versions, wrote } = openKeptWork(work, session, paths, paths.map(entryOf));
  return (path, line) =>
    versions.ofEntry(entryOf(path))?.lines?.has(line) === false && wrote(path, [line]) === true;
}
