import { join } from 'node:path';
import { disk } from '../../base/file/disk.ts';
import { readOwnText } from '../../base/file/small-file.ts';
import { writeFileAtomic } from '../../base/file/write-file-atomic.ts';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import { log } from '../../base/log.ts';
import { asList, asText, isObject, parseJson } from '../../base/text/json.ts';

/**
 * A private stretch that goes on: nothing is recorded of one session, or of anything in one worktree.
 * `<git-common-dir>/entire/paused.json` stands as long as there is one, and every hook looks for it first.
 */
export interface Pause {
  readonly id: string;
  /** When it began, in milliseconds since 1970. */
  readonly atMs: number;
  readonly scope: PauseScope;
}

/** One worktree, by its id, or one session, wherever it works. */
export type PauseScope =
  | { readonly kind: 'worktree'; readonly worktreeId: string }
  | { readonly kind: 'session'; readonly sessionId: SessionId };

/** A worktree, where nothing more of the repository is needed. */
export interface WorktreePlace {
  readonly commonDir: string;
  /** Name of a linked worktree's folder in `<common>/worktrees`; empty for the main one. */
  readonly worktreeId: string;
}

const pauseFile = (commonDir: string): string => join(commonDir, 'entire', 'paused.json');

/** What stands for a record that cannot be read: who asked for privacy gets it, everywhere. */
export const UNREADABLE = 'unreadable';

/** All pauses, oldest first; `unreadable` where there is a record that nobody understands. */
export function readPauses(commonDir: string): readonly Pause[] | typeof UNREADABLE {
  let text: string | undefined;
  try {
    text = readOwnText(pauseFile(commonDir), 'record');
  } catch {
    return UNREADABLE;
  }
  if (text === undefined) return [];
  const value = parseJson(text);
  if (!isObject(value) || value.version !== 1 || !Array.isArray(value.pauses)) return UNREADABLE;
  const pauses = asList(value.pauses).map(parsePause);
  return pauses.some((pause) => pause === undefined) ? UNREADABLE : (pauses as Pause[]);
}

function parsePause(value: unknown): Pause | undefined {
  if (!isObject(value)) return undefined;
  const { at_ms: atMs, worktree_id: worktreeId, session_id: session } = value;
  const id = asText(value.id);
  if (!/^[0-9a-f]{12}$/.test(id) || typeof atMs !== 'number') return undefined;
  const sessionId = parseSessionId(session);
  if (sessionId) return { id, atMs, scope: { kind: 'session', sessionId } };
  return typeof worktreeId === 'string' ? { id, atMs, scope: { kind: 'worktree', worktreeId } } : undefined;
}

/** Whether a pause covers a session in a worktree; without a session, whether it covers the worktree. */
export const covers = ({ scope }: Pause, worktreeId: string, sessionId: string | undefined): boolean =>
  scope.kind === 'worktree' ? scope.worktreeId === worktreeId : scope.sessionId === sessionId;

/**
 * Whether nothing may be recorded of a session in a worktree, or of that worktree. On the hot path: one look, which mostly
 * finds nothing there.
 */
export const isPaused = (place: WorktreePlace, sessionId: string | undefined): boolean =>
  readPausesOf(place)(sessionId);

/** {@link isPaused} of several sessions of a worktree, by one look at the record. One that cannot be read is said in the log. */
export function readPausesOf({
  commonDir,
  worktreeId,
}: WorktreePlace): (sessionId: string | undefined) => boolean {
  const pauses = readPauses(commonDir);
  if (pauses === UNREADABLE)
    log('warn', 'nothing is recorded', {
      error: 'entire/paused.json cannot be read: whether recording is paused is not known',
    });
  return (sessionId) => pauses === UNREADABLE || pauses.some((pause) => covers(pause, worktreeId, sessionId));
}

/** Replaces the record; without pauses it goes. Under the lock of pauses. @throws the system error */
export function writePauses(commonDir: string, pauses: readonly Pause[]): void {
  const file = pauseFile(commonDir);
  if (pauses.length === 0) return disk.rmSync(file, { force: true });
  const value = {
    version: 1,
    pauses: pauses.map(({ id, atMs, scope }) => ({
      id,
      at_ms: atMs,
      ...(scope.kind === 'worktree' ? { worktree_id: scope.worktreeId } : { session_id: scope.sessionId }),
    })),
  };
  writeFileAtomic(file, JSON.stringify(value), { fsync: true });
}

/** A record that cannot be read, as after a fault of the disk, is kept beside. Under the lock of pauses. */
export function setPausesAside(commonDir: string): void {
  const file = pauseFile(commonDir);
  disk.renameSync(file, `${file}.corrupt-${Date.now()}`);
}
