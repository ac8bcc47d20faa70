import { describeError } from '../base/errors.ts';
import { disk, lstatInWorktree } from '../base/file/disk.ts';
import { readWorktreeBytes, SMALL_FILES } from '../base/file/small-file.ts';
import type { SessionId } from '../base/ids.ts';
import { log } from '../base/log.ts';
import type { RepoPath } from '../base/repo-path.ts';
import type { PathChanges } from '../git/commit/commits.ts';
import { locateRepo, type Repo } from '../git/locate.ts';
import { hashFiles } from '../git/object/blobs.ts';
import { readTree, type TreeEntry } from '../git/object/objects.ts';
import { type Git, gitFor } from '../git/run.ts';
import { readDirty, readStatus } from '../git/worktree/status.ts';
import { listTracked, type SessionSummary } from '../session/session-index.ts';
import type { SessionState } from '../session/state.ts';
import { readFilesTouched, sessionsDir } from '../session/tracking-file.ts';
import { isBinary } from './attribution/texts.ts';
import { type BlobTexts, blobTextReader, type ReadText } from './commit/blob-text.ts';
import { judgeSessions } from './commit/judge.ts';
import { findTakenBack, readStashed } from './out-of-sight.ts';
import { resolveFilesTouched } from './resolve-files-touched.ts';
import { workIn } from './work.ts';

/** What waits of a session, as far as it has to be known of it. */
export type Waiting = Omit<SessionSummary, 'isTracked'> & Pick<SessionState, 'worktreePath'>;

/** Among more new files, or bytes in them, no renamed one is looked for: all of them have to be read. */
const MAX_NEW = 500;
const MAX_NEW_BYTES = 8 * 1024 * 1024;

/**
 * Of each session the files that it touched and that a commit can still take: they differ from HEAD, lie in a stash, or have another
 * name since. What was undone, is gone, is ignored or stands in a commit waits for none, whatever is on record. One or two git processes
 * for each worktree, a few more where a file is gone.
 */
export const findWaitingWork = (repo: Repo, sessions: readonly Waiting[]): Map<SessionId, RepoPath[]> =>
  new Map([...findWaitingFiles(repo, sessions)].map(([id, { paths }]) => [id, paths]));

/** Files that wait for a commit. */
export interface WaitingFiles {
  readonly paths: RepoPath[];
  /** Those of them that are in a stash alone: the worktree has nothing of them to commit. */
  readonly stashed: readonly RepoPath[];
  /** Those of them that the session left under another name: of which file it was, nobody knows. */
  readonly renamed: readonly RepoPath[];
}

/** {@link findWaitingWork}, with where it is. */
export function findWaitingFiles(repo: Repo, sessions: readonly Waiting[]): Map<SessionId, WaitingFiles> {
  const dir = sessionsDir(repo.commonDir);
  const tracked = listTracked(dir); // reads the whole folder: not once for each of months of sessions
  const byWorktree = new Map<string, Touching[]>();
  for (const session of sessions) {
    const paths = touchedBy(repo, session, tracked);
    if (paths.length === 0) continue;
    // By id: a repository that was moved keeps its sessions.
    const root = session.worktreeId === repo.worktreeId ? repo.worktreeRoot : session.worktreePath;
    byWorktree.set(root, [...(byWorktree.get(root) ?? []), { session, paths }]);
  }
  const waiting = new Map<SessionId, WaitingFiles>();
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
  { commonDir }: Repo,
  { sessionId, filesTouched, worktreeId }: Waiting,
  tracked: ReadonlySet<SessionId>,
): readonly RepoPath[] =>
  resolveFilesTouched({
    fromState: filesTouched,
    fromTrackingFile: tracked.has(sessionId) ? readStillTouched({ commonDir, worktreeId }, sessionId) : [],
    fromTranscript: () => [],
  });

/** What hooks saw a session write, without what was taken back since: that stays in the tracking file until the turn is over. */
export function readStillTouched(
  { commonDir, worktreeId }: Pick<Repo, 'commonDir' | 'worktreeId'>,
  sessionId: SessionId,
): RepoPath[] {
  const paths = readFilesTouched(sessionsDir(commonDir), sessionId);
  const undone = new Set(findTakenBack({ repo: { commonDir, worktreeId } }, { sessionId }, paths));
  return paths.filter((path) => !undone.has(path));
}

/** Another worktree of the repository; `undefined` where it is gone. */
function findWorktree(repo: Repo, root: string): Repo | undefined {
  if (!root || !disk.existsSync(root)) return undefined;
  const found = locateRepo(root);
  return found?.commonDir === repo.commonDir ? found : undefined;
}

function findInWorktree(there: Repo, group: readonly Touching[]): (one: Touching) => WaitingFiles {
  const git = gitFor(there);
  try {
    const dirty = readDirty(git, [...new Set(group.flatMap(({ paths }) => paths))]);
    const clean = [...new Set(group.flatMap(({ paths }) => paths.filter((path) => !dirty.has(path))))];
    const since = Math.min(...group.map(({ session }) => Date.parse(session.startedAt) || 0));
    const stashed = readStashed(git, clean, since);
    const isGone = (path: RepoPath): boolean =>
      !dirty.has(path) && !lstatInWorktree(there.worktreeRoot, path);
    const lost = group.filter(({ session, paths }) => session.checkpointCount > 0 && paths.some(isGone));
    const renamed = findUnderNewNames(there, git, lost);
    return ({ session, paths }) => {
      const hidden = paths.filter((path) => stashed.has(path) && !dirty.has(path));
      const undone = new Set(findTakenBack({ repo: there }, session, hidden));
      const away = hidden.filter((path) => !undone.has(path));
      const own = paths.filter((path) => dirty.has(path) || away.includes(path));
      const moved = renamed.get(session.sessionId) ?? [];
      return { paths: [...own, ...moved], stashed: away, renamed: moved };
    };
  } catch (error) {
    log('warn', 'what waits for a commit cannot be told', { error: describeError(error) });
    return ({ paths }) => ({ paths: [...paths], stashed: [], renamed: [] }); // rather one too many
  }
}

/**
 * New files that hold what sessions left under names which nobody has any more: a commit of them is theirs. None where they cannot be
 * read.
 */
function findUnderNewNames(there: Repo, git: Git, lost: readonly Touching[]): Map<SessionId, RepoPath[]> {
  try {
    return lost.length > 0 ? judgeNewFiles(there, git, lost) : new Map();
  } catch (error) {
    log('warn', 'files under new names cannot be told', { error: describeError(error) });
    return new Map();
  }
}

function judgeNewFiles(there: Repo, git: Git, lost: readonly Touching[]): Map<SessionId, RepoPath[]> {
  const { head, changes } = readStatus(git);
  const shown = [...changes].flatMap(([path, kind]) => (kind === 'deleted' ? [] : path));
  const inHead = (head && readTree(git, head, shown)) ?? new Map<string, TreeEntry>();
  let bytes = 0;
  const files = shown.filter((path) => {
    const stat = inHead.has(path) ? undefined : lstatInWorktree(there.worktreeRoot, path);
    if (!stat?.isFile() || stat.size > SMALL_FILES.work) return false;
    bytes += stat.size;
    return true;
  });
  if (files.length === 0 || files.length > MAX_NEW || bytes > MAX_NEW_BYTES) return new Map();
  const pathOf = new Map<string, RepoPath>();
  const added: PathChanges = new Map(
    hashFiles(git, files, 'raw').map((oid, at) => {
      const path = files[at] as RepoPath;
      pathOf.set(oid, path);
      return [path, { before: undefined, after: { mode: '100644', oid } }];
    }),
  );
  const inGit = blobTextReader(git);
  const readHere: ReadText = (entry, encoding) => {
    const path = pathOf.get(entry.oid);
    if (path === undefined) return inGit(entry, encoding);
    const bytes = readWorktreeBytes(there.worktreeRoot, path, 'work');
    return bytes && !isBinary(bytes) ? bytes.toString(encoding ?? 'utf8') : undefined;
  };
  const readAhead: BlobTexts['readAhead'] = (groups, budget) => {
    const others = groups.map((entries) => [...entries].filter((entry) => entry && !pathOf.has(entry.oid)));
    const read = inGit.readAhead(others, budget);
    return (entry, encoding) => (pathOf.has(entry.oid) ? readHere : read)(entry, encoding);
  };
  const readText = Object.assign(readHere, { readAhead });
  const sessions = lost.map(({ session }) => ({ ...session, isTracked: false, isVisitor: false }));
  const judged = judgeSessions(workIn(there), sessions, added, readText);
  return new Map(judged.map(({ session, renamed }) => [session.sessionId, [...renamed.keys()]]));
}
