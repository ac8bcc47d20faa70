import { dirname, join } from 'node:path';
import { now } from '../../base/clock.ts';
import { EntireError } from '../../base/errors.ts';
import { disk, lstatIfExists } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { atOnce, type InLine } from '../in-line.ts';
import { locateRepo, physicalPath } from '../locate.ts';
import { readRef } from '../ref/refs.ts';
import { type Git, gitText, runGit } from '../run.ts';
import { runAside } from '../talk.ts';
import { withEmptyIndex, withPrivateIndex } from '../worktree/private-index.ts';
import { type PorcelainLine, parsePorcelain } from './blame-porcelain.ts';
import { quoteName } from './quoted-name.ts';

/** One line of a file, and the commit that brought it there. */
export interface BlamedLine {
  /** From 1, in the file as it is now. */
  readonly line: number;
  readonly text: string;
  /** `undefined`: not committed yet. */
  readonly commit: ObjectId | undefined;
  /** The file's name in that commit. */
  readonly path: string;
  /** From 1, in the file of that commit; where it is known. */
  readonly original?: number;
  /** Where git looked next: a parent of the commit, and the file's name there. */
  readonly previous?: LinePlace;
  /** The file had that name only before the commit was made: no commit has it by that. */
  readonly isBefore?: boolean;
}

/** A file in a commit, where a line is. */
export type LinePlace = Pick<BlamedLine, 'commit' | 'path'>;

/** How far git looks for where a line comes from; as the options of `git blame`. */
export interface BlameReach {
  /** `-w` */
  readonly ignoresSpace?: boolean;
  /** `-M`; so many letters and digits together, where it is a number */
  readonly findsMoved?: boolean | number;
  /** `-C`; likewise */
  readonly findsCopied?: boolean | number;
  /** `-C -C`: in the commit that makes a file, from any file there was */
  readonly searchesEveryFile?: boolean;
}

/** What is blamed: some lines of a file, in a commit or, without one, in the worktree. */
export interface BlameQuestion extends BlameReach {
  readonly path: string;
  readonly revision: ObjectId | undefined;
  /** As `git blame -L` takes them. */
  readonly range: string | undefined;
  /** Lines that are no newer than these commits are not told apart: git looks no further back. */
  readonly notBefore?: readonly ObjectId[];
  /** How header lines write names: what `core.quotePath` is, where somebody else reads them. */
  readonly quotesNames?: boolean;
}

/**
 * Asks `git blame`, which follows renames and honours the user's settings (`blame.ignoreRevsFile`). A file that git does not track
 * yet, or not in any commit, has lines that no commit has.
 *
 * @throws {EntireError} `NOT_FOUND` in git's words, or for a file of another repository
 */
export const blame = (git: Git, question: BlameQuestion): BlamedLine[] =>
  blameAsTold(git, question).map(readLine);

/** A line as we go on with it. */
export const readLine = ({ line, original, content, commit, place }: PorcelainLine): BlamedLine => ({
  ...{ line, original, path: place.path, ...placeBefore(place) },
  text: content.toString('utf8'),
  commit: commit.startsWith('0') && /^0+$/.test(commit) ? undefined : (commit as ObjectId),
});

const placeBefore = ({ previous }: PorcelainLine['place']): Pick<BlamedLine, 'previous'> =>
  previous ? { previous: previous as LinePlace } : {};

/** {@link blame}, in git's own bytes; names are quoted as the user has set it. */
export function blameAsTold(git: Git, question: BlameQuestion): PorcelainLine[] {
  const { path, revision, range } = question;
  const args = argumentsFor(question);
  const ask = (asked: Git) => runGit(asked, args, { okCodes: [0, 128, 129] });
  const told = ask(git);
  const stat = told.code === 128 && !revision ? lstatIfExists(join(git.cwd, path)) : undefined;
  const isNew = stat !== undefined && !stat.isDirectory();
  if (isNew) requireOwn(git, path);
  if (stat?.isFile() && !range && readRef(git, 'HEAD') === undefined) return readLines(git, path);
  const { code, stdout, stderr } = isNew ? withItAlone(git, path, ask) : told;
  if (code === 129 && range !== undefined)
    throw new EntireError('NOT_FOUND', `no range of lines: ${range}`, {
      hint: 'Such as `-L 10,20`, `-L 10,+5`, `-L /a regular expression/` or `-L :function`.',
    });
  if (code !== 0) throw new EntireError('NOT_FOUND', stderr.split('\n')[0]?.replace(/^fatal: /, '') ?? '');
  return parsePorcelain(stdout);
}

/**
 * {@link blameAsTold}, while its caller does something else.
 *
 * @returns what asks for the answer: where that is the same to the byte as one before, it is that one
 */
export function blameAside(
  git: Git,
  question: BlameQuestion,
  inLine: InLine = atOnce,
): (before?: PorcelainLine[]) => Promise<PorcelainLine[]> {
  const told = inLine(() => runAside(git, argumentsFor(question)));
  return async (before) => {
    const output = await told;
    if (!output) return blameAsTold(git, question);
    if (before && outputs.get(before)?.equals(output)) return before;
    const lines = parsePorcelain(output);
    outputs.set(lines, output);
    return lines;
  };
}

const outputs = new WeakMap<PorcelainLine[], Buffer>();

function argumentsFor({
  path,
  revision,
  range,
  notBefore = [],
  quotesNames = false,
  ...reach
}: BlameQuestion) {
  const revisions = [...(revision ? [revision] : []), ...notBefore.map((oid) => `^${oid}`)];
  const flags = [
    ...(reach.ignoresSpace ? ['-w'] : []),
    ...withScore('-M', reach.findsMoved),
    ...withScore('-C', reach.findsCopied),
    ...(reach.searchesEveryFile ? ['-C'] : []),
    ...(range ? ['-L', range] : []),
  ];
  const quoting = ['-c', `core.quotepath=${quotesNames}`];
  return [...quoting, 'blame', '--porcelain', ...flags, ...revisions, '--', path];
}

/** @throws {EntireError} `NOT_FOUND` for a file of a repository that lies in this one */
function requireOwn({ cwd }: Git, path: string): void {
  const root = locateRepo(dirname(join(cwd, path)))?.worktreeRoot;
  if (root === undefined || root === physicalPath(cwd)) return;
  throw new EntireError('NOT_FOUND', `${path} is in another repository: ${root}`, {
    hint: 'Run the command there.',
  });
}

const withScore = (flag: string, score: boolean | number | undefined): string[] =>
  score ? [`${flag}${score === true ? '' : score}`] : [];

/** The lines of a file where there is no commit that git could begin with, as git tells of what is not committed yet. */
function readLines({ cwd }: Git, path: string): PorcelainLine[] {
  const bytes = disk.readFileSync(join(cwd, path));
  const seconds = Math.floor(now().getTime() / 1000);
  const people = ['author', 'committer'].flatMap((who) => [
    ...[`${who} Not Committed Yet`, `${who}-mail <not.committed.yet>`],
    ...[`${who}-time ${seconds}`, `${who}-tz +0000`],
  ]);
  const details = [...people, `summary Version of ${quoteName(path)} from ${quoteName(path)}`];
  const shared = {
    commit: '0'.repeat(40),
    details: details.map((row) => Buffer.from(row)),
    place: { rows: [Buffer.from(`filename ${quoteName(path)}`)], path },
    marks: [],
  };
  const lines: PorcelainLine[] = [];
  for (let at = 0, line = 1; at < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, at);
    const content = bytes.subarray(at, end === -1 ? bytes.length : end);
    lines.push({ ...shared, original: line, line, content });
    at = end === -1 ? bytes.length : end + 1;
  }
  return lines;
}

/** Git blames what an index has: here one of its own, which has that file and no other. */
const withItAlone = <T>(git: Git, path: string, ask: (git: Git) => T): T =>
  withEmptyIndex((index) => {
    runGit(withPrivateIndex(git, index), ['update-index', '--add', '--info-only', '--', path], {
      okCodes: [0, 128],
    });
    return ask(withPrivateIndex(git, index));
  });

/** Lines one below the other from the same file of the same commit. */
export function runsOf(lines: readonly BlamedLine[]): BlamedLine[][] {
  const runs: BlamedLine[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const continues = last?.commit === line.commit && last?.path === line.path && last.line + 1 === line.line;
    if (run && continues) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** Whether the user has git write every byte of a name that is no ASCII in octal, which git does unless it is told otherwise. */
export function quotesNames(git: Git): boolean {
  const args = ['config', '--type=bool', '--get-all', 'core.quotepath'];
  const all = gitText(git, args, { okCodes: [0, 1, 128] }).split('\n');
  return all.at(-2) !== 'false'; // the last one is our own
}
