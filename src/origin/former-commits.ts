import { type ObjectId, parseObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { isDistinctive, plainLine } from '../base/text/lines.ts';
import { type BlamedLine, runsOf } from '../git/commit/blame.ts';
import { readRecentMoves } from '../git/ref/reflog.ts';
import { runGit } from '../git/run.ts';
import type { Work } from '../strategy/work.ts';

/** Commits that are looked into, the newest: a rewriting leaves some dozens behind. */
const MAX_COMMITS = 300;

/** A line that is looked for, and files that may have had it before. */
export interface Sought {
  readonly line: BlamedLine;
  readonly paths: readonly string[];
}

/**
 * Finds where lines were before: commits of a history, those that this worktree's HEAD was at, and those of other branches, which
 * brought them into one of the files. A line that many files have is looked for together with the one above it. One process.
 *
 * @param sought in their order
 * @param range whose history is looked through as well, or with a caret before it: is not
 * @returns for each line its places, the oldest first
 */
export function findFormer(
  work: Work,
  sought: readonly Sought[],
  range: string,
): Map<BlamedLine, readonly BlamedLine[]> {
  const paths = [...new Set(sought.flatMap((one) => one.paths))];
  if (!sought.some(({ line }) => isDistinctive(line.text))) return new Map();
  const { added, order } = readAdded(work, range, paths as RepoPath[]);
  const pathsOf = new Map(sought.map((one) => [one.line, one.paths]));
  const found = new Map<BlamedLine, readonly BlamedLine[]>();
  for (const run of runsOf(sought.map(({ line }) => line))) {
    const keys = keysOf(run.map(({ text }) => text));
    run.forEach((line, at) => {
      const key = keys[at];
      const places = (pathsOf.get(line) ?? []).flatMap((path) =>
        (key === undefined ? [] : (added.get(`${path}\0${key}`) ?? [])).map((commit) => ({ commit, path })),
      );
      const ageOf = ({ commit }: { commit: ObjectId }): number => order.get(commit) ?? 0;
      const sorted = places.toSorted((a, b) => ageOf(a) - ageOf(b));
      found.set(
        line,
        sorted.map(({ commit, path }) => ({ ...line, commit, path })),
      );
    });
  }
  return found;
}

/** What lines one below the other are known by: a line of many files is, below one that is like no other. */
function keysOf(lines: readonly string[]): (string | undefined)[] {
  let above: string | undefined;
  return lines.map((line) => {
    const text = plainLine(line);
    if (!isDistinctive(line)) return above === undefined ? undefined : `${above}\0${text}`;
    above = text;
    return text;
  });
}

/** Which commits brought a line into a file, by the file and {@link keysOf}; and their order, the oldest first. */
function readAdded(
  { git, repo }: Work,
  range: string,
  paths: readonly RepoPath[],
): { added: ReadonlyMap<string, readonly ObjectId[]>; order: ReadonlyMap<ObjectId, number> } {
  const tips = [...new Set(readRecentMoves(repo.gitDir).map(({ to }) => to))];
  const args = [
    ...['log', '--no-show-signature', '--no-color', '--no-renames', '--no-ext-diff', '--no-textconv'],
    '--date-order',
    ...['--format=%x00%H', '--patch', '--unified=0', '--src-prefix=a/', '--dst-prefix=b/'],
    ...[`--max-count=${MAX_COMMITS}`, '--ignore-missing', '--exclude=entire/*', '--branches', '--stdin'],
  ];
  const input = [...tips, range, '--', ...paths].map((row) => `${row}\n`).join('');
  const { stdout } = runGit(git, args, { input, okUnknown: true });
  const added = new Map<string, ObjectId[]>();
  const order = new Map<ObjectId, number>();
  for (const block of stdout.toString('utf8').split('\0').slice(1).reverse()) {
    const oid = parseObjectId(block.slice(0, block.indexOf('\n')));
    if (oid) order.set(oid, order.size);
    for (const { path, lines } of oid ? addedBy(block, paths) : [])
      for (const key of keysOf(lines)) {
        if (key === undefined) continue;
        const place = `${path}\0${key}`;
        const known = added.get(place);
        if (known) known.push(oid as ObjectId);
        else added.set(place, [oid as ObjectId]);
      }
  }
  return { added, order };
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** What each hunk of a patch brings into a file. Hunks are read by their counts: a line that looks like a header may be text. */
function addedBy(patch: string, paths: readonly string[]): { path: string; lines: string[] }[] {
  const known = new Map(paths.map((path) => [`+++ b/${path}`, path]));
  const found: { path: string; lines: string[] }[] = [];
  let path: string | undefined;
  let left = 0;
  for (const row of patch.split('\n')) {
    if (left > 0) {
      if (row.startsWith('\\')) continue;
      left--;
      if (row.startsWith('+') && path !== undefined) found.at(-1)?.lines.push(row.slice(1));
      continue;
    }
    if (row.startsWith('+++ ')) path = known.get(row.replace(/\t$/, ''));
    const [, gone = '1', come = '1'] = HUNK.exec(row) ?? [];
    if (!HUNK.test(row)) continue;
    left = Number(gone) + Number(come);
    if (path !== undefined) found.push({ path, lines: [] });
  }
  return found;
}
