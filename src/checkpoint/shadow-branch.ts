import { createHash } from 'node:crypto';
import type { ObjectId } from '../base/ids.ts';
import { readTree, type TreeEntry } from '../git/objects.ts';
import { readRef } from '../git/refs.ts';
import type { Git } from '../git/run.ts';

export const METADATA_REF = 'refs/heads/entire/checkpoints/v1';

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

/** A shadow branch as it is now, looked up on demand and once. */
export interface ShadowBranch {
  readonly name: string;
  readonly ref: string;
  readonly tip: ObjectId | undefined;
}

export function readShadowBranch(git: Git, baseCommit: string, worktreeId: string): ShadowBranch {
  const name = shadowBranch(baseCommit, worktreeId);
  return { name, ref: branchRef(name), tip: readRef(git, branchRef(name)) };
}

/** Entries of a shadow tree; empty where there is no branch. */
export function readShadowTree(
  git: Git,
  branch: ShadowBranch,
  paths: readonly string[],
  recursive = false,
): Map<string, TreeEntry> {
  if (!branch.tip) return new Map();
  return readTree(git, branch.tip, paths, recursive) ?? new Map();
}
