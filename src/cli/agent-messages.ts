import { AGENTS, type AgentName, DEFAULT_AGENT } from '../agents/names.ts';

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

const types = (agents: readonly AgentName[]): string => agents.map((agent) => AGENTS[agent].type).join(', ');

export const alreadyEnabled = (agents: readonly AgentName[], config: string): string =>
  `Already enabled. Everything looks good.\n\n  Agent: ${types(agents)}\n  Config: ${config}`;
export const agentLine = (agents: readonly AgentName[], isChosen: boolean): string =>
  `Agent: ${types(agents)}${isChosen ? '' : ' (use --agent to change)'}\n`;
export const agentHooks = (agent: AgentName, count: number): string =>
  count === 0
    ? `Hooks for ${AGENTS[agent].description} already installed`
    : `Installed ${count} hooks for ${AGENTS[agent].description}`;
export const surplusHooks = (count: number): string =>
  `Removed ${count} ${count === 1 ? 'hook' : 'hooks'} of ours that would have run twice`;
export const removedHooks = (agent: AgentName, count: number): string =>
  count === 0
    ? `No hooks for ${AGENTS[agent].description} were installed`
    : `Removed ${count} hooks for ${AGENTS[agent].description}`;

export const agentNeeds = (agent: AgentName, need: string): string =>
  `Note: ${AGENTS[agent].type} does not run these hooks yet. ${need}`;

export const unreadableSettings = (reason: string): string => `Warning: ${reason}`;

export const WHICH_AGENTS = 'Which agents do you use here?';
export const NO_AGENT_CHOSEN = 'No agent was chosen: nothing was changed.';
export const PRESENCE = { here: 'used here', installed: 'installed', unknown: '' } as const;
export const AGENT_USAGE = 'entire agent list | add <agent>… | remove <agent>…';
export const unknownAction = (action: string): string =>
  action === '' ? 'say what to do with agents' : `there is no "entire agent ${action}"`;
export const NOT_ENABLED_YET =
  'Note: Entire is not enabled here. Hooks do nothing until you run `entire enable`.';
