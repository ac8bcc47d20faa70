import { sha256Of } from '../base/hash.ts';
import { type ObjectId, parseObjectId, parseSessionId, type SessionId } from '../base/ids.ts';
import { readTree, type TreeEntry } from '../git/object/objects.ts';
import { readRef, readRefs } from '../git/ref/refs.ts';
import { type Git, gitText } from '../git/run.ts';

export const METADATA_REF = 'refs/heads/entire/checkpoints/v1';
/** What `origin` had of the branch when it was last fetched. */
export const REMOTE_METADATA_REF = 'refs/remotes/origin/entire/checkpoints/v1';

/** Short name of the branch that holds a worktree's uncommitted work on top of `baseCommit`. */
export function shadowBranch(baseCommit: string, worktreeId: string): string {
  const worktree = sha256Of(worktreeId).slice(0, 6);
  return `entire/${baseCommit.slice(0, 7)}-${worktree}`;
}

export const branchRef = (branch: string): string => `refs/heads/${branch}`;

/** Whether a short branch name is a shadow branch; the form without a worktree is a legacy name. */
export function isShadowBranch(name: string): boolean {
  return /^entire\/[0-9a-fA-F]{7,}(-[0-9a-fA-F]{6})?$/.test(name);
}

/** Folder of a session's transcript, prompts and context, in shadow trees and below the worktree root. */
export const metadataDir = (sessionId: string): string => `.entire/metadata/${sessionId}`;

/** A shadow branch as it was when somebody looked. */
export interface ShadowBranch {
  readonly name: string;
  readonly ref: string;
  readonly tip: ObjectId | undefined;
}

export function readShadowBranch(git: Git, baseCommit: string, worktreeId: string): ShadowBranch {
  const name = shadowBranch(baseCommit, worktreeId);
  return { name, ref: branchRef(name), tip: readRef(git, branchRef(name)) };
}

/** A shadow branch that exists. */
export interface ListedBranch extends ShadowBranch {
  readonly tip: ObjectId;
  /** Where it is checked out, if anywhere: git would let it be deleted all the same. */
  readonly worktree: string | undefined;
}

/** All shadow branches of the repository, in order of name. One process, which looks at no object. */
export function listShadowBranches(git: Git): ListedBranch[] {
  const format = '%(refname)%00%(objectname)%00%(worktreepath)';
  const lines = gitText(git, ['for-each-ref', `--format=${format}`, 'refs/heads/entire/']).split('\n');
  return lines.flatMap((line) => {
    const [ref = '', oid, worktree] = line.split('\0');
    const name = ref.slice('refs/heads/'.length);
    const tip = parseObjectId(oid);
    if (!tip || !isShadowBranch(name)) return [];
    return [{ name, ref, tip, worktree: worktree || undefined }];
  });
}

/** Git counts in seconds. */
const SLACK_MS = 1_000;

/**
 * Sessions that have steps on a branch, by what these say; `undefined` where git cannot read them all. One process.
 *
 * @param fromMs of steps that were made then or later
 */
export function readStepSessions(git: Git, tip: string, fromMs = 0): Set<string> | undefined {
  try {
    const args = ['log', '-z', '--no-show-signature', '--no-color', '--format=%ct%n%B', tip, '--'];
    const steps = gitText(git, args).split('\0');
    return new Set(
      steps.filter((step) => Number.parseInt(step, 10) * 1000 + SLACK_MS > fromMs).flatMap(sessionsIn),
    );
  } catch {
    return undefined;
  }
}

/** The newest commit of some histories that names a session: a step of it, or one that stores it. One process, where there are tips. */
export function readNewestOf(git: Git, sessionId: string, tips: readonly ObjectId[]): ObjectId | undefined {
  if (tips.length === 0) return undefined;
  const grep = ['--fixed-strings', `--grep=Entire-Session: ${sessionId}`];
  return parseObjectId(
    gitText(git, ['log', '-1', '--no-show-signature', '--format=%H', ...grep, ...tips, '--']),
  );
}

/** Sessions that the messages of steps name. */
export const sessionsIn = (text: string): string[] =>
  [...text.matchAll(/^Entire-Session: *(\S+)/gm)].map(([, id = '']) => id);

/** The session whose step a commit is, by its message; `undefined` for a commit of anybody else's, and for one that names a checkpoint. */
export function sessionOfStep(message: string): SessionId | undefined {
  const isStep = /^Entire-Metadata(-Task)?:/m.test(message) && !/^Entire-Checkpoint:/m.test(message);
  return isStep ? parseSessionId(sessionsIn(message)[0]) : undefined;
}

/** {@link readShadowBranch} for several sessions, with one process; in the same order. */
export function readShadowBranches(
  git: Git,
  sessions: readonly { readonly baseCommit: string; readonly worktreeId: string }[],
): ShadowBranch[] {
  const names = sessions.map(({ baseCommit, worktreeId }) => shadowBranch(baseCommit, worktreeId));
  const tips = readRefs(git, names.map(branchRef));
  return names.map((name) => ({ name, ref: branchRef(name), tip: tips.get(branchRef(name)) }));
}

/** Files of a shadow tree, folders looked into; empty where there is no branch. */
export function readShadowTree(
  git: Git,
  branch: ShadowBranch,
  paths: readonly string[],
): Map<string, TreeEntry> {
  if (!branch.tip || paths.length === 0) return new Map();
  return readTree(git, branch.tip, paths, true) ?? new Map();
}

/** A step branch that a remote has, as far as git knows. */
export interface RemoteSteps {
  readonly remote: string;
  /** Short name, as it is there. */
  readonly branch: string;
  readonly tip: ObjectId;
}

/** Step branches that a push took along, as by `git push --all`, by what git knows of remotes. One process. */
export function listRemoteSteps(git: Git): RemoteSteps[] {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes/**/entire/*'];
  return gitText(git, args)
    .split('\n')
    .flatMap((line) => {
      const [, oid, remote = '', branch = ''] =
        /^(\S+) refs\/remotes\/(.+)\/(entire\/[^/]+)$/.exec(line) ?? [];
      const tip = parseObjectId(oid);
      return tip && isShadowBranch(branch) ? [{ remote, branch, tip }] : [];
    });
}
