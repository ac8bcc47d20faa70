/** What removing a worktree would take away, and what stands against it; values only. */

/** What stands against a removal, whatever is asked: nothing can be kept of it, or it is not ours to decide. */
export type Obstacle =
  | { readonly kind: 'main' }
  | { readonly kind: 'bare' }
  | { readonly kind: 'here' }
  /** Another repository has its folder. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'locked'; readonly reason: string }
  /** Other worktrees lie in its folder. */
  | { readonly kind: 'holds-worktrees'; readonly roots: readonly string[] }
  | { readonly kind: 'submodule'; readonly path: string; readonly work: readonly string[] }
  | { readonly kind: 'default-branch'; readonly branch: string };

/** `repositories`: repositories of their own, of which git says nothing, with work in them. `refs`: of this worktree alone. */
export type PathKind = 'changed' | 'hidden' | 'untracked' | 'ignored' | 'repositories' | 'refs';

/** What would be lost; all of it can be kept elsewhere. */
export type Loss =
  | { readonly kind: PathKind; readonly paths: readonly string[] }
  /** Commits that nothing else leads to. `branch`: it is to be deleted; without one HEAD is detached. */
  | { readonly kind: 'commits'; readonly count: number; readonly branch: string | undefined }
  | { readonly kind: 'operation'; readonly name: string }
  | {
      readonly kind: 'session';
      readonly sessions: readonly { readonly id: string; readonly agent: string }[];
    };

/** Everything that was looked at. */
export interface Facts {
  readonly isMain: boolean;
  readonly isBare: boolean;
  readonly isHere: boolean;
  readonly isForeign: boolean;
  readonly locked: string | undefined;
  readonly worktreesWithin: readonly string[];
  readonly branch: string | undefined;
  readonly isDefaultBranch: boolean;
  readonly changed: readonly string[];
  readonly hidden: readonly string[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly repositories: readonly string[];
  readonly refs: readonly string[];
  readonly submodules: readonly { readonly path: string; readonly work: readonly string[] }[];
  readonly lonelyCommits: number;
  readonly operation: string | undefined;
  readonly running: readonly { readonly id: string; readonly agent: string }[];
}

export const findObstacles = (facts: Facts, wish: { readonly deleteBranch: boolean }): Obstacle[] => [
  ...(facts.isBare ? [{ kind: 'bare' } as const] : facts.isMain ? [{ kind: 'main' } as const] : []),
  ...(facts.isHere && !facts.isMain ? [{ kind: 'here' } as const] : []),
  ...(facts.isForeign ? [{ kind: 'foreign' } as const] : []),
  ...(facts.locked === undefined ? [] : [{ kind: 'locked', reason: facts.locked } as const]),
  ...(facts.worktreesWithin.length > 0 && !facts.isMain
    ? [{ kind: 'holds-worktrees', roots: facts.worktreesWithin } as const]
    : []),
  ...facts.submodules.flatMap((one) => (one.work.length > 0 ? [{ kind: 'submodule', ...one } as const] : [])),
  ...(wish.deleteBranch && facts.isDefaultBranch && facts.branch !== undefined
    ? [{ kind: 'default-branch', branch: facts.branch } as const]
    : []),
];

/** Commits of a branch that stays are not lost, and stashes belong to all worktrees. */
export function findLosses(facts: Facts, { deleteBranch }: { readonly deleteBranch: boolean }): Loss[] {
  const paths = (kind: PathKind): Loss[] => (facts[kind].length > 0 ? [{ kind, paths: facts[kind] }] : []);
  const loses = facts.lonelyCommits > 0 && (facts.branch === undefined || deleteBranch);
  return [
    ...paths('changed'),
    ...paths('hidden'),
    ...paths('untracked'),
    ...paths('ignored'),
    ...paths('repositories'),
    ...paths('refs'),
    ...(loses ? [{ kind: 'commits', count: facts.lonelyCommits, branch: facts.branch } as const] : []),
    ...(facts.operation === undefined ? [] : [{ kind: 'operation', name: facts.operation } as const]),
    ...(facts.running.length > 0 ? [{ kind: 'session', sessions: facts.running } as const] : []),
  ];
}
