import type { Agent } from '../agent.ts';
import { readMessages } from './conversation.ts';
import { cursorSessionHome, findTranscript } from './session-home.ts';
import { cursorSettings } from './settings.ts';
import { cursorTranscript } from './transcript.ts';

export const cursor: Agent = {
  transcript: cursorTranscript,
  readMessages,
  home: cursorSessionHome,
  settings: cursorSettings,
  settingsFiles: /^\.cursor\/hooks\.json$/,
  traces: { here: ['.cursor'], program: 'cursor' },
  importTranscript: findTranscript,
  loadRehearsal: async () => (await import('./rehearsal.ts')).cursorRehearsal,
};
