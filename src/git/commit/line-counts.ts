import { type ObjectId, parseObjectId } from '../../base/ids.ts';
import { type Git, runGit, splitNul } from '../run.ts';

/** More paths than this are not named. */
const MAX_NAMED = 500;

/**
 * Lines that come and go between two trees at some paths, as git counts them; binary files have none. `undefined` where
 * one of the trees does not exist.
 */
export function countLinesBetween(
  git: Git,
  from: string,
  to: string,
  paths: readonly string[],
): { added: number; removed: number } | undefined {
  const args = ['--numstat', '-z', '--no-renames', '--minimal', '--no-ext-diff', '--no-textconv'];
  const { code, stdout } = runGit(
    git,
    ['diff-tree', '-r', ...args, from, to, '--', ...paths.slice(0, MAX_NAMED)],
    { okCodes: [0, 128] },
  );
  if (code !== 0) return undefined;
  let [added, removed] = [0, 0];
  for (const line of splitNul(stdout)) {
    const [, come, gone] = /^(\d+)\t(\d+)\t/.exec(line) ?? [];
    added += Number(come ?? 0);
    removed += Number(gone ?? 0);
  }
  return { added, removed };
}

/** Lines that came and went in one file. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** How the worktree differs from HEAD at some paths; binary files are left out. One process. */
export function countUncommittedLines(git: Git, paths: readonly string[]): Map<string, LineCounts> {
  const counts = new Map<string, LineCounts>();
  if (paths.length === 0) return counts;
  const args = ['--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const { stdout } = runGit(git, ['diff-index', ...args, 'HEAD', '--', ...paths.slice(0, MAX_NAMED)]);
  for (const line of splitNul(stdout)) {
    const [, added, removed, path] = /^(\d+)\t(\d+)\t(.+)$/s.exec(line) ?? [];
    if (path !== undefined) counts.set(path, { added: Number(added), removed: Number(removed) });
  }
  return counts;
}

/** What each of some commits added and removed in its files; binary files are left out. One process. */
export function countLinesOfEach(
  git: Git,
  commits: readonly ObjectId[],
): Map<ObjectId, Map<string, LineCounts>> {
  const counts = new Map<ObjectId, Map<string, LineCounts>>(commits.map((oid) => [oid, new Map()]));
  if (commits.length === 0) return counts;
  const args = ['--stdin', '-r', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const input = commits.map((oid) => `${oid}\n`).join('');
  let current: Map<string, LineCounts> | undefined;
  for (const line of splitNul(runGit(git, ['diff-tree', ...args], { input }).stdout)) {
    const oid = parseObjectId(line.trim());
    if (oid) current = counts.get(oid);
    const [, added, removed, path] = /^\n?(\d+)\t(\d+)\t(.+)$/s.exec(line) ?? [];
    if (path !== undefined) current?.set(path, { added: Number(added), removed: Number(removed) });
  }
  return counts;
}
