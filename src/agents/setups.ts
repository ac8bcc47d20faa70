import { claudeCodeSetup } from './claude-code/setup.ts';
import { codexSetup } from './codex/setup.ts';
import { copilotCliSetup } from './copilot-cli/setup.ts';
import { cursorSetup } from './cursor/setup.ts';
import { droidSetup } from './factoryai-droid/setup.ts';
import { geminiSetup } from './gemini/setup.ts';
import type { AgentName } from './names.ts';
import { opencodeSetup } from './opencode/setup.ts';
import { piSetup } from './pi/setup.ts';
import { qwenCodeSetup } from './qwen-code/setup.ts';
import type { AgentSetup } from './setup.ts';

/** How the agents that are built in are set up: apart from `registry.ts`, since hooks would load all of it at each event. */
const SETUPS: Readonly<Record<AgentName, AgentSetup>> = {
  'claude-code': claudeCodeSetup,
  codex: codexSetup,
  gemini: geminiSetup,
  opencode: opencodeSetup,
  'copilot-cli': copilotCliSetup,
  'qwen-code': qwenCodeSetup,
  pi: piSetup,
  'factoryai-droid': droidSetup,
  cursor: cursorSetup,
};

export const setupOf = (name: AgentName): AgentSetup => SETUPS[name];

export const allSetups = (): AgentSetup[] => Object.values(SETUPS);
