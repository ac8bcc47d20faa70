import { AGENTS, parseAgentName } from '../../agents/names.ts';
import { agentOf } from '../../agents/registry.ts';
import { log, openLog } from '../../base/log.ts';
import { readActivation } from '../../settings/enabled.ts';
import { failOpenAsync } from '../fail-open.ts';
import { locateSessionHome } from '../session-home.ts';
import { readPayload } from '../stdin.ts';
import { act } from './act.ts';

/**
 * Runs every agent hook but the hot one: payload → event → what the event means. Exits 0 whatever happens; an
 * unknown verb, a folder without a repository, and one that is not enabled do nothing. An agent that is not built in may be
 * one that an executable of the user's speaks for.
 */
export async function runAgentHook(
  name: string,
  verb: string | undefined,
  readInput: () => unknown = readPayload,
): Promise<void> {
  if (!verb) return;
  const agent = parseAgentName(name);
  if (!agent) return (await import('./external-hook.ts')).runExternalHook(name, verb);
  await failOpenAsync(verb, async () => {
    const known = locateSessionHome(undefined);
    const early = known && readActivation(known);
    if (early?.kind === 'enabled') openLog(early.root, early.logLevel, { component: 'hooks', agent });

    const payload = readInput();
    const event = (await AGENTS[agent].loadHooks()).parseHookInput(verb, payload);
    if (event === undefined) return;
    if ('rejected' in event) return log('warn', 'hook skipped', { hook: verb, error: event.rejected });

    const repo = locateSessionHome(event.cwd);
    if (!repo) return;
    await act({ repo, activation: readActivation(repo) }, agent, verb, event, async () => {
      const take = agentOf(agent).importTranscript;
      if (!take) return undefined;
      const { dropPrivateMessages, readMask } = await import('../../strategy/transcript/private.ts');
      return take(repo.worktreeRoot, dropPrivateMessages(readMask(repo.commonDir, event.sessionId), payload));
    });
  });
}
