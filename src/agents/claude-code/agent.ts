import type { Agent } from '../agent.ts';
import { hookContext, systemMessage } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { claudeSessionHome } from './session-home.ts';
import { claudeTranscript } from './transcript.ts';

export const claudeCode: Agent = {
  transcript: claudeTranscript,
  readMessages,
  home: claudeSessionHome,
  settingsFiles: /^\.claude\/settings[^/]*\.json$/,
  banner: systemMessage,
  remind: hookContext('SessionStart'),
  loadHeadless: async () => (await import('./headless.ts')).claudeHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).claudeRehearsal,
};
