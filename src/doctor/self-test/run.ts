import { AGENT_NAMES, type AgentName, DEFAULT_AGENT } from '../../agents/names.ts';
import { setupOf } from '../../agents/setups.ts';
import { describeError } from '../../base/errors.ts';
import { settingsPlace } from '../../hooks/agent-settings.ts';
import { examine } from '../examine/examine.ts';
import type { Finding } from '../examine/finding.ts';
import type { Patient } from '../patient.ts';
import { findCause, findObstacle, STEPS, type StepName } from './cause.ts';
import { openPlay, type Play } from './play.ts';
import { makeScratch, removeScratch, type Scratch } from './scratch.ts';
import { ACTIONS, lastWords } from './steps.ts';

/** One step that was tried. */
export interface StepResult {
  readonly step: StepName;
  /** `undefined` where it succeeded: what was missing, and what the hook said. */
  readonly failure: string | undefined;
}

export interface SelfTestReport {
  readonly steps: readonly StepResult[];
  /** What explains the step that failed, as far as anything does. */
  readonly cause: Finding | undefined;
  /** Where the scratch repository was, and stays when it could not be removed. */
  readonly dir: string | undefined;
}

/**
 * Plays a session end to end in a repository of its own, with the hooks that the examined worktree has. Stops at the
 * first step that fails; what it made goes in any case.
 *
 * @param onStep told of each step when it is over
 */
export async function runSelfTest(
  patient: Patient,
  onStep: (result: StepResult) => void,
): Promise<SelfTestReport> {
  const findings = await examine(patient);
  const steps: StepResult[] = [];
  let scratch: Scratch | undefined;
  const giveUp = (signal: NodeJS.Signals): never => {
    if (scratch) removeScratch(scratch);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('SIGINT', giveUp).once('SIGTERM', giveUp);
  const attempt = async (step: StepName, act: () => Promise<string | undefined> | string | undefined) => {
    let failure: string | undefined;
    try {
      failure = await act();
    } catch (error) {
      failure = describeError(error);
    }
    const result = { step, failure };
    steps.push(result);
    onStep(result);
    return failure === undefined;
  };
  let play: Play | undefined;
  const perform = async (step: StepName): Promise<string | undefined> => {
    const action = ACTIONS[step];
    if (action && play) {
      const failure = await action(play, patient);
      return failure && [failure, lastWords(play)].filter(Boolean).join(': ');
    }
    if (step === 'scratch') {
      scratch = makeScratch(patient);
      play = openPlay(scratch, chooseAgent(patient));
      return undefined;
    }
    const obstacle = findObstacle(step, findings);
    return obstacle && (obstacle.detail ?? obstacle.items[0] ?? obstacle.code);
  };
  try {
    for (const step of STEPS.filter((name) => name !== 'clean-up'))
      if (!(await attempt(step, () => perform(step)))) break;
  } finally {
    const made = scratch;
    if (made) await attempt('clean-up', () => void removeScratch(made));
    process.off('SIGINT', giveUp).off('SIGTERM', giveUp);
  }
  const failed = steps.find(({ failure }) => failure !== undefined);
  return { steps, cause: failed && findCause(failed.step, findings), dir: scratch?.dir };
}

/** The agent that has our hooks. */
function chooseAgent({ repo }: Patient): AgentName {
  const names = AGENT_NAMES;
  const hasHooks = (name: AgentName): boolean => {
    try {
      return setupOf(name).settings.list(settingsPlace(repo, name)).length > 0;
    } catch {
      return false;
    }
  };
  return names.find(hasHooks) ?? DEFAULT_AGENT;
}
