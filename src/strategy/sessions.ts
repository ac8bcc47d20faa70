import { sessionOfShell } from '../agents/names.ts';
import { transcriptFormatOf } from '../agents/registry.ts';
import { log } from '../base/log.ts';
import { type RepoPath, sortedUnique } from '../base/repo-path.ts';
import {
  metadataDir,
  readShadowBranches,
  readShadowTree,
  type ShadowBranch,
} from '../checkpoint/shadow-branch.ts';
import type { PathChanges } from '../git/commits.ts';
import type { TreeEntry } from '../git/objects.ts';
import type { SessionState } from '../session/state.ts';
import { listStates } from '../session/state-store.ts';
import { readFilesTouched } from '../session/tracking-file.ts';
import { findOverlap, type Touched } from './overlap.ts';
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

/** What a session touched and no checkpoint holds yet. */
export function readTouched(work: Work, state: SessionState): Touched {
  const tracked = readFilesTouched(work.sessions, state.sessionId);
  let fresh: readonly RepoPath[] = tracked;
  const all = resolveFilesTouched({
    fromState: state.filesTouched,
    fromTrackingFile: tracked,
    fromTranscript: () => {
      if (state.phase !== 'active') return []; // after a turn's end the state says it all
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
function filesInTranscript(work: Work, state: SessionState): RepoPath[] {
  const format = transcriptFormatOf(state.agentType);
  const newPart = format.sliceFrom(readTranscript(state.transcriptPath), state.checkpointTranscriptStart);
  return sortedUnique(toWorktreePaths(work.repo.worktreeRoot, format.readFilesTouched(newPart)));
}

/** A session, what of its work a commit holds or will hold, and the part of its shadow tree we looked at. */
export interface Candidate {
  readonly session: SessionState;
  readonly touched: Touched;
  readonly overlap: readonly RepoPath[];
  readonly shadow: ShadowBranch;
  readonly shadowEntries: ReadonlyMap<string, TreeEntry>;
}

/**
 * Holds each session against the changes of a commit, or what is staged. Sessions that touched none of the paths
 * cost nothing but reading their state; the others one look at the refs together, and one tree each.
 */
export function judgeSessions(
  work: Work,
  sessions: readonly SessionState[],
  changes: PathChanges,
  readText: (entry: TreeEntry) => string | undefined,
): Candidate[] {
  const shadows = readShadowBranches(work.git, sessions);
  return sessions.map((session, index) => {
    const touched = readTouched(work, session);
    const shadow = shadows[index] as ShadowBranch;
    const named = touched.all.filter((path) => changes.has(path));
    const paths = named.length > 0 ? [...named, `${metadataDir(session.sessionId)}/`] : [];
    const shadowEntries = readShadowTree(work.git, shadow, paths);
    const known = shadow.tip ? shadowEntries : undefined;
    const overlap = named.length > 0 ? findOverlap({ touched, changes, shadow: known, readText }) : [];
    return { session, touched, overlap, shadow, shadowEntries };
  });
}

/**
 * The session in whose turn a commit is made that nobody's recorded edits explain: the one whose agent runs the
 * command, if the agent says which, else the one heard of last.
 */
export function findCommitter(
  sessions: readonly SessionState[],
  env: NodeJS.ProcessEnv,
): SessionState | undefined {
  const heard = ({ lastInteractionTime, startedAt }: SessionState) =>
    Date.parse(lastInteractionTime ?? startedAt) || 0;
  const active = sessions.filter(({ phase }) => phase === 'active').sort((a, b) => heard(b) - heard(a));
  const named = sessionOfShell(env);
  return active.find(({ sessionId }) => sessionId === named) ?? active[0];
}
