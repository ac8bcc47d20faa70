import type { Agent } from '../agent.ts';
import { plainContext } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { copilotSessionHome } from './session-home.ts';
import { copilotTranscript } from './transcript.ts';

export const copilotCli: Agent = {
  transcript: copilotTranscript,
  readMessages,
  home: copilotSessionHome,
  settingsFiles: /^\.github\/hooks\/[^/]+\.json$/,
  remind: plainContext, // the changelog of the client tells of it
  loadHeadless: async () => (await import('./headless.ts')).copilotHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).copilotRehearsal,
};
