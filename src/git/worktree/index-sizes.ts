import { foldersOf } from '../../base/repo-path.ts';
import { type Git, inBatches, MAX_NAMED, runGit } from '../run.ts';

/** What the index noted of a file when it last saw that the worktree has it. */
export interface IndexSize {
  readonly oid: string;
  /** Of the file in the worktree, which need not be that of a checkout; 0 where the index does not trust it. */
  readonly size: number;
}

/** One process, for few paths and for many. @see https://git-scm.com/docs/git-ls-files for `--debug` */
export function readIndexSizes(git: Git, paths: readonly string[]): Map<string, IndexSize> {
  const wanted = new Set(paths);
  const sizes = new Map<string, IndexSize>();
  for (const batch of paths.length > MAX_NAMED ? [[commonFolder(paths)]] : inBatches(paths)) {
    const args = ['--literal-pathspecs', 'ls-files', '--stage', '--debug', '-z', '--', ...batch];
    for (const text of inTexts(runGit(git, args).stdout)) {
      for (const [, oid = '', path = '', size] of text.matchAll(ENTRY))
        if (wanted.has(path)) sizes.set(path, { oid, size: Number(size) });
    }
  }
  return sizes;
}

const ENTRY = /(?:^|\n)\d{6} ([0-9a-f]+) 0\t([^\0]+)\0(?: {2}.*\n)*? {2}size: (\d+)/g;

/** The innermost folder that all paths lie in; the worktree, if it is no other. */
function commonFolder(paths: readonly string[]): string {
  let folder: string = foldersOf(paths[0] ?? '').at(-1) ?? '';
  for (const path of paths)
    while (folder !== '' && !path.startsWith(`${folder}/`)) folder = foldersOf(folder).at(-1) ?? '';
  return folder === '' ? '.' : folder;
}

/** Some hundred bytes for each file of a repository: as one text they would not be bounded. */
const TEXT_BYTES = 4 * 1024 * 1024;

/** Output of `ls-files --debug` in texts that end where an entry does. */
function* inTexts(output: Buffer): Generator<string> {
  for (let at = 0, end = 0; at < output.length; at = end) {
    end = at + TEXT_BYTES >= output.length ? output.length : nextEntry(output, at + TEXT_BYTES);
    yield output.toString('utf8', at, end);
  }
}

/** Where the next entry begins: a line that is not set in, and that is no name of several lines, for NUL ends a name. */
function nextEntry(output: Buffer, from: number): number {
  const nul = output.indexOf(0, from);
  if (nul === -1) return output.length;
  let end = output.indexOf('\n', nul);
  while (end !== -1 && output[end + 1] === 0x20) end = output.indexOf('\n', end + 1);
  return end === -1 ? output.length : end + 1;
}

/** Whether a program of the user's stands between what git has of a path and its file (Git LFS): a checkout may fetch. One process. */
export function isFiltered(git: Git, path: string): boolean {
  const [, , value = ''] = runGit(git, ['check-attr', '-z', 'filter', '--', path])
    .stdout.toString('utf8')
    .split('\0');
  return !['unspecified', 'unset', 'set', ''].includes(value);
}
