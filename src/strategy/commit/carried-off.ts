import { lstatInWorktree } from '../../base/file/disk.ts';
import { readWorktreeText, SMALL_FILES } from '../../base/file/small-file.ts';
import { once } from '../../base/once.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import { isDistinctive, plainLines } from '../../base/text/lines.ts';
import type { PathChanges } from '../../git/commit/commits.ts';
import { readTree, type TreeEntry } from '../../git/object/objects.ts';
import { storeOf } from '../../snapshot/place.ts';
import { readLast } from '../../snapshot/undo/taken-back.ts';
import { openKeptWork } from '../kept-work.ts';
import type { Participant, Touched } from '../sessions.ts';
import type { Work } from '../work.ts';

/** Where there are more pairs of a file that lost something and one that a commit changes, none is looked at. */
const MAX_PAIRS = 100;

interface CarriedOff {
  readonly touched: Pick<Touched, 'all'>;
  readonly changes: PathChanges;
  readonly readText: (entry: TreeEntry) => string | undefined;
}

/**
 * Files of a commit that hold lines which the session wrote into another one, where they are no more: somebody carried them there before they
 * were committed. That one has another size than the session left it with: the usual commit costs a look at that.
 */
export function findCarriedOff(
  work: Work,
  session: Participant,
  { touched, changes, readText }: CarriedOff,
): RepoPath[] {
  const own = new Set(touched.all);
  const asked = [...changes].filter(([path, { after }]) => after && !own.has(path));
  if (session.isVisitor || own.size === 0 || asked.length === 0) return [];
  const root = work.repo.worktreeRoot;
  const left = readLast(storeOf(work.repo, session.sessionId), own);
  const lost = [...left].flatMap(([path, { after, isTakenBack }]) => {
    if (isTakenBack || after?.kind !== 'file') return [];
    const stat = lstatInWorktree(root, path);
    return stat?.isFile() && stat.size !== after.size && stat.size <= SMALL_FILES.work ? path : [];
  });
  if (lost.length === 0 || lost.length * asked.length > MAX_PAIRS) return [];
  const entries = asked.flatMap(([, { before, after }]) => [before, after]);
  const { versions, wrote } = openKeptWork(work, session, lost, entries);
  const sources = lost.map((path) => ({ path, known: once(() => readKnown(path)) }));
  /** What it still has, and what it had in the commit before this one: to move that is to bring nothing. */
  const readKnown = (path: RepoPath): ReadonlySet<string> => {
    const there = readWorktreeText(root, path, 'work') ?? '';
    const change = changes.get(path);
    const before = change ? change.before : readTree(work.git, 'HEAD', [path])?.get(path);
    const texts = [there, (before && readText(before)) ?? ''];
    return new Set(texts.flatMap((text) => plainLines(Buffer.from(text, 'utf8').toString('latin1'))));
  };
  return asked.flatMap(([path, { before, after }]) => {
    const [old, head] = [versions.ofEntry(before), versions.ofEntry(after)];
    const added = (old && head?.lines?.without(old))?.filter(isDistinctive) ?? [];
    const isHeld = sources.some((source) => {
      const carried = added.filter((line) => !source.known().has(line));
      return carried.length > 0 && wrote(source.path, carried) === true;
    });
    return isHeld ? path : [];
  });
}
