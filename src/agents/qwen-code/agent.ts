import type { Agent } from '../agent.ts';
import { hookContext } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { qwenSessionHome } from './session-home.ts';
import { qwenTranscript } from './transcript.ts';

export const qwenCode: Agent = {
  transcript: qwenTranscript,
  readMessages,
  home: qwenSessionHome,
  settingsFiles: /^\.qwen\/settings[^/]*\.json$/,
  remind: hookContext('SessionStart'), // https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks
  forgets: true,
  loadHeadless: async () => (await import('./headless.ts')).qwenHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).qwenRehearsal,
};
