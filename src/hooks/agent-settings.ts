import { join } from 'node:path';
import { claudeSettings } from '../agents/claude-code/settings.ts';
import { codexSettings } from '../agents/codex/settings.ts';
import { copilotSettings } from '../agents/copilot-cli/settings.ts';
import { cursorSettings } from '../agents/cursor/settings.ts';
import { externalAgent } from '../agents/external/known.ts';
import { droidSettings } from '../agents/factoryai-droid/settings.ts';
import { geminiSettings } from '../agents/gemini/settings.ts';
import type { AgentSettings, SettingsPlace } from '../agents/hook/hook-settings.ts';
import { type AgentName, type AnyAgent, isBuiltIn } from '../agents/names.ts';
import { opencodeSettings } from '../agents/opencode/settings.ts';
import { piSettings } from '../agents/pi/settings.ts';
import { qwenSettings } from '../agents/qwen-code/settings.ts';
import type { Repo } from '../git/locate.ts';

/** How each agent's settings file is written. */
export const AGENT_SETTINGS = {
  'claude-code': claudeSettings,
  codex: codexSettings,
  gemini: geminiSettings,
  opencode: opencodeSettings,
  'copilot-cli': copilotSettings,
  'qwen-code': qwenSettings,
  pi: piSettings,
  'factoryai-droid': droidSettings,
  cursor: cursorSettings,
} satisfies Record<AgentName, AgentSettings>;

export const agentSettingsOf = (agent: AnyAgent): AgentSettings =>
  isBuiltIn(agent) ? AGENT_SETTINGS[agent] : externalAgent(agent).settings;

/** Where an agent's settings are in `repo`; what they were before us is remembered for each worktree. */
export function settingsPlace(repo: Repo, agent: AnyAgent): SettingsPlace {
  const name = repo.worktreeId === '' ? agent : `${agent}@${repo.worktreeId}`;
  return {
    root: repo.worktreeRoot,
    recordFile: join(repo.commonDir, 'entire', 'agent-settings', `${name}.json`),
  };
}
