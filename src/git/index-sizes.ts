import { type Git, inBatches, runGit } from './run.ts';

/** What the index noted of a file when it last saw that the worktree has it. */
export interface IndexSize {
  readonly oid: string;
  /** Of the file in the worktree, which need not be that of a checkout; 0 where the index does not trust it. */
  readonly size: number;
}

/** One process for some hundred paths. @see https://git-scm.com/docs/git-ls-files for `--debug` */
export function readIndexSizes(git: Git, paths: readonly string[]): Map<string, IndexSize> {
  const sizes = new Map<string, IndexSize>();
  for (const batch of inBatches(paths)) {
    const args = ['--literal-pathspecs', 'ls-files', '--stage', '--debug', '-z', '--', ...batch];
    const { stdout } = runGit(git, args);
    const entry = /(?:^|\n)\d{6} ([0-9a-f]+) 0\t([^\0]+)\0(?: {2}.*\n)*? {2}size: (\d+)/g;
    for (const [, oid = '', path = '', size] of stdout.toString('utf8').matchAll(entry))
      sizes.set(path, { oid, size: Number(size) });
  }
  return sizes;
}

/** Whether a program of the user's stands between what git has of a path and its file (Git LFS): a checkout may fetch. One process. */
export function isFiltered(git: Git, path: string): boolean {
  const [, , value = ''] = runGit(git, ['check-attr', '-z', 'filter', '--', path])
    .stdout.toString('utf8')
    .split('\0');
  return !['unspecified', 'unset', 'set', ''].includes(value);
}
