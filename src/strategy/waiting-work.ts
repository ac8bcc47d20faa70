import { disk } from '../base/disk.ts';
import { describeError } from '../base/errors.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import { locateRepo, type Repo } from '../git/locate.ts';
import { gitFor } from '../git/run.ts';
import { readDirty } from '../git/status.ts';
import { listTracked } from '../session/session-index.ts';
import type { SessionState } from '../session/state.ts';
import { readFilesTouched, sessionsDir } from '../session/tracking-file.ts';
import { findTakenBack, readStashed } from './out-of-sight.ts';
import { resolveFilesTouched } from './resolve-files-touched.ts';

/** What waits of a session, as far as it has to be known of it. */
export type Waiting = Pick<
  SessionState,
  'sessionId' | 'startedAt' | 'worktreeId' | 'worktreePath' | 'filesTouched'
>;

/**
 * Of each session the files that it touched and that a commit can still take: they differ from HEAD, or lie in a stash. What was
 * undone, is gone, is ignored or stands in a commit waits for none, whatever is on record. One or two git processes for each worktree.
 */
export function findWaitingWork(repo: Repo, sessions: readonly Waiting[]): Map<SessionId, RepoPath[]> {
  const dir = sessionsDir(repo.commonDir);
  const tracked = listTracked(dir); // reads the whole folder: not once for each of months of sessions
  const byWorktree = new Map<string, Touching[]>();
  for (const session of sessions) {
    const paths = touchedBy(dir, session, tracked);
    if (paths.length === 0) continue;
    // By id: a repository that was moved keeps its sessions.
    const root = session.worktreeId === repo.worktreeId ? repo.worktreeRoot : session.worktreePath;
    byWorktree.set(root, [...(byWorktree.get(root) ?? []), { session, paths }]);
  }
  const waiting = new Map<SessionId, RepoPath[]>();
  for (const [root, group] of byWorktree) {
    const there = root === repo.worktreeRoot ? repo : findWorktree(repo, root);
    if (!there) continue; // what was in it is gone with it
    const find = findInWorktree(there, group);
    for (const one of group) waiting.set(one.session.sessionId, find(one));
  }
  return waiting;
}

interface Touching {
  readonly session: Waiting;
  readonly paths: readonly RepoPath[];
}

const touchedBy = (
  dir: string,
  { sessionId, filesTouched }: Waiting,
  tracked: ReadonlySet<SessionId>,
): readonly RepoPath[] =>
  resolveFilesTouched({
    fromState: filesTouched,
    fromTrackingFile: tracked.has(sessionId) ? readFilesTouched(dir, sessionId) : [],
    fromTranscript: () => [],
  });

/** Another worktree of the repository; `undefined` where it is gone. */
function findWorktree(repo: Repo, root: string): Repo | undefined {
  if (!root || !disk.existsSync(root)) return undefined;
  const found = locateRepo(root);
  return found?.commonDir === repo.commonDir ? found : undefined;
}

function findInWorktree(there: Repo, group: readonly Touching[]): (one: Touching) => RepoPath[] {
  const git = gitFor(there);
  try {
    const dirty = readDirty(git, [...new Set(group.flatMap(({ paths }) => paths))]);
    const clean = [...new Set(group.flatMap(({ paths }) => paths.filter((path) => !dirty.has(path))))];
    const since = Math.min(...group.map(({ session }) => Date.parse(session.startedAt) || 0));
    const stashed = readStashed(git, clean, since);
    return ({ session, paths }) => {
      const hidden = paths.filter((path) => stashed.has(path) && !dirty.has(path));
      const undone = new Set(findTakenBack({ repo: there }, session, hidden));
      return paths.filter((path) => dirty.has(path) || (stashed.has(path) && !undone.has(path)));
    };
  } catch (error) {
    log('warn', 'what waits for a commit cannot be told', { error: describeError(error) });
    return ({ paths }) => [...paths]; // rather one too many
  }
}
