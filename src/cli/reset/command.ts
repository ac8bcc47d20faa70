import { EntireError } from '../../base/errors.ts';
import {
  homeElsewhere,
  planReset,
  planSessionReset,
  type ResetStep,
  resetHead,
  resetSession,
} from '../../doctor/reset.ts';
import type { Repo } from '../../git/locate.ts';
import { listOwed } from '../../session/record/owed.ts';
import { readActivation } from '../../settings/enabled.ts';
import { settingsRoot } from '../../settings/followed.ts';
import { loadSettings } from '../../settings/settings.ts';
import { settleOwed } from '../../strategy/commit/settle.ts';
import { type Work, workIn } from '../../strategy/work.ts';
import { defineCommand } from '../command.ts';
import { withProgress } from '../ui/progress.ts';
import { openCommandLog, requireRepo } from '../ui/repo.ts';
import { canAsk, confirm, plain, type Question, say, warn } from '../ui/terminal.ts';
import * as text from './text.ts';

export const resetCommand = defineCommand({
  options: {
    session: { type: 'string', describe: 'Only this session, by its whole id' },
    force: { type: 'boolean', alias: 'f', describe: 'Reset without asking, active sessions too' },
  },

  async run({ session, force = false }) {
    const repo = await requireRepo('reset');
    requireManualCommit(repo);
    openCommandLog(repo, 'reset');
    const work = workIn(repo);
    // A commit that waits for its checkpoint gets it, before the steps that it is made of go.
    const isOn = readActivation(repo).kind === 'enabled';
    if (isOn && listOwed(repo.commonDir, repo.worktreeId).length > 0)
      await withProgress((progress) => {
        progress.step(text.SETTLING);
        return settleOwed(work);
      });
    await (session === undefined ? resetAll(work, force) : resetOne(work, session, force));
  },
});

function requireManualCommit(repo: Repo): void {
  const { strategy } = loadSettings(settingsRoot(repo)).effective;
  if (strategy === 'auto-commit') throw new EntireError('UNSUPPORTED', text.unsupported(strategy));
}

async function resetAll(work: Work, force: boolean): Promise<void> {
  const plan = planReset(work);
  if (!force && plan.active.length > 0) return warn(plain(text.activeSessions(plan.active, plan.homes)));
  if (plan.sessions.length === 0 && !plan.hasBranch) return warn(plain(text.nothingToReset(plan.branch)));
  const details = text.plan(plan.sessions, plan.homes, plan.hasBranch ? plan.branch : undefined);
  if (!force && !(await agreed({ ...text.HEAD_QUESTION, details: plain(details) }))) return;
  const steps = await withProgress((progress) =>
    resetHead(work, plan, force, (id, done, total) => progress.step(text.resetting(id), done, total)),
  );
  tell(steps);
  if (steps.length === 0) warn(plain(text.nothingToReset(plan.branch)));
}

async function resetOne(work: Work, session: string, force: boolean): Promise<void> {
  const { id, state, problem } = planSessionReset(work, session);
  if (problem !== undefined && !force) {
    const { message, hint } = text.loadFailed(problem);
    throw new EntireError('STATE_UNREADABLE', message, { hint });
  }
  const question = text.sessionQuestion(id, state, state && homeElsewhere(work.repo, state));
  if (!force && !(await agreed({ ...question, details: plain(question.details) }))) return;
  const steps = await withProgress((progress) => {
    progress.step(text.resetting(id));
    return resetSession(work, id);
  });
  tell(steps);
  if (!steps.some(({ kind }) => kind === 'cleared'))
    throw new EntireError('LOCKED', text.sessionNotReset(id));
  say(text.sessionReset(id));
}

const tell = (steps: readonly ResetStep[]): void => {
  for (const step of steps) warn(plain(text.describeStep(step)));
};

/** @throws {EntireError} `CONSENT_MISSING` where nobody can be asked */
async function agreed(question: Question): Promise<boolean> {
  if (canAsk()) return confirm(question);
  const { message, hint } = text.nobodyToAsk;
  throw new EntireError('CONSENT_MISSING', message, { hint });
}
