import { AGENTS, type AgentName, parseAgentName } from '../../agents/names.ts';
import { EntireError } from '../../base/errors.ts';
import { AGENT_SETTINGS, settingsPlace } from '../../hooks/agent-settings.ts';
import { readActivation } from '../../settings/enabled.ts';
import * as text from '../agent-messages.ts';
import { hasHooks, installAgentHooks, readStandings } from '../agents.ts';
import { defineCommand } from '../command.ts';
import { renderJson } from '../json-output.ts';
import { requireRepo } from '../repo.ts';
import { plain, say, warn } from '../terminal.ts';

const ACTIONS = ['list', 'add', 'remove'] as const;

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
  completes: { action: ACTIONS, names: Object.keys(AGENTS) },
  async run({ action, names = [], json, force }) {
    const repo = await requireRepo('agent');
    if (!ACTIONS.some((one) => one === action)) throw badUse(text.unknownAction(plain(action)));
    if (action === 'list') {
      if (names.length > 0) throw badUse(`list takes no agent: ${plain(names.join(' '))}`);
      return list(json === true);
    }
    const agents = names.map(requireAgent);
    if (agents.length === 0) throw badUse(text.unknownAgent('', text.AGENT_USAGE));
    for (const agent of agents) {
      if (action === 'add') installAgentHooks(repo, agent, force === true);
      else say(text.removedHooks(agent, AGENT_SETTINGS[agent].uninstall(settingsPlace(repo, agent))));
    }
    if (action === 'add' && readActivation(repo).kind !== 'enabled') warn(text.NOT_ENABLED_YET);

    function list(asJson: boolean): void {
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
      const width = Math.max(...standings.map(({ name }) => name.length));
      for (const one of standings) {
        const { current, outdated, expected } = one.hooks;
        const count = hasHooks(one) ? `${current + outdated} of ${expected} hooks` : 'no hooks';
        if (one.refusal) warn(text.unreadableSettings(plain(one.refusal.message)));
        const where = text.PRESENCE[one.presence];
        say(`${one.name.padEnd(width)}  ${count.padEnd(14)}  ${where}`.trimEnd());
      }
    }
  },
});

const badUse = (message: string): EntireError =>
  new EntireError('BAD_FLAGS', message, { hint: `Usage: ${text.AGENT_USAGE}` });

function requireAgent(name: string): AgentName {
  const agent = parseAgentName(name);
  if (!agent) throw new EntireError('BAD_FLAGS', text.unknownAgent(plain(name), text.AGENT_USAGE));
  return agent;
}
