import type { Agent } from '../agent.ts';
import { plainContext } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { piSessionHome } from './session-home.ts';
import { piTranscript } from './transcript.ts';

export const pi: Agent = {
  transcript: piTranscript,
  readMessages,
  home: piSessionHome,
  settingsFiles: /^\.pi\/extensions\/entire\//,
  remind: plainContext, // `extension.ts` adds it to what the client sends
  loadHeadless: async () => (await import('./headless.ts')).piHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).piRehearsal,
};
