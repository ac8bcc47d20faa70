import { EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { plain } from '../ui/terminal.ts';
import { type Asked, callAgain } from './step-sessions.ts';
import * as text from './text.ts';
import { describeStep, readOutcomes, type SessionBack } from './view.ts';

/** Whether nothing was done, as a stash has all that some turns did, and conversations that were cut off went on. */
export const isNotThere = (done: readonly SessionBack[]): boolean =>
  done.length > 0 &&
  done.every(
    ({ result }) => result.waits && readOutcomes(result).every(({ outcome }) => outcome === 'already'),
  );

/** @throws {EntireError} `NOTHING_TO_UNDO`, with where the work is; `UNDO_CONFLICT` with where a conversation is kept */
export function refuseNotThere(repo: Repo, asked: Asked, done: readonly SessionBack[]): never {
  const steps = done.flatMap(({ result }) => result.plan.steps);
  const { direction, paths, session, turn } = asked;
  const past = turn
    ? []
    : [text.goesPast(callAgain(repo, { steps: steps.length + 1 }, direction, paths, session), steps.length)];
  const logs = done.flatMap(({ result }) => (result.waits === 'log' ? result.logs : []));
  if (logs.length > 0) {
    const kept = logs.flatMap((log) => log.kept ?? []);
    throw new EntireError('UNDO_CONFLICT', text.conversationsStay(logs.map(({ file }) => plain(file))), {
      hint: [...(kept.length > 0 ? [text.keptIn(kept.map(plain))] : []), ...past].join(' '),
    });
  }
  throw new EntireError('NOTHING_TO_UNDO', text.notThere(steps.map((step) => describeStep(step))), {
    hint: [text.MAY_BE_STASHED, ...past].join(' '),
  });
}
