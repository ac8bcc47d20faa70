import type { Commit } from '../git/commit/commits.ts';
import { isAncestor } from '../git/commit/commits.ts';
import { readLog } from '../git/log.ts';
import { readStateIfReadable } from '../session/state-store.ts';
import { blobTextReader } from '../strategy/commit/blob-text.ts';
import { type Candidate, judgeSessions, overlapAt } from '../strategy/commit/judge.ts';
import { listSessions } from '../strategy/sessions.ts';
import type { Work } from '../strategy/work.ts';

/**
 * Sessions of this worktree whose work is in a commit, was there when it was made, and that no checkpoint has: made again, the
 * commit would be linked to them. What a session made of its files since then does not count.
 */
export function findWaiting(work: Work, commit: Commit, committedAt: string): string[] {
  const readText = blobTextReader(work.git);
  return judgeSessions(work, listSessions(work), commit.changes, readText)
    .filter(({ overlap }) => overlap.length > 0)
    .filter((candidate) => wasThere(work, candidate, commit, committedAt, readText))
    .map(({ session }) => session.sessionId);
}

const SESSION = 'Entire-Session';

function wasThere(
  work: Work,
  candidate: Candidate,
  commit: Commit,
  committedAt: string,
  readText: ReturnType<typeof blobTextReader>,
): boolean {
  const { session, touched, overlap, shadow } = candidate;
  const base = readStateIfReadable(work.sessions, session.sessionId)?.attributionBaseCommit;
  if (base && isAncestor(work.git, commit.oid, base)) return false;
  // Git's times are whole seconds.
  const untilMs = Date.parse(committedAt) + 999;
  const heardAt = session.lastInteractionTime ?? session.startedAt;
  const isFresh = session.isVisitor || overlap.some((path) => touched.fresh.has(path));
  if (isFresh && Date.parse(heardAt) <= untilMs) return true; // in a turn that had begun
  if (!shadow.tip) return Date.parse(heardAt) <= untilMs;
  const [step] =
    readLog(work.git, {
      range: [`--before=${committedAt}`, shadow.tip],
      limit: 1,
      containing: `${SESSION}: ${session.sessionId}`,
    }) ?? [];
  return step !== undefined && overlapAt(work, candidate, step.oid, commit.changes, readText).length > 0;
}
