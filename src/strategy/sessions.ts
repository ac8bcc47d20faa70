import { transcriptFormatOf } from '../agents/registry.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import type { SessionState } from '../session/state.ts';
import { listStates } from '../session/state-store.ts';
import { readFilesTouched } from '../session/tracking-file.ts';
import { resolveFilesTouched, toWorktreePaths } from './resolve-files-touched.ts';
import { readTranscript } from './transcript-file.ts';
import type { Work } from './work.ts';

/** Sessions that live in this worktree, in order of session id. Reads only; nothing is ever deleted by looking. */
export function listSessions(work: Work): SessionState[] {
  const { states, unreadable } = listStates(work.sessions);
  for (const file of unreadable) log('warn', 'unreadable session state', { file });
  // By id, not by path: a repository that was moved, or is reached through a link, keeps its sessions.
  return states.filter((state) => state.worktreeId === work.repo.worktreeId);
}

/** Sessions of this worktree without one. */
export function listOthers(work: Work, state: SessionState): SessionState[] {
  return listSessions(work).filter((other) => other.sessionId !== state.sessionId);
}

/** Files of a session, by how well we know what the agent made of them. */
export interface Touched {
  /** Saved by a step: the shadow tree has the agent's content. */
  readonly saved: ReadonlySet<RepoPath>;
  /** Written since the last step: only the name is known. */
  readonly fresh: ReadonlySet<RepoPath>;
  readonly all: readonly RepoPath[];
}

/** What a session touched and no checkpoint holds yet. */
export function readTouched(work: Work, state: SessionState): Touched {
  const tracked = readFilesTouched(work.sessions, state.sessionId);
  let fresh: readonly RepoPath[] = tracked;
  const all = resolveFilesTouched({
    fromState: state.filesTouched,
    fromTrackingFile: tracked,
    fromTranscript: () => {
      fresh = filesInTranscript(work, state);
      log('debug', 'files touched: read from the transcript', {
        session_id: state.sessionId,
        count: fresh.length,
      });
      return fresh;
    },
  });
  const freshSet = new Set(fresh);
  return { saved: new Set(state.filesTouched.filter((path) => !freshSet.has(path))), fresh: freshSet, all };
}

/** Files that tools wrote in the part of the live transcript that no checkpoint has. */
export function filesInTranscript(work: Work, state: SessionState): RepoPath[] {
  const format = transcriptFormatOf(state.agentType);
  const newPart = format.sliceFrom(readTranscript(state.transcriptPath), state.checkpointTranscriptStart);
  return sortedUnique(toWorktreePaths(work.repo.worktreeRoot, format.readFilesTouched(newPart)));
}
