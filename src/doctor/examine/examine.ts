import { describeError } from '../../base/errors.ts';
import { judgeBranches, readBranches } from '../clean/branches.ts';
import { isEnabled, type Patient } from '../patient.ts';
import { judgeAccess, readAccess } from './access.ts';
import { judgeAgentHooks, readAgentHooks } from './agent-hooks.ts';
import { type Finding, found } from './finding.ts';
import { judgeGitHooks, readGitHooks } from './git-hooks.ts';
import { judgeHistory, readHistory } from './history.ts';
import { judgeLife, readLife } from './life.ts';
import { judgeRecent, readRecent } from './log-failures.ts';
import { judgeOwed, readOwed } from './owed.ts';
import { judgeProgram, readProgram } from './program.ts';
import { judgeRecords, readRecords } from './records.ts';
import {
  judgeConsent,
  judgeExternalAgents,
  judgeSetUp,
  readConsent,
  readExternalAgents,
  readSetUp,
} from './set-up.ts';

/** One thing that is looked at: what was read is judged by a function of nothing else. */
interface Check {
  /** Named where the check itself fails, and while it runs. */
  readonly name: string;
  run(patient: Patient): Promise<Finding[]>;
}

function check<F>(
  name: string,
  read: (patient: Patient) => F | Promise<F>,
  judge: (facts: F) => Finding[],
): Check {
  return { name, run: async (patient) => judge(await read(patient)) };
}

/** Whatever the settings say. */
const ALWAYS: readonly Check[] = [
  check('settings', readSetUp, judgeSetUp),
  check('folders', readAccess, judgeAccess),
  check('records', readRecords, judgeRecords),
  check('owed checkpoints', readOwed, judgeOwed),
  check('branches', readBranches, judgeBranches),
  check('the recent history', readHistory, judgeHistory),
  check('the log', readRecent, judgeRecent),
];

/** Only where hooks are to act. */
const WHERE_ENABLED: readonly Check[] = [
  check('programs', readProgram, judgeProgram),
  check('git hooks', readGitHooks, judgeGitHooks),
  check('agent hooks', readAgentHooks, judgeAgentHooks),
  check('external agents', readExternalAgents, judgeExternalAgents),
  check('consent', readConsent, judgeConsent),
  check('signs of life', readLife, judgeLife),
];

/**
 * Examines a worktree and its repository. Reads only. What it costs grows with what is wrong and with what is going on,
 * not with the repository or its history: of that only the newest part is looked at.
 *
 * @param onStep told of each check before it begins
 */
export async function examine(
  patient: Patient,
  onStep: (name: string, done: number, total: number) => void = () => {},
): Promise<Finding[]> {
  const checks = [...ALWAYS, ...(isEnabled(patient) ? WHERE_ENABLED : [])];
  const findings: Finding[] = [];
  const failed = new Map<string, string[]>();
  for (const [index, { name, run }] of checks.entries()) {
    onStep(name, index + 1, checks.length);
    try {
      findings.push(...(await run(patient)));
    } catch (error) {
      // One that cannot look keeps nobody from looking elsewhere.
      const reason = describeError(error).replace(/^git \S+ failed: /, ''); // the same of whichever command
      failed.set(reason, [...(failed.get(reason) ?? []), name]);
    }
  }
  return [...findings, ...[...failed].map(([detail, names]) => found('check-failed', names, { detail }))];
}
