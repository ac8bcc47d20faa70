import { findHookSwitch as findClaudeSwitch } from '../claude-code/hook-switch.ts';
import { findHookSwitch as findCodexSwitch } from '../codex/hook-switch.ts';
import { findHookSwitch as findCopilotSwitch } from '../copilot-cli/hook-switch.ts';
import { findHookSwitch as findDroidSwitch } from '../factoryai-droid/hook-switch.ts';
import { findHookSwitch as findGeminiSwitch } from '../gemini/hook-switch.ts';
import type { AgentName } from '../names.ts';
import { findHookSwitch as findQwenSwitch } from '../qwen-code/hook-switch.ts';

/** Finds the settings file by which an agent runs no hooks of a project; `undefined` where it runs them. */
export const HOOK_SWITCHES = {
  'claude-code': findClaudeSwitch,
  codex: findCodexSwitch,
  gemini: findGeminiSwitch,
  opencode: () => undefined, // what keeps it from loading plugins stands in the command that starts it
  'copilot-cli': findCopilotSwitch,
  'qwen-code': findQwenSwitch,
  pi: () => undefined,
  'factoryai-droid': findDroidSwitch,
  cursor: () => undefined,
} satisfies Record<AgentName, (root: string, env: NodeJS.ProcessEnv) => string | undefined>;
