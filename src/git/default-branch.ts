import { type Git, gitText } from './run.ts';

const ORIGIN = 'refs/remotes/origin/';

/**
 * Whether `branch` is the repository's default branch: what `origin/HEAD` points at; else `main`, else `master`, if
 * `origin` has it; else whichever of the two names is checked out. A detached HEAD is on no branch.
 */
export function isDefaultBranch(git: Git, branch: string | undefined): boolean {
  if (branch === undefined) return false;
  // The name counts, not where it leads: HEAD of a remote may point at a branch that was never fetched.
  const target = gitText(git, ['symbolic-ref', '--quiet', `${ORIGIN}HEAD`], { okCodes: [0, 1, 128] });
  if (target.startsWith(ORIGIN)) return branch === target.slice(ORIGIN.length);
  const names = ['main', 'master'];
  const args = ['for-each-ref', '--format=%(refname)', ...names.map((name) => ORIGIN + name)];
  const remote = gitText(git, args).split('\n');
  const known = names.find((name) => remote.includes(ORIGIN + name));
  return known === undefined ? names.includes(branch) : branch === known;
}
