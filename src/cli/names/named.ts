import type { CheckpointId, SessionId } from '../../base/ids.ts';
import type { LogRow } from '../../git/log.ts';
import type { BranchTarget } from '../../restore/resume/branch-target.ts';

/** What a word on the command line stands for. */
export type Named =
  | BranchTarget
  | { readonly kind: 'commit'; readonly row: LogRow }
  | { readonly kind: 'checkpoint'; readonly id: CheckpointId }
  | { readonly kind: 'session'; readonly id: SessionId }
  /** A turn by its number: from 1, the oldest, or back from -1, the newest; without a session, of the worktree. */
  | { readonly kind: 'turn'; readonly session: SessionId | undefined; readonly number: number }
  /** A turn as it was saved: a commit on a branch of ours. */
  | { readonly kind: 'step'; readonly row: LogRow; readonly session: SessionId };

export type NamedKind = Named['kind'];

/** What a command takes. */
export interface Sought<Kind extends NamedKind = NamedKind> {
  readonly kinds: readonly Kind[];
  /** As it is typed: `entire diff`. */
  readonly command: string;
  /** A session may be named by what it is about, too: for commands that change nothing. */
  readonly byTitle?: boolean;
  /** How files are given to it; a word that is one is told of. */
  readonly forFiles?: (file: string, isFolder: boolean) => string;
}
