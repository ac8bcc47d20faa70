import { dirname, join } from 'node:path';
import { now } from '../../base/clock.ts';
import { describeError } from '../../base/errors.ts';
import { appendLines } from '../../base/file/append-lines.ts';
import { disk, isReachable, lookAt } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import type { SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { parseRepoPath, type RepoPath } from '../../base/repo-path.ts';
import { hasRoom } from '../../base/room.ts';
import { isObject, parseJson } from '../../base/text/json.ts';
import type { Repo } from '../../git/locate.ts';
import { isPaused } from '../../session/record/pause.ts';
import { captureFile, sessionStore } from '../store/blobs.ts';
import { type FileState, isSameState, parseFileState, toStoredState } from '../store/file-state.ts';
import { MAX_EDITED_BYTES, openLedger } from './record-edit.ts';

/** Clocks of file systems stand still for so long at most: what was written later than that may look the same. */
const TICK_MS = 20;

/**
 * A shell command of the agent is over. What it made of files that tools had written in the turn is noted, where that may be kept: what
 * is written into them later is somebody else's. On the hot path as well. Never throws.
 */
export function noteShell(repo: Repo, sessionId: SessionId): void {
  try {
    if (isPaused(repo, sessionId) || !hasRoom(repo.commonDir)) return;
    recordShell(sessionStore(repo.commonDir, sessionId, repo.worktreeId), repo.worktreeRoot);
  } catch (error) {
    log('warn', 'shell command not noted for undo', { session_id: sessionId, error: describeError(error) });
  }
}

/**
 * {@link noteShell} where it may be kept. One look at each file of the turn: only what looks otherwise than when it was noted is read.
 * Nothing where the session has nothing kept.
 *
 * @throws the system error
 */
export function recordShell(store: string, root: string): void {
  if (!disk.existsSync(store)) return;
  const at = now().toISOString();
  const isFolder = foldersOf(root);
  const changed = [...readNoted(store)].flatMap(([path, noted]) => {
    const seen = lookAt(join(root, path));
    const looksSame = noted.seen === seen && isCertain(seen, noted.atMs);
    if (looksSame && isFolder(path)) return [];
    const after = captureFile(root, path, { store, maxBytes: MAX_EDITED_BYTES });
    const isSame =
      isSameState(after, noted.after) || (after.kind === 'other' && noted.after.kind === 'other');
    if (looksSame && isSame) return [];
    const what = isSame ? {} : { after: toStoredState(after), source: 'bash', look: true };
    return JSON.stringify({ at, path, ...what, seen });
  });
  const lines = [JSON.stringify({ at, shell: true }), ...changed];
  appendLines(openLedger(store), Buffer.from(`${lines.join('\n')}\n`));
}

/** What a file of the turn was when it was noted last. */
interface Noted {
  readonly after: FileState;
  /** What it looked like then; older versions did not say. */
  readonly seen: unknown;
  /** When that was, in milliseconds since 1970. */
  readonly atMs: number;
}

function readNoted(store: string): Map<RepoPath, Noted> {
  const noted = new Map<RepoPath, Noted>();
  for (const line of (readOwnText(openLedger(store), 'list') ?? '').split('\n')) {
    const edit = parseJson(line);
    const path = isObject(edit) && typeof edit.path === 'string' ? parseRepoPath(edit.path) : undefined;
    if (!isObject(edit) || !path) continue;
    const after = parseFileState(edit.after) ?? noted.get(path)?.after;
    if (after) noted.set(path, { after, seen: edit.seen, atMs: Date.parse(String(edit.at)) });
  }
  return noted;
}

/** Whether a file that was written since would look otherwise: its last change was a while before it was noted. */
function isCertain(seen: string, notedMs: number): boolean {
  const changedMs = Number(seen.split(':').at(-1));
  return seen === '' || notedMs - changedMs > TICK_MS;
}

/** Whether all folders on the way to a path are folders: a file that is reached through a link looks like itself. */
function foldersOf(root: string): (path: RepoPath) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    const isFolder = known.get(folder) ?? isReachable(root, path);
    known.set(folder, isFolder);
    return isFolder;
  };
}
