import { join } from 'node:path';
import { describeError } from '../base/errors.ts';
import { disk } from '../base/file/disk.ts';
import { findOperation } from '../git/commit/operation.ts';
import { gitText } from '../git/run.ts';
import {
  gitAtTop,
  readIndexNotes,
  readRepositoryWork,
  readUncommitted,
} from '../git/worktree/worktree-work.ts';
import { isRemade } from './remade.ts';

/** A repository within a worktree, and what it holds that nothing else does, in words; nothing: it may go. */
export interface OwnWork {
  /** Relative to the worktree. */
  readonly path: string;
  readonly work: readonly string[];
}

/**
 * What a submodule or another repository holds, and then the submodules in it. One that git cannot read holds something.
 *
 * @param isElsewhere whether nobody loses a file, relative to `root`
 */
export function readOwnWork(root: string, path: string, isElsewhere: (file: string) => boolean): OwnWork[] {
  const top = join(root, path);
  try {
    const git = gitAtTop(top);
    const { changed, untracked, ignored } = readUncommitted(git, { ignored: true });
    const { hidden, submodules, folders } = readIndexNotes(git);
    const operation = findOperation(gitText(git, ['rev-parse', '--absolute-git-dir']));
    const files = listLost(top, ignored, folders).map((file) => join(path, file));
    const work = [
      ...(changed.length + untracked.length > 0 ? ['changes'] : []),
      ...(hidden.length > 0 ? ['changes that git was told not to look at'] : []),
      ...(files.every(isElsewhere) ? [] : ['ignored files that no build makes again']),
      ...(operation === undefined ? [] : [`a ${operation} that is not finished`]),
      ...readRepositoryWork(git),
    ];
    return [
      { path, work },
      ...submodules.flatMap((inner) => readOwnWork(root, join(path, inner), isElsewhere)),
    ];
  } catch (error) {
    return [{ path, work: [`what git cannot read (${describeError(error)})`] }];
  }
}

/** A folder with more than this is named as a whole. */
const MAX_FILES = 2000;

/**
 * Ignored files of a repository that no program makes again, one by one.
 *
 * @param tracked folders with tracked files
 */
export const listLost = (root: string, ignored: readonly string[], tracked: ReadonlySet<string>): string[] =>
  ignored.filter((path) => !isRemade(path, tracked)).flatMap((path) => expand(root, path, tracked));

/** The files of a folder that is ignored as a whole, without what programs make again. */
function expand(root: string, path: string, tracked: ReadonlySet<string>): string[] {
  if (!path.endsWith('/')) return [path];
  const files: string[] = [];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = disk.readdirSync(join(root, folder), { withFileTypes: true });
    if (entries.some(({ name }) => name === '.git')) {
      files.push(folder); // a repository of its own
      continue;
    }
    for (const entry of entries) {
      const inside = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`;
      if (isRemade(inside, tracked)) continue;
      if (entry.isDirectory()) folders.push(inside);
      else files.push(inside);
    }
    if (files.length > MAX_FILES) return [path];
  }
  return files;
}
