import type { Agent } from '../agent.ts';
import { hookContext, systemMessage } from '../shared/hook-settings.ts';
import { readMessages } from './conversation.ts';
import { geminiSessionHome } from './session-home.ts';
import { geminiTranscript } from './transcript.ts';

export const gemini: Agent = {
  transcript: geminiTranscript,
  readMessages,
  home: geminiSessionHome,
  settingsFiles: /^\.gemini\/settings[^/]*\.json$/,
  banner: (text) => systemMessage(text.trim()),
  remind: (text, on) => hookContext(on === 'TurnStart' ? 'BeforeAgent' : 'AfterTool')(text), // https://geminicli.com/docs/hooks/reference
  loadHeadless: async () => (await import('./headless.ts')).geminiHeadless,
  loadRehearsal: async () => (await import('./rehearsal.ts')).geminiRehearsal,
};
