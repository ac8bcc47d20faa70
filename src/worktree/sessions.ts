import { join } from 'node:path';
import { disk, lstatInWorktree, makePlainFolder } from '../base/file/disk.ts';
import { writeFileAtomic } from '../base/file/write-file-atomic.ts';
import { metadataDir } from '../checkpoint/shadow-branch.ts';
import { locateRepo } from '../git/locate.ts';
import { withSessionLock } from '../session/lock.ts';
import { isPending, type SessionState } from '../session/state.ts';
import { listStates, readState, writeState } from '../session/state-store.ts';
import { sessionsDir } from '../session/tracking-file.ts';
import { readActivation } from '../settings/enabled.ts';
import { canBeAtWork, heardMs } from '../strategy/signs-of-life.ts';
import { isWithin } from './repository.ts';

/** Sessions by the worktree they live in, newest first; archived ones among them. */
export function readSessionsByWorktree(commonDir: string): Map<string, SessionState[]> {
  const byWorktree = new Map<string, SessionState[]>();
  for (const state of listStates(sessionsDir(commonDir)).states)
    byWorktree.set(state.worktreeId, [...(byWorktree.get(state.worktreeId) ?? []), state]);
  for (const states of byWorktree.values()) states.sort((a, b) => heardMs(b) - heardMs(a));
  return byWorktree;
}

/** Whether an agent is in the middle of a turn; one of which nothing was heard for long has died. */
export const isRunning = (commonDir: string, state: SessionState): boolean =>
  state.phase === 'active' && canBeAtWork(commonDir, state);

/** A transcript that lies in a worktree, relative to its root, and where it went. */
export interface Move {
  readonly path: string;
  readonly to: string;
}

/**
 * Copies what of sessions lies in a worktree, and nowhere else: transcripts that agents' plugins handed over, and working copies
 * of transcripts with steps that no commit has yet. What lies there already and holds as much stays.
 *
 * @param target another worktree, or a folder of our own; see {@link isSetUp}
 */
export function copyTranscripts(root: string, target: string, sessions: readonly SessionState[]): Move[] {
  const copies = sessions.filter(isPending).map(({ sessionId }) => `${metadataDir(sessionId)}/full.jsonl`);
  const handed = sessions.map(({ sessionId }) => `.entire/tmp/${sessionId}.jsonl`);
  return [...handed, ...copies].flatMap((path) => {
    const stat = lstatInWorktree(root, path);
    if (!stat?.isFile()) return [];
    const to = join(target, path);
    const there = disk.statSync(to, { throwIfNoEntry: false });
    if (!there || there.size < stat.size) {
      makePlainFolder(target, ...path.split('/').slice(0, -1));
      writeFileAtomic(to, disk.readFileSync(join(root, path)));
    }
    return [{ path, to }];
  });
}

/** Whether what we put below `.entire` of a worktree is in nobody's way. */
export function isSetUp(root: string): boolean {
  const repo = locateRepo(root);
  return (
    repo !== undefined &&
    disk.existsSync(join(root, '.entire', '.gitignore')) &&
    readActivation(repo).kind !== 'not-set-up'
  );
}

/** Tells the sessions where their transcripts lie now. Each under its lock. @throws {EntireError} `LOCKED` */
export async function followTranscripts(
  commonDir: string,
  root: string,
  sessions: readonly SessionState[],
  moves: readonly Move[],
): Promise<void> {
  const dir = sessionsDir(commonDir);
  for (const { sessionId } of sessions) {
    await withSessionLock(dir, sessionId, () => {
      const state = readState(dir, sessionId);
      const move = moves.find(({ path }) => join(root, path) === state?.transcriptPath);
      if (state && move) writeState(dir, { ...state, transcriptPath: move.to });
    });
  }
}

/** Sessions whose transcripts lie in a folder. */
export const transcriptsWithin = (sessions: readonly SessionState[], root: string): SessionState[] =>
  sessions.filter(({ transcriptPath }) => transcriptPath !== '' && isWithin(transcriptPath, root));
