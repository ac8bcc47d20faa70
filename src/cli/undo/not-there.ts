import { EntireError } from '../../base/errors.ts';
import * as text from './text.ts';
import { describeStep, readOutcomes, type SessionBack } from './view.ts';

/** Whether nothing was done, as a stash has all that some turns did. */
export const isNotThere = (done: readonly SessionBack[]): boolean =>
  done.length > 0 &&
  done.every(
    ({ result }) => result.isStashed && readOutcomes(result).every(({ outcome }) => outcome === 'already'),
  );

/** @throws {EntireError} `NOTHING_TO_UNDO`, with where the work is */
export function refuseNotThere(done: readonly SessionBack[]): never {
  const turns = done.flatMap(({ result }) => result.plan.steps);
  throw new EntireError('NOTHING_TO_UNDO', text.notThere(turns.map((step) => describeStep(step))), {
    hint: text.MAY_BE_STASHED,
  });
}
