import type { HookReader } from '../../../src/agents/event.ts';
import { AGENT_NAMES, AGENTS, type AgentName } from '../../../src/agents/names.ts';
import { agentOf, headlessAgents } from '../../../src/agents/registry.ts';
import type { Headless } from '../../../src/agents/shared/headless/headless.ts';
import type { Rehearsal } from '../../../src/agents/shared/headless/rehearsal.ts';

/** What is loaded of one agent where it is needed, of all of them. */
const loadAll = async <T>(
  names: readonly AgentName[],
  load: (name: AgentName) => Promise<T> | undefined,
): Promise<Record<AgentName, T>> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await load(name)])));

export const LOADED_READERS: Readonly<Record<AgentName, HookReader>> = await loadAll(AGENT_NAMES, (name) =>
  AGENTS[name].loadHooks(),
);

export const HEADLESS: Readonly<Partial<Record<AgentName, Headless>>> = await loadAll(
  headlessAgents(),
  (name) => agentOf(name).loadHeadless?.(),
);

export const REHEARSALS: Readonly<Record<AgentName, Rehearsal>> = await loadAll(AGENT_NAMES, (name) =>
  agentOf(name).loadRehearsal(),
);
