import { claudeRehearsal } from '../claude-code/rehearsal.ts';
import { codexRehearsal } from '../codex/rehearsal.ts';
import { copilotRehearsal } from '../copilot-cli/rehearsal.ts';
import { cursorRehearsal } from '../cursor/rehearsal.ts';
import { droidRehearsal } from '../factoryai-droid/rehearsal.ts';
import { geminiRehearsal } from '../gemini/rehearsal.ts';
import type { AgentName } from '../names.ts';
import { opencodeRehearsal } from '../opencode/rehearsal.ts';
import { piRehearsal } from '../pi/rehearsal.ts';
import { qwenRehearsal } from '../qwen-code/rehearsal.ts';
import type { Rehearsal } from './rehearsal.ts';

/** How each agent's sessions are played without it. */
export const AGENT_REHEARSALS = {
  'claude-code': claudeRehearsal,
  codex: codexRehearsal,
  gemini: geminiRehearsal,
  opencode: opencodeRehearsal,
  'copilot-cli': copilotRehearsal,
  'qwen-code': qwenRehearsal,
  pi: piRehearsal,
  'factoryai-droid': droidRehearsal,
  cursor: cursorRehearsal,
} satisfies Record<AgentName, Rehearsal>;
