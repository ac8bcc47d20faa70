import { AGENTS } from '../../agents/names.ts';
import type { Repo } from '../../git/locate.ts';
import { howTo, listExternalAgents } from '../../hooks/agent/external-agents.ts';
import { agentSettingsOf, settingsPlace } from '../../hooks/agent-settings.ts';
import { readActivation } from '../../settings/enabled.ts';
import { defineCommand, defineGroup } from '../command.ts';
import { requireRepo } from '../ui/repo.ts';
import { plain, renderJson, say, warn } from '../ui/terminal.ts';
import { hasHooks, installAgentHooks, readStandings, requireAgent } from './agents.ts';
import * as text from './text.ts';

const agents = { type: 'string', array: true, demandOption: true, describe: 'Names of agents' } as const;
const completes = { agent: Object.keys(AGENTS) };

const listCommand = defineCommand({
  options: { json: { type: 'boolean', describe: 'Print the list as JSON' } },
  run: async ({ json }) => list(await requireRepo('agent'), json === true),
});

const addCommand = defineCommand({
  positionals: { agent: agents },
  options: {
    force: { type: 'boolean', alias: 'f', describe: "Remove Entire's hooks first, then install them again" },
  },
  completes,
  examples: ['entire agent add codex gemini'],
  async run({ agent: names, force }) {
    const repo = await requireRepo('agent');
    const chosen = names.map((name) => requireAgent(repo, name, 'entire agent add <agent>...'));
    for (const agent of chosen) installAgentHooks(repo, agent, force === true);
    if (readActivation(repo).kind !== 'enabled') warn(text.NOT_ENABLED_YET);
  },
});

const removeCommand = defineCommand({
  positionals: { agent: agents },
  options: {},
  completes,
  async run({ agent: names }) {
    const repo = await requireRepo('agent');
    const chosen = names.map((name) => requireAgent(repo, name, 'entire agent remove <agent>...'));
    for (const agent of chosen)
      say(text.removedHooks(agent, agentSettingsOf(agent).uninstall(settingsPlace(repo, agent))));
  },
});

/** Which agents have our hooks in this worktree. */
export const agentCommands = defineGroup({
  bare: 'list',
  commands: {
    list: {
      describe: 'List the agents, and which of them have hooks here',
      load: async () => listCommand,
    },
    add: { describe: "Install Entire's hooks for agents", takes: '<agent..>', load: async () => addCommand },
    remove: {
      describe: "Remove Entire's hooks of agents",
      takes: '<agent..>',
      load: async () => removeCommand,
    },
  },
});

function list(repo: Repo, asJson: boolean): void {
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
  for (const { name } of unused) say(`${name.padEnd(width)}  ${'no hooks'.padEnd(14)}  ${text.EXTERNAL_OFF}`);
  for (const { name, reason } of problems) warn(text.externalFailed(name, plain(reason)));
  if (wish === 'shared' || (wish === 'off' && unused.length > 0)) warn(`\n${howTo(wish)}`);
}
