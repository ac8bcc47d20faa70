import type { FilesBySession, Tree, Unit } from './lines.ts';

/** What a commit may and must be linked to: for each session the files that it must, or may, be said to have in it. */
export interface Expectation {
  readonly must: FilesBySession;
  /** W-TOGETHER: at least one of the sessions. */
  readonly atLeastOne: boolean;
  readonly may: FilesBySession;
}

export interface CommitFacts {
  /** What the commit adds to what was there: for an amend, to the amended commit. */
  readonly added: readonly Unit[];
  /** Paths that the whole commit changes. */
  readonly paths: ReadonlySet<string>;
  readonly before: Tree;
  readonly after: Tree;
  readonly worktree: Tree;
}

/** Where the work is that HEAD does not have. */
export interface Elsewhere {
  readonly dirty: ReadonlySet<string>;
  /** What stashes hold of files that they have changed. */
  readonly stashed: ReadonlyMap<string, readonly string[][]>;
}
