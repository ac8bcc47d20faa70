import { EntireError } from '../../base/errors.ts';
import type { ObjectId } from '../../base/ids.ts';
import { blame } from '../../git/commit/blame.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { blameHint } from '../messages.ts';
import { parseFileLines } from '../names/file-line.ts';
import { toPath } from '../ui/paths.ts';
import * as text from './text.ts';

/**
 * The commit that lines of a file come from, where a word is `<file>:<line>`.
 *
 * @returns `undefined` for any other word
 * @throws {EntireError} `NOT_FOUND` where that is no commit, or several
 */
export function findCommitOfLines(repo: Repo, word: string): ObjectId | undefined {
  const place = parseFileLines(word);
  if (!place) return undefined;
  const path = toPath(repo, place.file);
  const range = `${place.first},${place.last}`;
  const lines = blame(gitFor(repo), { path, revision: undefined, range });
  const commits = [...new Set(lines.map(({ commit }) => commit))];
  const [only] = commits;
  if (commits.length === 1 && only !== undefined) return only;
  throw new EntireError('NOT_FOUND', text.noOneCommit(word, commits), {
    hint: blameHint(place.file, range),
  });
}
