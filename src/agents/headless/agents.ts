import { claudeHeadless } from '../claude-code/headless.ts';
import { codexHeadless } from '../codex/headless.ts';
import { copilotHeadless } from '../copilot-cli/headless.ts';
import { droidHeadless } from '../factoryai-droid/headless.ts';
import { geminiHeadless } from '../gemini/headless.ts';
import type { AgentName } from '../names.ts';
import { opencodeHeadless } from '../opencode/headless.ts';
import { piHeadless } from '../pi/headless.ts';
import { qwenHeadless } from '../qwen-code/headless.ts';
import type { Headless } from './headless.ts';

/** The agents that can be driven without a terminal, and how. */
export const HEADLESS: Readonly<Partial<Record<AgentName, Headless>>> = {
  'claude-code': claudeHeadless,
  codex: codexHeadless,
  gemini: geminiHeadless,
  opencode: opencodeHeadless,
  'copilot-cli': copilotHeadless,
  'factoryai-droid': droidHeadless,
  'qwen-code': qwenHeadless,
  pi: piHeadless,
};
