import type { ObjectId } from '../base/ids.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { isDistinctive, plainLine } from '../base/text/lines.ts';
import { type BlamedLine, runsOf } from '../git/commit/blame.ts';
import { PATCH_HEAD, parsePatches } from '../git/commit/patch.ts';
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
    ...[PATCH_HEAD, '--patch', '--full-index', '--unified=0', '--src-prefix=a/', '--dst-prefix=b/'],
    ...[`--max-count=${MAX_COMMITS}`, '--ignore-missing', '--exclude=entire/*', '--branches', '--stdin'],
  ];
  const input = [...tips, range, '--', ...paths].map((row) => `${row}\n`).join('');
  const { stdout } = runGit(git, args, { input, okUnknown: true });
  const added = new Map<string, ObjectId[]>();
  const order = new Map<ObjectId, number>();
  const wanted = new Set<string>(paths);
  for (const { commit, files } of parsePatches(stdout.toString('latin1')).reverse()) {
    order.set(commit, order.size);
    for (const { path, added: runs } of files.filter((file) => wanted.has(file.path)))
      for (const key of runs.flatMap(({ lines }) => keysOf(lines))) {
        if (key === undefined) continue;
        const place = `${path}\0${key}`;
        const known = added.get(place);
        if (known) known.push(commit);
        else added.set(place, [commit]);
      }
  }
  return { added, order };
}
