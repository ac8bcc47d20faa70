import type { SessionId } from '../base/ids.ts';
import type { Repo } from '../git/locate.ts';
import { type Git, gitFor, gitForHook } from '../git/run.ts';
import type { SettledSessions } from '../session/session-index.ts';
import type { SessionState } from '../session/state.ts';
import { writeState } from '../session/state-store.ts';
import { sessionsDir } from '../session/tracking-file.ts';

/** Where a strategy works: one worktree of one repository. */
export interface Work {
  readonly repo: Repo;
  readonly git: Git;
  /** `<git-common-dir>/entire-sessions` */
  readonly sessions: string;
  /** Sessions that this hook has found settled, so that it need not look at them again. */
  readonly settled: SettledSessions;
}

/** Outside of a git hook: what git's environment says of the repository and its index is dropped. */
export const workIn = (repo: Repo): Work => ({
  repo,
  git: gitFor(repo),
  sessions: sessionsDir(repo.commonDir),
  settled: new Map(),
});

/** Inside a git hook: sees the index git is about to commit. */
export const workInGitHook = (repo: Repo): Work => ({
  repo,
  git: gitForHook(repo),
  sessions: sessionsDir(repo.commonDir),
  settled: new Map(),
});

/** Replaces a session's state; who looks at the sessions afterwards sees it. Under the session lock. */
export function saveState(work: Work, state: SessionState): void {
  writeState(work.sessions, state);
  work.settled.delete(state.sessionId);
}

/** What an agent's hook told us about the turn. */
export interface ToldTurn {
  readonly sessionId: SessionId;
  readonly agentType: string;
  readonly transcriptPath: string | undefined;
}
