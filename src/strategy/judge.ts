import type { RepoPath } from '../base/repo-path.ts';
import {
  metadataDir,
  readShadowBranches,
  readShadowTree,
  type ShadowBranch,
} from '../checkpoint/shadow-branch.ts';
import type { PathChanges } from '../git/commits.ts';
import type { TreeEntry } from '../git/objects.ts';
import { findOverlap, type Touched } from './overlap.ts';
import { type Participant, readTouched } from './sessions.ts';
import type { Work } from './work.ts';

/** A session, what of its work a commit holds or will hold, and the part of its shadow tree we looked at. */
export interface Candidate {
  readonly session: Participant;
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
  sessions: readonly Participant[],
  changes: PathChanges,
  readText: (entry: TreeEntry) => string | undefined,
): Candidate[] {
  const judged = sessions.map((session) => {
    const touched = readTouched(work, session);
    return { session, touched, named: touched.all.filter((path) => changes.has(path)) };
  });
  // Only of those that matter: there can be many sessions, each on a branch of its own.
  const asked = judged.filter(({ session, named }) => named.length > 0 || session.phase === 'active');
  const branches = readShadowBranches(
    work.git,
    asked.map(({ session }) => session),
  );
  const shadows = new Map(asked.map(({ session }, index) => [session, branches[index] as ShadowBranch]));
  return judged.map(({ session, touched, named }) => {
    const shadow = ownShadow(session, shadows.get(session));
    const paths = named.length > 0 ? [...named, `${metadataDir(session.sessionId)}/`] : [];
    const shadowEntries = readShadowTree(work.git, shadow, paths);
    // A branch on which the session has no step is another session's, and says nothing about this one's files.
    const known = shadow.tip && session.checkpointCount > 0 ? shadowEntries : undefined;
    const overlap = named.length > 0 ? findOverlap({ touched, changes, shadow: known, readText }) : [];
    return { session, touched, overlap, shadow, shadowEntries };
  });
}

/** A visitor's steps are on a branch of its own worktree, and say nothing about this one. */
function ownShadow({ isVisitor }: Participant, found: ShadowBranch | undefined): ShadowBranch {
  if (!found) return { name: '', ref: '', tip: undefined };
  return isVisitor ? { ...found, tip: undefined } : found;
}
