import { type Git, gitText } from '../run.ts';

const ORIGIN = 'refs/remotes/origin/';

/**
 * Whether `branch` is the repository's default branch. A detached HEAD is on no branch.
 *
 * @see defaultBranchOf
 */
export function isDefaultBranch(git: Git, branch: string | undefined): boolean {
  if (branch === undefined) return false;
  // The name counts, not where it leads: HEAD of a remote may point at a branch that was never fetched.
  const target = gitText(git, ['symbolic-ref', '--quiet', `${ORIGIN}HEAD`], { okCodes: [0, 1, 128] });
  if (target.startsWith(ORIGIN)) return branch === target.slice(ORIGIN.length);
  const args = ['for-each-ref', '--format=%(refname)', ...NAMES.map((name) => ORIGIN + name)];
  const remote = gitText(git, args).split('\n');
  return branch === defaultBranchOf(undefined, (ref) => remote.includes(ref), branch);
}

const NAMES = ['main', 'master'];

/**
 * The repository's default branch: what `origin/HEAD` points at; else `main`, else `master`, if `origin` has it; else
 * whichever of the two names is checked out, or is there.
 */
export function defaultBranchOf(
  originHead: string | undefined,
  has: (ref: string) => boolean,
  checkedOut: string | undefined,
): string | undefined {
  if (originHead !== undefined) return originHead;
  const remote = NAMES.find((name) => has(ORIGIN + name));
  if (remote !== undefined) return remote;
  if (checkedOut !== undefined && NAMES.includes(checkedOut)) return checkedOut;
  return NAMES.find((name) => has(`refs/heads/${name}`));
}
