import type { Agent } from '../agent.ts';
import { plainContext } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { importTranscript } from './document.ts';
import { opencodeSessionHome } from './session-home.ts';
import { opencodeTranscript } from './transcript.ts';

export const opencode: Agent = {
  transcript: opencodeTranscript,
  readMessages,
  home: opencodeSessionHome,
  settingsFiles: /^\.opencode\/plugins?\/entire[^/]*$/,
  remind: plainContext, // `plugin.ts` adds it to what the client sends
  importTranscript,
  loadHeadless: async () => (await import('./headless.ts')).opencodeHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).opencodeRehearsal,
};
