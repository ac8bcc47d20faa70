import { EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { gitFor } from '../../git/run.ts';
import { changesNothing, listStepped } from '../../restore/step-back.ts';
import { readWorktreeSteps } from '../../restore/worktree-steps.ts';
import { isConcerned } from '../../snapshot/record/history.ts';
import { readStashed } from '../../strategy/out-of-sight.ts';
import { type Asked, callAgain } from './step-sessions.ts';
import * as text from './text.ts';
import { describeStep, readOutcomes, type SessionBack } from './view.ts';

/** Whether nothing was done, as every file of some turns is as it was before them. */
export const isNotThere = (done: readonly SessionBack[]): boolean =>
  done.length > 0 &&
  done.every(
    ({ result }) =>
      !result.record &&
      changesNothing(result.plan) &&
      readOutcomes(result).every(({ outcome }) => outcome === 'already'),
  );

/** @throws {EntireError} `NOTHING_TO_UNDO`, with where the work may be, and how to go on to what was done before it */
export async function refuseNotThere(repo: Repo, asked: Asked, done: readonly SessionBack[]): Promise<never> {
  const turns = done.flatMap(({ result }) => result.plan.steps);
  const paths = done.flatMap(({ result }) => [...result.plan.paths.keys()]);
  const since = Math.min(...turns.map(({ at }) => Date.parse(at)));
  const isStashed = readStashed(gitFor(repo), paths, since).size > 0;
  const hint = isStashed ? text.MAY_BE_STASHED : await elsewise(repo, asked);
  throw new EntireError('NOTHING_TO_UNDO', text.notThere(turns.map((step) => describeStep(step))), { hint });
}

async function elsewise(repo: Repo, { session, turn, steps, paths }: Asked): Promise<string> {
  if (turn) return text.TAKEN_BACK_ELSE;
  const meant = session === undefined ? listStepped(repo) : [session];
  const { undo } = await readWorktreeSteps(repo, meant, undefined, paths.length > 0);
  if (undo.filter((step) => isConcerned(step, paths)).length <= steps) return text.TAKEN_BACK_ELSE;
  const before = callAgain(repo, { steps: steps + 1 }, 'undo', paths, session);
  return `${text.TAKEN_BACK_ELSE} ${text.goOnBefore(before)}`;
}
