import type { ObjectId } from '../base/ids.ts';
import { type BlamedLine, blameAside, readLine } from '../git/commit/blame.ts';
import { type LineSource, readLineSources } from '../git/commit/line-sources.ts';
import { type Git, gitText } from '../git/run.ts';
import type { Work } from '../strategy/work.ts';
import { joinCarried, LINEAGE } from './blame.ts';
import { rememberCommits } from './blamed-commits.ts';
import type { AddedOrigin, LinesQuestion } from './commit-lines.ts';
import { openContexts } from './context.ts';
import { openCopies } from './copied-lines.ts';
import { openKeptLines } from './kept-lines.ts';
import { judgeLineage } from './lineage.ts';
import type { LeftInFile, Survivor } from './survivors.ts';

/** Commits, and where they begin and end. */
export interface Stretch {
  readonly tip: ObjectId;
  /** What it begins behind. */
  readonly notBefore: readonly ObjectId[];
  readonly commits: ReadonlySet<string | undefined>;
}

/** What is asked of lines. */
type Judging = Pick<LinesQuestion, 'isOn' | 'believesGitAi'>;

/** A file of which it is asked where its lines were copied and moved from costs one; one that a commit made, in which any file may be copied, more. */
const MAX_COST = 120;
const FILES_FOR_ONE = 200;
/** So many files are judged at once. */
const AT_ONCE = 20;

/**
 * Says of lines that are left of a range whose they are, as `entire blame` does of their file at its end; `undefined` for those of further files
 * than can be waited for, and of files in which nothing is on record. Files that were there before come first.
 *
 * @param isNew whether a commit of the range made it
 */
export async function* judgeSurvivors<A>(
  work: Work,
  files: readonly LeftInFile<A>[],
  stretch: Stretch & {
    readonly isNew: (path: string) => boolean;
    readonly isTold: (line: Survivor<A>) => boolean;
  },
  judging: Judging,
): AsyncGenerator<Survivor<A> & { readonly origin: AddedOrigin | undefined }> {
  const made = files.filter(({ path }) => stretch.isNew(path));
  const others = files.filter(({ path }) => !stretch.isNew(path));
  const each =
    made.length === 0 ? 1 : Math.max(1, Math.ceil(countFiles(work.git, stretch.tip) / FILES_FOR_ONE));
  const some = others.slice(0, MAX_COST);
  const chosen = [...some, ...made.slice(0, Math.floor((MAX_COST - some.length) / each))];
  const judged = chosen.filter(({ lines }) => lines.some(stretch.isTold));
  const judge = openFilesAtEnd(work, stretch, judging);
  for (let at = 0; at < judged.length; at += AT_ONCE) {
    const batch = judged.slice(at, at + AT_ONCE);
    const told = await judge(batch.map(({ path }) => path));
    for (const [file, { lines }] of batch.entries())
      for (const one of lines) yield { ...one, origin: told[file]?.[one.atEnd - 1] };
  }
  const done = new Set(judged);
  for (const file of files.filter((one) => !done.has(one)))
    for (const one of file.lines) yield { ...one, origin: undefined };
}

const countFiles = (git: Git, tip: ObjectId): number =>
  gitText(git, ['ls-tree', '-r', '-z', '--name-only', tip]).split('\0').length;

/**
 * Judges whole files, for the lines that commits of a range brought. Git follows text that was copied or moved, which is what takes long,
 * through the range, and behind it only for lines that lead there. Two processes for each file, and some for all.
 */
function openFilesAtEnd(
  work: Work,
  stretch: Stretch,
  judging: Judging,
): (paths: readonly string[]) => Promise<readonly (readonly AddedOrigin[])[]> {
  const { tip, notBefore } = stretch;
  const commitsOf = rememberCommits(work.git);
  const contexts = openContexts(work, openKeptLines(work));
  const readFile = async (path: string): Promise<readonly BlamedLine[]> => {
    const asked = { path, revision: tip, range: undefined };
    const following = blameAside(work.git, { ...asked, ...LINEAGE, notBefore });
    const plain = (await blameAside(work.git, asked)()).map(readLine);
    const followed = followOn(work.git, path, stretch, plain, (await following()).map(readLine));
    // Only lines of the range are asked about: where others come from is no matter.
    const isAsked = (_: BlamedLine, at: number) => stretch.commits.has(plain[at]?.commit);
    return joinCarried(plain, await openCopies(work, LINEAGE).follow(followed, isAsked));
  };
  return async (paths) => {
    const files: (readonly BlamedLine[])[] = [];
    for (let at = 0; at < paths.length; at += SIDE_BY_SIDE)
      files.push(...(await Promise.all(paths.slice(at, at + SIDE_BY_SIDE).map(readFile))));
    const asked = { ...judging, revision: tip, commitsOf, contexts, findsPutBack: true };
    const origins = await judgeLineage(work, files.flat(), {
      ...asked,
      files: files.map((lines, at) => ({
        lines,
        names: [paths[at] as string, ...lines.map(({ path }) => path)],
      })),
    });
    let next = 0;
    return files.map((lines) => {
      next += lines.length;
      return origins.slice(next - lines.length, next);
    });
  };
}

/** Files that git is asked about at the same time. */
const SIDE_BY_SIDE = 3;

/** Where git stopped at the beginning of the range: a line of the range is followed further, and any other is where it is without that. */
function followOn(
  git: Git,
  path: string,
  { tip, commits }: Stretch,
  plain: readonly BlamedLine[],
  followed: readonly BlamedLine[],
): readonly BlamedLine[] {
  const isOpen = (at: number) => commits.has(plain[at]?.commit) && !commits.has(followed[at]?.commit);
  const lines = followed.flatMap(({ line }, at) => (isOpen(at) ? line : []));
  const question = { revision: tip, path, lines, follows: LINEAGE.findsMoved };
  const further = lines.length > 0 ? readLineSources(git, question) : undefined;
  return followed.map((line, at) => {
    const own = plain[at];
    if (own && !commits.has(own.commit)) return own;
    const from = isOpen(at) ? further?.get(line.line) : undefined;
    return from ? sourceOf(line, from) : line;
  });
}

/** What was in front of the commit there is not known. */
const sourceOf = ({ line, text }: BlamedLine, from: LineSource): BlamedLine => ({
  ...{ line, text, commit: from.commit, path: from.path, original: from.line },
});
