import { type ObjectId, parseObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { isDistinctive, plainLine } from '../base/text/lines.ts';
import type { BlamedLine } from '../git/commit/blame.ts';
import { readRecentMoves } from '../git/ref/reflog.ts';
import { runGit } from '../git/run.ts';
import type { Work } from '../strategy/work.ts';

/** Commits that are looked into: a rewriting leaves some dozens behind. */
const MAX_COMMITS = 200;

/** One place where a line stood before. */
export interface Former {
  readonly line: BlamedLine;
  /** Commits that brought it into the file of that name, the newest first; none is in the history it is in now. */
  readonly commits: readonly ObjectId[];
}

/**
 * Finds where lines came from that a replayed commit has: in commits that this worktree's HEAD was at, or that other branches have, which
 * brought the same lines into the same files. A line that many files have proves nothing. One process.
 *
 * @param revision whose history the lines are in
 */
export function findFormer(work: Work, lines: readonly BlamedLine[], revision: string): Former[] {
  const asked = lines.filter(({ text, commit }) => commit !== undefined && isDistinctive(text));
  if (asked.length === 0) return [];
  const added = readAdded(work, revision, [...new Set(asked.map(({ path }) => path as RepoPath))]);
  return asked.flatMap((line) => {
    const commits = (added.get(keyOf(line.path, line.text)) ?? []).filter((oid) => oid !== line.commit);
    return commits.length > 0 ? [{ line, commits }] : [];
  });
}

const keyOf = (path: string, line: string): string => `${path}\0${plainLine(line)}`;

/** Which commits outside of a history brought a line into a file, by {@link keyOf}. */
function readAdded(
  { git, repo }: Work,
  revision: string,
  paths: readonly RepoPath[],
): Map<string, ObjectId[]> {
  const tips = [...new Set(readRecentMoves(repo.gitDir).map(({ to }) => to))];
  const args = [
    ...['log', '--no-show-signature', '--no-color', '--no-renames', '--no-ext-diff', '--no-textconv'],
    ...['--format=%x00%H', '--patch', '--unified=0', '--src-prefix=a/', '--dst-prefix=b/'],
    ...[`--max-count=${MAX_COMMITS}`, '--ignore-missing', '--exclude=entire/*', '--branches', '--stdin'],
  ];
  const input = [...tips, `^${revision}`, '--', ...paths].map((row) => `${row}\n`).join('');
  const { stdout } = runGit(git, args, { input, okUnknown: true });
  const added = new Map<string, ObjectId[]>();
  for (const block of stdout.toString('utf8').split('\0').slice(1)) {
    const oid = parseObjectId(block.slice(0, block.indexOf('\n')));
    if (oid)
      for (const [path, line] of addedBy(block, paths)) {
        const key = keyOf(path, line);
        added.set(key, [...(added.get(key) ?? []), oid]);
      }
  }
  return added;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Lines that a patch brings into files. Hunks are read by their counts: a line that looks like a header may be text. */
function addedBy(patch: string, paths: readonly string[]): [path: string, line: string][] {
  const known = new Map(paths.map((path) => [`+++ b/${path}`, path]));
  const found: [string, string][] = [];
  let path: string | undefined;
  let left = 0;
  for (const row of patch.split('\n')) {
    if (left > 0) {
      if (row.startsWith('\\')) continue;
      left--;
      if (row.startsWith('+') && path !== undefined) found.push([path, row.slice(1)]);
      continue;
    }
    if (row.startsWith('+++ ')) path = known.get(row.replace(/\t$/, ''));
    const [, gone = '1', come = '1'] = HUNK.exec(row) ?? [];
    if (HUNK.test(row)) left = Number(gone) + Number(come);
  }
  return found;
}
