import { HOOK_READERS, type HookReader } from '../../../src/agents/hook/hook-inputs.ts';
import { AGENTS, type AgentName } from '../../../src/agents/names.ts';

/** How the payloads of all agents are read: loaded, as no hook has need of. */
export const LOADED_READERS = Object.fromEntries(
  await Promise.all(
    (Object.keys(AGENTS) as AgentName[]).map(async (agent) => [agent, await HOOK_READERS[agent]()] as const),
  ),
) as Readonly<Record<AgentName, HookReader>>;
