import { join } from 'node:path';
import { disk, listNames } from '../../base/file/disk.ts';
import { readUserText } from '../../base/file/small-file.ts';
import { type CheckpointId, type ObjectId, parseCheckpointId } from '../../base/ids.ts';
import type { Repo } from '../locate.ts';
import { ALL_BUT_OURS } from '../ref/people.ts';
import { type Git, runGit } from '../run.ts';
import { namedCheckpoints, WITH_NOTES } from './links.ts';
import { findOperation } from './operation.ts';
import { CHECKPOINT_TRAILER } from './trailers.ts';

/** Files beside HEAD that name commits which no ref may have. */
const PSEUDO_REFS = [
  'ORIG_HEAD',
  'FETCH_HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_HEAD',
];

/**
 * The checkpoints that commits of this repository name anywhere in their messages: those that a branch, a tag, a stash, a
 * remote-tracking ref, any other ref, the HEAD of any worktree, or a reflog leads to. Branches that only we write do
 * not count. One process, which looks at every commit.
 *
 * `undefined` where that would not be all of them: history is cut off (a shallow clone), a worktree is in the middle of a
 * rebase or the like, or git cannot read it.
 *
 * @see https://git-scm.com/docs/git-rev-list
 */
export function findMentionedCheckpoints(git: Git, repo: Repo): Set<CheckpointId> | undefined {
  const gitDirs = listGitDirs(repo.commonDir);
  if (disk.existsSync(join(repo.commonDir, 'shallow'))) return undefined;
  if (gitDirs.some((dir) => findOperation(dir) !== undefined)) return undefined;
  const named = gitDirs.flatMap((dir) =>
    PSEUDO_REFS.flatMap(
      (name) => readUserText(join(dir, name), 'git-list')?.match(/\b[0-9a-f]{40,64}\b/g) ?? [],
    ),
  );
  const ours = ['--exclude=refs/heads/entire/*', '--exclude=refs/entire/*'];
  const where = ['--ignore-missing', ...ours, '--all', '--reflog', ...new Set(named)];
  const what = ['--regexp-ignore-case', '--fixed-strings', `--grep=${CHECKPOINT_TRAILER}`];
  const shown = [
    '--no-show-signature',
    '--no-color',
    '--encoding=UTF-8',
    '--no-patch',
    WITH_NOTES,
    '--format=%B%n%N',
  ];
  try {
    // A commit that `git replace` hides is there all the same.
    const whole = { ...git, env: { ...git.env, GIT_NO_REPLACE_OBJECTS: '1' } };
    const { stdout } = runGit(whole, ['log', ...shown, ...what, ...where, '--']);
    const ids = stdout.toString('latin1').match(/\b[0-9a-f]{12}\b/g) ?? [];
    return new Set(ids.flatMap((id) => parseCheckpointId(id) ?? []));
  } catch {
    return undefined;
  }
}

/** The git folders of all worktrees, the main one's first. */
const listGitDirs = (commonDir: string): string[] => [
  commonDir,
  ...listNames(join(commonDir, 'worktrees')).map((name) => join(commonDir, 'worktrees', name)),
];

/** So many of the newest commits are looked at, however long the history is. */
const MAX_LOOKED_AT = 5_000;

/**
 * Whether one of the newest commits that a ref or HEAD leads to names a checkpoint, other than the given one. Who asks is
 * about to commit, so that one process that reads all of a long history is too much: what was copied from further back
 * is found out by its checkpoint, which is here.
 */
export function isNamedByAnother(git: Git, id: CheckpointId, except: ObjectId | undefined): boolean {
  const shown = ['-z', '--no-show-signature', '--no-color', '--encoding=UTF-8', '--no-patch', WITH_NOTES];
  const format = `--format=%H%x00%B%n%N`;
  const args = [
    'log',
    ...shown,
    format,
    `--max-count=${MAX_LOOKED_AT}`,
    '--ignore-missing',
    ...ALL_BUT_OURS,
    '--',
  ];
  const { code, stdout } = runGit(git, args, { okUnknown: true });
  const fields = code === 0 ? stdout.toString('utf8').split('\0') : [];
  return fields.some(
    (text, at) => at % 2 === 1 && fields[at - 1] !== except && namedCheckpoints(text).includes(id),
  );
}
