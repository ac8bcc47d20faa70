import { claudeSessionHome } from '../claude-code/session-home.ts';
import { codexSessionHome } from '../codex/session-home.ts';
import { copilotSessionHome } from '../copilot-cli/session-home.ts';
import { cursorSessionHome } from '../cursor/session-home.ts';
import { externalAgent, findExternalByType } from '../external/known.ts';
import { droidSessionHome } from '../factoryai-droid/session-home.ts';
import { geminiSessionHome } from '../gemini/session-home.ts';
import { AGENTS, type AgentName, type AnyAgent, DEFAULT_AGENT, isBuiltIn } from '../names.ts';
import { opencodeSessionHome } from '../opencode/session-home.ts';
import { piSessionHome } from '../pi/session-home.ts';
import { qwenSessionHome } from '../qwen-code/session-home.ts';
import type { SessionHome } from './session-home.ts';

/** Where each agent keeps its sessions. Apart from the readers of `registry.ts`: hooks have no use for it. */
export const SESSION_HOMES: Readonly<Record<AgentName, SessionHome>> = {
  'claude-code': claudeSessionHome,
  codex: codexSessionHome,
  gemini: geminiSessionHome,
  opencode: opencodeSessionHome,
  'copilot-cli': copilotSessionHome,
  'qwen-code': qwenSessionHome,
  pi: piSessionHome,
  'factoryai-droid': droidSessionHome,
  cursor: cursorSessionHome,
};

export const sessionHomeOf = (agent: AnyAgent): SessionHome =>
  isBuiltIn(agent) ? SESSION_HOMES[agent] : externalAgent(agent).home;

/**
 * The agent that metadata names by its type; `undefined` for one we do not know. Older releases wrote `Unknown` and
 * `Agent` for the default one.
 */
export function findAgent(agentType: string): AnyAgent | undefined {
  if (['Unknown', 'Agent'].includes(agentType)) return DEFAULT_AGENT;
  const names = Object.keys(AGENTS) as AgentName[];
  const name = names.find((candidate) => AGENTS[candidate].type === agentType);
  return name ?? (agentType === '' ? undefined : findExternalByType(agentType)?.name);
}
