import type { SessionId } from '../../base/ids.ts';
import { listRemoteSteps, type RemoteSteps, sessionsIn } from '../../checkpoint/shadow-branch.ts';
import { type Git, gitText } from '../../git/run.ts';

/** A step branch that a push took along. */
export type PushedSteps = Pick<RemoteSteps, 'remote' | 'branch'>;

/** Git counts in seconds. */
const SLACK_MS = 1_000;

/**
 * Step branches that remotes have, as far as this clone knows, with steps that a session made at a time or later: the transcript in them
 * has all that was said up to then.
 */
export const findPushedSteps = (git: Git, session: SessionId, fromMs = 0): PushedSteps[] =>
  listRemoteSteps(git).flatMap(({ remote, branch, tip }) =>
    hasSteps(git, tip, session, fromMs) ? [{ remote, branch }] : [],
  );

/** One that cannot be read may have some. */
function hasSteps(git: Git, tip: string, session: SessionId, fromMs: number): boolean {
  try {
    const args = ['log', '-z', '--no-show-signature', '--no-color', '--format=%ct%n%B', tip, '--'];
    return gitText(git, args)
      .split('\0')
      .some(
        (step) => sessionsIn(step).includes(session) && Number.parseInt(step, 10) * 1000 + SLACK_MS > fromMs,
      );
  } catch {
    return true;
  }
}
