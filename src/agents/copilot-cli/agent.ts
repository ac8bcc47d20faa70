import type { Agent } from '../agent.ts';
import { plainContext } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { copilotSessionHome } from './session-home.ts';
import { copilotSettings, findHookSwitch, findWaiting } from './settings.ts';
import { copilotTranscript } from './transcript.ts';

export const copilotCli: Agent = {
  transcript: copilotTranscript,
  readMessages,
  home: copilotSessionHome,
  settings: copilotSettings,
  settingsFiles: /^\.github\/hooks\/[^/]+\.json$/,
  traces: { here: ['.github/hooks', '.github/copilot', '.github/copilot-instructions.md'] },
  findHookSwitch,
  findWaiting,
  remind: plainContext, // the changelog of the client tells of it
  loadHeadless: async () => (await import('./headless.ts')).copilotHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).copilotRehearsal,
};
