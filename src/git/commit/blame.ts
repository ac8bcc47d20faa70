import { dirname, join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk, lstatIfExists } from '../../base/file/disk.ts';
import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { locateRepo, physicalPath } from '../locate.ts';
import { readRef } from '../ref/refs.ts';
import { type Git, runGit } from '../run.ts';
import { withEmptyIndex, withPrivateIndex } from '../worktree/private-index.ts';

/** One line of a file, and the commit that brought it there. */
export interface BlamedLine {
  /** From 1, in the file as it is now. */
  readonly line: number;
  readonly text: string;
  /** `undefined`: not committed yet. */
  readonly commit: ObjectId | undefined;
  /** The file's name in that commit. */
  readonly path: string;
}

/** What is blamed: some lines of a file, in a commit or, without one, in the worktree. */
export interface BlameQuestion {
  readonly path: string;
  readonly revision: ObjectId | undefined;
  /** As `git blame -L` takes them. */
  readonly range: string | undefined;
  /** Lines that are no newer than these commits are not told apart: git looks no further back. */
  readonly notBefore?: readonly ObjectId[];
}

/**
 * Asks `git blame`, which follows renames and honours the user's settings (`blame.ignoreRevsFile`). A file that git does not track
 * yet, or not in any commit, has lines that no commit has.
 *
 * @throws {EntireError} `NOT_FOUND` in git's words, or for a file of another repository
 * @see https://git-scm.com/docs/git-blame#_the_porcelain_format
 */
export function blame(git: Git, { path, revision, range, notBefore = [] }: BlameQuestion): BlamedLine[] {
  const revisions = [...(revision ? [revision] : []), ...notBefore.map((oid) => `^${oid}`)];
  const args = ['blame', '--porcelain', ...(range ? ['-L', range] : []), ...revisions];
  const ask = (asked: Git) => runGit(asked, [...args, '--', path], { okCodes: [0, 128, 129] });
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

/** @throws {EntireError} `NOT_FOUND` for a file of a repository that lies in this one */
function requireOwn({ cwd }: Git, path: string): void {
  const root = locateRepo(dirname(join(cwd, path)))?.worktreeRoot;
  if (root === undefined || root === physicalPath(cwd)) return;
  throw new EntireError('NOT_FOUND', `${path} is in another repository: ${root}`, {
    hint: 'Run the command there.',
  });
}

/** The lines of a file where there is no commit that git could begin with. */
function readLines({ cwd }: Git, path: string): BlamedLine[] {
  const lines = disk.readFileSync(join(cwd, path), 'utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((text, at) => ({ line: at + 1, text, commit: undefined, path }));
}

/** Git blames what an index has: here one of its own, which has that file and no other. */
const withItAlone = <T>(git: Git, path: string, ask: (git: Git) => T): T =>
  withEmptyIndex((index) => {
    runGit(withPrivateIndex(git, index), ['update-index', '--add', '--info-only', '--', path], {
      okCodes: [0, 128],
    });
    return ask(withPrivateIndex(git, index));
  });

const HEADER = /^([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)/;

/** Reads the porcelain form: a header line, what is new about the commit, and the text behind a tab. */
export function parsePorcelain(output: Buffer): BlamedLine[] {
  const paths = new Map<string, string>();
  const lines: BlamedLine[] = [];
  let current: { commit: string; line: number } | undefined;
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0x0a, at);
    const row = output.subarray(at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    if (row[0] === 0x09) {
      if (!current) continue;
      const { commit, line } = current;
      lines.push({
        line,
        text: row.toString('utf8', 1),
        commit: /^0+$/.test(commit) ? undefined : parseObjectId(commit),
        path: paths.get(commit) ?? '',
      });
      continue;
    }
    const words = row.toString('utf8');
    const [, commit, line] = HEADER.exec(words) ?? [];
    if (commit) current = { commit, line: Number(line) };
    // Told once for a commit, and again where the commit has lines of another file.
    else if (current && words.startsWith('filename ')) paths.set(current.commit, unquote(words.slice(9)));
  }
  return lines;
}

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

/** A name with odd characters comes in quotes, as in C. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  const inside = Buffer.from(name.slice(1, -1));
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] !== 0x5c) {
      bytes.push(inside[at] as number);
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(inside.toString('latin1', at + 1, at + 4))?.[0];
    const char = String.fromCharCode(inside[at + 1] ?? 0x5c);
    bytes.push(octal ? Number.parseInt(octal, 8) : (ESCAPES[char] ?? char.charCodeAt(0)));
    at += octal ? 3 : 1;
  }
  return Buffer.from(bytes).toString('utf8');
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };
