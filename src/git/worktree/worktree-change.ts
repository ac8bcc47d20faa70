import { join } from 'node:path';
import { EntireError } from '../../base/errors.ts';
import { disk } from '../../base/file/disk.ts';
import type { ObjectId } from '../../base/ids.ts';
import { runPatiently } from '../patient.ts';
import { updateRefs } from '../ref/refs.ts';
import { type Git, runGit } from '../run.ts';

/** The branch of a new worktree. */
export type Start =
  /** It is made at a commit, and follows nothing. */
  | { readonly kind: 'new'; readonly branch: string; readonly commit: ObjectId }
  /** It is there. */
  | { readonly kind: 'local'; readonly branch: string }
  /** It is made from the one that a remote has of this name, and follows it. */
  | { readonly kind: 'remote'; readonly branch: string; readonly ref: string; readonly commit: ObjectId };

/** Makes the branch; of two processes that want the same one, one does. @throws {EntireError} `REF_MOVED`, `REF_LOCKED`, `GIT_FAILED` */
export function makeBranch(git: Git, start: Start): void {
  if (start.kind === 'local') return;
  const update = { ref: `refs/heads/${start.branch}`, to: start.commit, from: undefined };
  updateRefs(git, [update], `branch: Created from ${start.kind === 'new' ? start.commit : start.ref}`);
  // Apart from the branch, so that it can be repeated.
  if (start.kind === 'remote')
    runPatiently(git, ['branch', '--quiet', `--set-upstream-to=${start.ref}`, start.branch]);
}

/**
 * Makes a linked worktree for a branch as the user would, `post-checkout` hook and all.
 *
 * @returns what that hook said, where it failed; the worktree stands then
 * @throws {EntireError} `GIT_FAILED` with git's reason; there is no worktree then
 */
export function addWorktree(git: Git, root: string, branch: string): string | undefined {
  const { code, stderr } = runPatiently(git, ['worktree', 'add', root, branch], { okCodes: ANY });
  if (code === 0) return undefined;
  const reason = stderr.replace(/^Preparing worktree .*\n?/, '') || `exit status ${code}`;
  // The status of the hook becomes that of git, whose own failures have greater ones.
  if (code < 128 && existsIn(root)) return reason;
  throw new EntireError('GIT_FAILED', `git worktree failed: ${reason}`);
}

const ANY = Array.from({ length: 256 }, (_, code) => code);
/** Git takes away a worktree that it could not fill. */
const existsIn = (root: string): boolean => disk.existsSync(join(root, '.git'));

/** Removes a linked worktree whatever is in it, and what git knows of it; the folder may be gone. @throws {EntireError} `GIT_FAILED` */
export function removeWorktree(git: Git, root: string): void {
  runPatiently(git, ['worktree', 'remove', '--force', root]);
}

/** Whether git takes a name for a branch. `@{-1}` and the like are ways to say a name, and none themselves. */
export const isBranchName = (git: Git, name: string): boolean =>
  !name.startsWith('-') &&
  name !== 'HEAD' &&
  runGit(git, ['check-ref-format', `refs/heads/${name}`], { okCodes: [0, 1] }).code === 0;

/** Deletes what the configuration says of a branch that is gone; that it says nothing is no failure. */
export function forgetBranchConfig(git: Git, branch: string): void {
  runPatiently(git, ['config', '--remove-section', `branch.${branch}`], { okCodes: [0, 1, 128] });
}
