import { type ExternalAgent, externalAgents } from '../../agents/external/locate.ts';
import {
  AGENT_NAMES,
  AGENTS,
  type AgentName,
  type AnyAgent,
  DEFAULT_AGENT,
  isBuiltIn,
  parseAgentName,
} from '../../agents/names.ts';
import { findAgents, findWaiting, type Presence } from '../../agents/presence.ts';
import { setupOf } from '../../agents/setups.ts';
import type { AgentHooks } from '../../agents/shared/hook-settings.ts';
import { describeError, EntireError } from '../../base/errors.ts';
import type { Repo } from '../../git/locate.ts';
import { isOnPath, openExternalAgent } from '../../hooks/agent/external-agents.ts';
import { agentSettingsOf, settingsPlace } from '../../hooks/agent-settings.ts';
import { canAsk, chooseSome, plain, say, warn } from '../ui/terminal.ts';
import { findAgentNamed } from './named.ts';
import {
  agentHooks,
  agentNeeds,
  externalFailed,
  PRESENCE,
  surplusHooks,
  unknownAgent,
  WHICH_AGENTS,
} from './text.ts';

/** How one agent stands in a worktree. */
export interface AgentStanding {
  readonly name: AnyAgent;
  readonly type: string;
  readonly presence: Presence;
  /** None where its settings cannot be read. */
  readonly hooks: AgentHooks;
  /** `CONFIG_UNREADABLE`. Of no concern to whoever means other agents. */
  readonly refusal: EntireError | undefined;
}

/** Every agent, in the order of their names; those that are not built in last. */
export function readStandings(repo: Repo): AgentStanding[] {
  const found = findAgents(repo.worktreeRoot, process.env);
  const builtIn = [...AGENT_NAMES].sort().map((name) => ({
    name,
    type: AGENTS[name].type,
    presence: found.get(name) ?? 'unknown',
    ...inspect(repo, name),
  }));
  return [...builtIn, ...externalAgents().flatMap(readExternalStanding)];
}

/** One whose executable does not answer must not keep the others from being set up. */
function readExternalStanding({ name, type, isPresent, settings }: ExternalAgent): AgentStanding[] {
  try {
    const presence = isPresent() ? 'installed' : 'unknown';
    return [{ name, type, presence, hooks: settings.inspect({ root: '' }), refusal: undefined }];
  } catch (error) {
    warn(externalFailed(name, plain(describeError(error))));
    return [];
  }
}

/**
 * The agent that somebody named.
 *
 * @throws {EntireError} `BAD_FLAGS` for one that nobody knows; `UNSUPPORTED`, `PLUGIN_FAILED` for one that is not built in
 */
export function requireAgent(repo: Repo, name: string, usage?: string): AnyAgent {
  const builtIn = parseAgentName(name);
  if (builtIn) return builtIn;
  if (!isOnPath(repo, name)) {
    const named = findAgentNamed(name);
    if (named) return named;
    throw new EntireError('BAD_FLAGS', unknownAgent(plain(name), usage));
  }
  return externalAgents().find((agent) => agent.name === name)?.name ?? openExternalAgent(repo, name).name;
}

const NO_HOOKS: AgentHooks = { expected: 0, current: 0, outdated: 0, surplus: 0, obsolete: 0, unmet: 0 };

function inspect(repo: Repo, name: AgentName): Pick<AgentStanding, 'hooks' | 'refusal'> {
  try {
    return { hooks: setupOf(name).settings.inspect(settingsPlace(repo, name)), refusal: undefined };
  } catch (error) {
    if (error instanceof EntireError) return { hooks: NO_HOOKS, refusal: error };
    throw error;
  }
}

export const hasHooks = ({ hooks }: Pick<AgentStanding, 'hooks'>): boolean =>
  hooks.current + hooks.outdated > 0;

/** Whether nothing is missing, and nothing of ours is there twice. */
export const isComplete = ({ current, expected, surplus, obsolete, unmet }: AgentHooks): boolean =>
  current === expected && surplus + obsolete + unmet === 0;

/**
 * The agents to set up where nobody has named any: a person at a terminal chooses; else those that have our hooks already or
 * are used here, and where there is none, the default one.
 *
 * @returns `undefined` where a person would rather choose none
 */
export async function chooseAgents(standings: readonly AgentStanding[]): Promise<AnyAgent[] | undefined> {
  const used = standings.filter((one) => hasHooks(one) || one.presence === 'here').map(({ name }) => name);
  const offered = standings.filter((one) => hasHooks(one) || one.presence !== 'unknown');
  if (offered.length < 2 || !canAsk()) return used.length > 0 ? used : [DEFAULT_AGENT];
  const choices = offered.map(({ name, type, presence }) => ({
    value: name,
    label: PRESENCE[presence] === '' ? type : `${type} (${PRESENCE[presence]})`,
  }));
  const chosen = await chooseSome(WHICH_AGENTS, choices, used);
  return chosen && chosen.length > 0 ? chosen : undefined;
}

/** Installs the hooks of one agent, and says so. @throws {EntireError} `CONFIG_UNREADABLE`, `PLUGIN_FAILED` */
export function installAgentHooks(repo: Repo, agent: AnyAgent, force: boolean): void {
  const { installed, removed } = agentSettingsOf(agent).install(settingsPlace(repo, agent), { force });
  say(agentHooks(agent, installed));
  if (removed > 0) say(surplusHooks(removed));
  const waiting = isBuiltIn(agent) && findWaiting(agent, repo.worktreeRoot, process.env);
  if (waiting) warn(agentNeeds(agent, waiting.need));
}
