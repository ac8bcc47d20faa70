import { join, relative, resolve } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { lstatIfExists } from '../../base/file/disk.ts';
import { toRepoPath } from '../../base/repo-path.ts';
import { findLastName } from '../../git/commit/last-name.ts';
import type { Repo } from '../../git/locate.ts';
import { readRef } from '../../git/ref/refs.ts';
import { gitFor, runGit } from '../../git/run.ts';
import { NO_COMMITS_YET } from '../messages.ts';
import { splitFileLines } from '../names/file-line.ts';
import { toPath } from '../ui/paths.ts';
import * as text from './text.ts';

/**
 * What a word is, or was, that there are no lines of to show.
 *
 * @param word as it was typed
 * @returns `undefined` where git has said all there is to say
 */
export function refuseFile(repo: Repo, word: string, rev: string | undefined): EntireError | undefined {
  if (rev?.startsWith('-')) return undefined;
  const bare = splitFileLines(word)?.file;
  return refuseOne(repo, word, rev) ?? (bare === undefined ? undefined : refuseOne(repo, bare, rev));
}

function refuseOne(repo: Repo, file: string, rev: string | undefined): EntireError | undefined {
  const refused = (message: string, hint: string) => new EntireError('NOT_FOUND', message, { hint });
  const path = toPath(repo, file);
  const there = rev === undefined ? lstatIfExists(join(repo.worktreeRoot, path)) : undefined;
  if (there?.isDirectory()) return refused(text.isFolder(file), text.folderHint(file));
  if (there) return undefined;
  const git = gitFor(repo);
  if (rev === undefined && readRef(git, 'HEAD') === undefined)
    return new EntireError('NOT_FOUND', NO_COMMITS_YET);
  const typeOf = (path: string): string => {
    const kind = runGit(git, ['cat-file', '-t', `${rev ?? 'HEAD'}:${path}`], { okCodes: [0, 128] });
    return kind.code === 0 ? kind.stdout.toString('utf8').trim() : '';
  };
  if (typeOf('') !== 'tree') return undefined;
  const type = typeOf(path);
  if (rev !== undefined && type === 'tree') return refused(text.isFolder(file), text.folderHint(file));
  if (rev === undefined && type !== '') return refused(text.isGone(file), text.goneHint(file));
  if (type !== '') return undefined;
  const fromTop = toRepoPath(repo.worktreeRoot, resolve(repo.worktreeRoot, file));
  if (fromTop !== undefined && fromTop !== path && typeOf(fromTop) === 'blob') {
    const meant = relative(process.cwd(), join(repo.worktreeRoot, fromTop));
    return refused(text.notHere(file), text.meantFromTop(meant));
  }
  const last = findLastName(git, rev ?? 'HEAD', path);
  if (!last) return undefined;
  const commit = last.commit.slice(0, 7);
  if (last.name === undefined) return refused(text.isDeleted(file, commit), text.deletedHint(file, commit));
  const name = relative(process.cwd(), join(repo.worktreeRoot, last.name));
  return refused(text.isRenamed(file, name, commit), text.renamedHint(name, rev));
}
