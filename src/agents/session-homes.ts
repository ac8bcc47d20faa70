import { claudeSessionHome } from './claude-code/session-home.ts';
import { codexSessionHome } from './codex/session-home.ts';
import { copilotSessionHome } from './copilot-cli/session-home.ts';
import { cursorSessionHome } from './cursor/session-home.ts';
import { droidSessionHome } from './factoryai-droid/session-home.ts';
import { geminiSessionHome } from './gemini/session-home.ts';
import { AGENTS, type AgentName, DEFAULT_AGENT } from './names.ts';
import { opencodeSessionHome } from './opencode/session-home.ts';
import { piSessionHome } from './pi/session-home.ts';
import { qwenSessionHome } from './qwen-code/session-home.ts';
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

/**
 * The agent that metadata names by its type; `undefined` for one we do not know. Older releases wrote `Unknown` and
 * `Agent` for the default one.
 */
export function findAgent(agentType: string): AgentName | undefined {
  if (['Unknown', 'Agent'].includes(agentType)) return DEFAULT_AGENT;
  return (Object.keys(AGENTS) as AgentName[]).find((name) => AGENTS[name].type === agentType);
}
