import { AGENTS } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { howTo, listExternalAgents } from '../../hooks/agent/external-agents.ts';
import { agentSettingsOf, settingsPlace } from '../../hooks/agent-settings.ts';
import { readActivation } from '../../settings/enabled.ts';
import { type ActionFlags, defineCommand, foreignFlag, isActionOf } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, renderJson, say, warn } from '../ui/terminal.ts';
import { hasHooks, installAgentHooks, readStandings, requireAgent } from './agents.ts';
import * as text from './text.ts';

/** Which flags each action takes. */
const ACTIONS = { list: ['json'], add: ['force'], remove: [] } as const satisfies ActionFlags;

/** Which agents have our hooks in this worktree. */
export const agentCommand = defineCommand({
  positionals: {
    action: { type: 'string', default: 'list', describe: 'list, add or remove' },
    names: { type: 'string', array: true, describe: 'Agents to add or remove' },
  },
  options: {
    json: { type: 'boolean', describe: 'Print the list as JSON' },
    force: { type: 'boolean', alias: 'f', describe: 'Remove our hooks first, then install them again' },
  },
  completes: { action: Object.keys(ACTIONS), names: Object.keys(AGENTS) },
  async run({ action, names = [], json, force }) {
    const repo = await requireRepo('agent');
    if (!isActionOf(ACTIONS, action)) throw badUse(text.unknownAction(plain(action)));
    const foreign = foreignFlag(ACTIONS, action, { json, force });
    if (foreign !== undefined) throw badUse(foreign);
    if (action === 'list') {
      if (names.length > 0) throw badUse(`list takes no agent: ${plain(names.join(' '))}`);
      return list(json === true);
    }
    const agents = names.map((name) => requireAgent(repo, name, text.AGENT_USAGE));
    if (agents.length === 0) throw badUse(text.unknownAgent('', text.AGENT_USAGE));
    for (const agent of agents) {
      if (action === 'add') installAgentHooks(repo, agent, force === true);
      else say(text.removedHooks(agent, agentSettingsOf(agent).uninstall(settingsPlace(repo, agent))));
    }
    if (action === 'add' && readActivation(repo).kind !== 'enabled') warn(text.NOT_ENABLED_YET);

    function list(asJson: boolean): void {
      const { wish, programs, problems } = listExternalAgents(repo);
      const standings = readStandings(repo);
      if (asJson) {
        const agents = standings.map(({ name, type, presence, hooks, refusal }) => ({
          name,
          type,
          presence,
          hooks: refusal ? null : hooks.current + hooks.outdated,
          expected: refusal ? null : hooks.expected,
        }));
        return say(renderJson({ agents }));
      }
      const unused = wish === 'on' ? [] : programs;
      const width = Math.max(...[...standings, ...unused].map(({ name }) => name.length));
      for (const one of standings) {
        const { current, outdated, expected } = one.hooks;
        const count = hasHooks(one) ? `${current + outdated} of ${expected} hooks` : 'no hooks';
        if (one.refusal) warn(text.unreadableSettings(plain(one.refusal.message)));
        const where = text.PRESENCE[one.presence];
        say(`${one.name.padEnd(width)}  ${count.padEnd(14)}  ${where}`.trimEnd());
      }
      for (const { name } of unused)
        say(`${name.padEnd(width)}  ${'no hooks'.padEnd(14)}  ${text.EXTERNAL_OFF}`);
      for (const { name, reason } of problems) warn(text.externalFailed(name, plain(reason)));
      if (wish === 'shared' || (wish === 'off' && unused.length > 0)) warn(`\n${howTo(wish)}`);
    }
  },
});

const badUse = (message: string): EntireError =>
  new EntireError('BAD_FLAGS', message, { hint: `Usage: ${text.AGENT_USAGE}` });
