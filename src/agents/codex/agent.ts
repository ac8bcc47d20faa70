import type { Agent } from '../agent.ts';
import { hookContext, systemMessage } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { codexSessionHome } from './session-home.ts';
import { codexTranscript } from './transcript.ts';

export const codex: Agent = {
  transcript: codexTranscript,
  readMessages,
  home: codexSessionHome,
  settingsFiles: /^\.codex\/(?:hooks\.json|config\.toml)$/,
  banner: (text) => systemMessage(text.trim()),
  remind: hookContext('SessionStart'), // reads are shell commands there, and nobody counts them
  loadHeadless: async () => (await import('./headless.ts')).codexHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).codexRehearsal,
};
