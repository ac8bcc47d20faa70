import type { StepName } from '../../doctor/self-test/cause.ts';
import type { SelfTestReport, StepResult } from '../../doctor/self-test/run.ts';
import { renderJson } from '../ui/terminal.ts';
import { describeFinding } from './findings.ts';
import { renderFinding } from './view.ts';

/** What each step shows, when it is ok. */
const STEP_TEXTS: Readonly<Record<StepName, string>> = {
  'git-folder': 'hooks may write where this repository keeps things',
  records: 'what is recorded of sessions can be read',
  scratch: 'a scratch repository with the settings and hooks of this one',
  'session-start': 'the agent starts, and its hook answers',
  prompt: 'a prompt opens a session',
  edit: 'an edit is on record when its hook returns',
  stop: 'the end of the turn saves what it changed',
  commit: 'a commit of it gets a trailer',
  checkpoint: 'the checkpoint is stored under the id in the message',
  'git-hooks': 'all git hooks are in place',
  'clean-up': 'the scratch repository is gone',
};

export const renderStep = ({ step, failure }: StepResult): string =>
  failure === undefined
    ? `ok      ${step}: ${STEP_TEXTS[step]}`
    : `FAILED  ${step}: ${STEP_TEXTS[step]}\n        ${failure}`;

/** What to make of the test, once it is over. */
export function renderOutcome({ steps, cause }: SelfTestReport): string {
  if (steps.every(({ failure }) => failure === undefined)) return '\nThe self-test passed.';
  const why = cause
    ? `Cause:\n${renderFinding(cause)}`
    : 'Nothing that `entire doctor` looks at explains it. ENTIRE_DEBUG=1 lets hooks say what they do.';
  return `\nThe self-test failed.\n\n${why}`;
}

/** The test for programs; documented in docs/json.md. */
export function renderSelfTestJson({ steps, cause }: SelfTestReport): string {
  const failed = steps.find(({ failure }) => failure !== undefined);
  return renderJson({
    passed: failed === undefined,
    failed_step: failed?.step ?? null,
    cause: cause ? { code: cause.code, ...describeFinding(cause), items: cause.items } : null,
    steps: steps.map(({ step, failure }) => ({
      step,
      ok: failure === undefined,
      failure: failure ?? null,
    })),
  });
}
