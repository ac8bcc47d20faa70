import { describeError } from '../../base/errors.ts';
import { lookInto } from '../../checkpoint/read/folders.ts';
import type { Work } from '../../strategy/work.ts';
import { checkCheckpoints } from './checkpoints.ts';
import { checkNotes } from './notes.ts';
import type { Looked, Problem, Verification } from './problem.ts';
import { checkLedgers, checkRecords } from './records.ts';
import { checkSessions } from './sessions.ts';
import { checkSnapshots } from './snapshots.ts';
import { checkSteps } from './steps.ts';

/** One kind of thing that is looked at. */
interface Check {
  /** Named where the check itself fails. */
  readonly name: string;
  run(verification: Verification): void | Promise<void>;
}

/** In the order in which they run. A new kind of thing that we store gets a line here. */
const CHECKS: readonly Check[] = [
  { name: 'checkpoints', run: checkCheckpoints },
  { name: 'notes', run: checkNotes },
  { name: 'steps', run: checkSteps },
  { name: 'sessions', run: checkSessions },
  { name: 'records', run: checkRecords },
  { name: 'ledgers', run: checkLedgers },
  { name: 'snapshots', run: checkSnapshots },
];

export interface VerifyReport {
  readonly problems: readonly Problem[];
  readonly looked: Looked;
}

/**
 * Holds what is stored against how we write it. Never writes, and never fails because of what is stored. Without
 * `readData` the cost is that of the checkpoints, steps and sessions there are: no transcript is read.
 */
export async function verify(
  work: Work,
  readData: boolean,
  step: Verification['step'] = () => {},
): Promise<VerifyReport> {
  const problems: Problem[] = [];
  const looked: Looked = { checkpoints: 0, steps: 0, sessions: 0, records: 0, texts: 0 };
  // In a partial clone git would fetch what is missing.
  const git = { ...work.git, env: { ...work.git.env, GIT_NO_LAZY_FETCH: '1' } };
  await lookInto(git, async (look) => {
    const report = (problem: Problem): void => void problems.push(problem);
    const verification = { work: { ...work, git }, readData, look, looked, report, step };
    for (const { name, run } of CHECKS) {
      step(`Verifying ${name}`);
      try {
        await run(verification);
      } catch (error) {
        // One that cannot look keeps nobody from looking elsewhere.
        problems.push({ code: 'check-failed', where: name, detail: describeError(error) });
      }
    }
  });
  return { problems, looked };
}
