import type { Agent } from '../agent.ts';
import { readMessages } from './conversation.ts';
import { cursorSessionHome, findTranscript } from './session-home.ts';
import { cursorTranscript } from './transcript.ts';

export const cursor: Agent = {
  transcript: cursorTranscript,
  readMessages,
  home: cursorSessionHome,
  settingsFiles: /^\.cursor\/hooks\.json$/,
  importTranscript: findTranscript,
  loadRehearsal: async () => (await import('./rehearsal.ts')).cursorRehearsal,
};
