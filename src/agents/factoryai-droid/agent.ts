import type { Agent } from '../agent.ts';
import type { AgentEvent } from '../event.ts';
import { hookContext, systemMessage } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { droidSessionHome } from './session-home.ts';
import { droidTranscript, findUnsaidPrompt } from './transcript.ts';

/** @see https://docs.factory.ai/reference/hooks-reference */
const HOOKS: Partial<Record<AgentEvent['type'], string>> = {
  TurnStart: 'UserPromptSubmit',
  ShellCommand: 'PostToolUse',
};

export const droid: Agent = {
  transcript: droidTranscript,
  readMessages,
  home: droidSessionHome,
  settingsFiles: /^\.factory\/(?:settings[^/]*|hooks)\.json$/,
  banner: (text) => systemMessage(text.trim()),
  remind: (text, on) => hookContext(HOOKS[on] ?? 'SessionStart')(text),
  forgets: true,
  findUnsaidPrompt,
  loadHeadless: async () => (await import('./headless.ts')).droidHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).droidRehearsal,
};
