import { AGENTS, type AnyAgent, DEFAULT_AGENT } from '../../agents/names.ts';
import { identityOf, typeOf } from '../../agents/registry.ts';

/** What the commands about agents say. */

const agentList = (): string =>
  Object.keys(AGENTS)
    .sort()
    .map((name) => (name === DEFAULT_AGENT ? `  ${name}    (default)` : `  ${name}`))
    .join('\n');

export const unknownAgent = (name: string, usage = 'entire enable --agent <agent-name>'): string => {
  const start = name === '' ? 'Missing agent name.' : `Unknown agent "${name}".`;
  return `${start} Available agents:\n\n${agentList()}\n\nUsage: ${usage}`;
};

const types = (agents: readonly AnyAgent[]): string => agents.map(typeOf).join(', ');

export const alreadyEnabled = (agents: readonly AnyAgent[], config: string): string =>
  `Already enabled. Everything looks good.\n\n  Agent: ${types(agents)}\n  Config: ${config}`;
export const agentLine = (agents: readonly AnyAgent[], isChosen: boolean): string =>
  `Agent: ${types(agents)}${isChosen ? '' : ' (use --agent to change)'}\n`;
export const agentHooks = (agent: AnyAgent, count: number): string =>
  count === 0
    ? `Hooks for ${identityOf(agent).description} already installed`
    : `Installed ${count} hooks for ${identityOf(agent).description}`;
export const surplusHooks = (count: number): string =>
  `Removed ${count} ${count === 1 ? 'hook' : 'hooks'} of Entire's that would have run twice`;
export const removedHooks = (agent: AnyAgent, count: number): string =>
  count === 0
    ? `No hooks for ${identityOf(agent).description} were installed`
    : `Removed ${count} hooks for ${identityOf(agent).description}`;

export const agentNeeds = (agent: AnyAgent, need: string): string =>
  `Note: ${typeOf(agent)} does not run these hooks yet. ${need}`;

export const externalFailed = (name: string, reason: string): string =>
  `Warning: agent ${name} cannot be used: ${reason}`;
export const EXTERNAL_OFF = 'on PATH, not used';

export const unreadableSettings = (reason: string): string => `Warning: ${reason}`;

export const WHICH_AGENTS = 'Which agents do you use here?';
export const NO_AGENT_CHOSEN = 'No agent was chosen: nothing was changed.';
export const PRESENCE = { here: 'used here', installed: 'installed', unknown: '' } as const;
export const NOT_ENABLED_YET =
  'Note: Entire is not enabled here. Hooks do nothing until you run `entire enable`.';
