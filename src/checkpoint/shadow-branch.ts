import { createHash } from 'node:crypto';
import type { ObjectId } from '../base/ids.ts';
import { readTree, type TreeEntry } from '../git/objects.ts';
import { readRef, readRefs } from '../git/refs.ts';
import type { Git } from '../git/run.ts';

export const METADATA_REF = 'refs/heads/entire/checkpoints/v1';
/** What `origin` had of the branch when it was last fetched. */
export const REMOTE_METADATA_REF = 'refs/remotes/origin/entire/checkpoints/v1';

/** Short name of the branch that holds a worktree's uncommitted work on top of `baseCommit`. */
export function shadowBranch(baseCommit: string, worktreeId: string): string {
  const worktree = createHash('sha256').update(worktreeId).digest('hex').slice(0, 6);
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
