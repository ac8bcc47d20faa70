import type { SessionId } from '../base/ids.ts';
import type { Repo } from '../git/locate.ts';
import { hasOpenTurn, listStepped, readSteps } from '../restore/step-back.ts';

type Direction = 'undo' | 'redo';

/** Whether a session has anything to undo or to redo in this worktree. */
export function hasSteps(repo: Repo, id: SessionId, direction: Direction, isForced = false): boolean {
  const steps = readStepsIfSound(repo, id);
  if (!steps) return true; // who chooses it is told what is damaged
  const { standing, undone, unredone } = steps;
  if (direction === 'undo') return standing.length > 0 || hasOpenTurn(repo, id);
  return undone.length > 0 || (isForced && unredone.length > 0);
}

export function readStepsIfSound(repo: Repo, id: SessionId): ReturnType<typeof readSteps> | undefined {
  try {
    return readSteps(repo, id);
  } catch {
    return undefined;
  }
}

/**
 * The command that takes back what was just done to a session's files, as it has to be typed: where other sessions have steps, too, it
 * says which is meant.
 */
export function commandBack(repo: Repo, session: SessionId, done: Direction): string {
  const direction = done === 'undo' ? 'redo' : 'undo';
  const isAlone = listStepped(repo).every(({ id }) => id === session || !hasSteps(repo, id, direction));
  return `entire ${direction}${isAlone ? '' : ` --session ${session}`}`;
}
