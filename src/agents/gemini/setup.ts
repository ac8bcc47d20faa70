import type { AgentSetup } from '../setup.ts';
import { findHookSwitch, geminiSettings } from './settings.ts';

export const geminiSetup: AgentSetup = {
  settings: geminiSettings,
  traces: { here: ['.gemini', 'GEMINI.md'] },
  findHookSwitch,
};
