import { AGENT_NAMES, type AgentName } from '../../agents/names.ts';
import { sessionHomeOf } from '../../agents/registry.ts';
import { EntireError } from '../../base/errors.ts';
import { runInPlace } from '../../base/process/program.ts';
import type { Repo } from '../../git/locate.ts';
import { programPlace } from '../../git/program-place.ts';
import type { LogPlan } from '../../restore/log/logs.ts';
import { findLaunchFolder } from '../../restore/resume/resume.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand } from '../command.ts';
import { DISABLED_GUARD } from '../explain/text.ts';
import { parseAgentFlag } from '../session/flags.ts';
import { requireRepo } from '../ui/repo.ts';
import { canAsk, confirm, renderJson, say, warn } from '../ui/terminal.ts';
import { resume } from './flow.ts';
import * as text from './text.ts';
import { renderOutcome } from './view.ts';

export const resumeCommand = defineCommand({
  positionals: { target: { type: 'string', describe: text.TARGET } },
  options: {
    force: { type: 'boolean', alias: 'f', describe: text.FLAGS.force },
    agent: { type: 'string', describe: text.FLAGS.agent },
    exec: { type: 'boolean', describe: text.FLAGS.exec },
    'dry-run': { type: 'boolean', describe: text.FLAGS.dryRun },
    json: { type: 'boolean', describe: text.FLAGS.json },
  },
  completes: { target: 'target', agent: AGENT_NAMES },
  examples: ['entire resume', 'entire resume --agent codex', 'entire resume feature --exec -- --model opus'],

  async run(flags, { words }) {
    const repo = await requireRepo('resume');
    const { json: isJson = false, force: isForced = false, 'dry-run': isDryRun = false } = flags;
    if (flags.exec && (isJson || isDryRun)) throw new EntireError('BAD_FLAGS', text.EXEC_ALONE);
    const into = parseAgentFlag(flags.agent);
    if (readActivation(repo).kind === 'disabled')
      return say(isJson ? renderJson({ enabled: false, reason: 'disabled' }) : DISABLED_GUARD);
    const outcome = await resume(
      {
        ...{ repo, isDryRun, isForced, isStarted: flags.exec === true, words, into },
        ask: (asked) => ask(asked, isForced, isJson),
        tell: (sentence) => void (isJson || sentence === '' || warn(sentence)),
      },
      flags.target,
    );
    if (isJson) say(renderOutcome(outcome, { words, into }));
    if (flags.exec && outcome.own) return goOnInChat(outcome.own.sessionId, into, words);
    const last = outcome.logs?.at(-1);
    if (!flags.exec || !last || outcome.result === 'cancelled') return;
    if (into !== undefined && into !== last.agent) await goOnInChat(last.sessionId, into, words);
    else await goOn(repo, last, words);
  },
});

async function ask({ question, refusal }: text.Asked, isForced: boolean, isJson: boolean): Promise<boolean> {
  if (isForced) return true;
  if (isJson || !canAsk()) throw new EntireError('CONSENT_MISSING', refusal.message, { hint: refusal.hint });
  return confirm(question);
}

/** Talks on in a session of ours, or of another agent, in this process. */
async function goOnInChat(
  resumed: string,
  agent: AgentName | undefined,
  words: readonly string[],
): Promise<void> {
  const { chat } = await import('../session/chat/command.ts');
  await chat('', { resume: resumed, ...(agent && { agent }) }, words);
}

/** Hands the terminal to the agent, and ends as it does. */
async function goOn(repo: Repo, log: LogPlan, words: readonly string[]): Promise<void> {
  const [program, ...args] = sessionHomeOf(log.agent).resumeCommand(log.sessionId);
  const { env } = process;
  const cwd = findLaunchFolder({ repo, env }, log, process.cwd()) ?? repo.worktreeRoot;
  const { code, failure } = await runInPlace({
    ...programPlace(repo, env),
    program,
    args: [...args, ...words],
    cwd,
  });
  if (failure) {
    const { message, hint } = text.notStarted(
      program,
      failure.code === 'ENOENT' ? failure.message : (failure.code ?? failure.message),
    );
    throw new EntireError('NOT_FOUND', message, { hint, cause: failure });
  }
  process.exitCode = code ?? 1;
}
