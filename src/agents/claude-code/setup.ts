import type { AgentSetup } from '../setup.ts';
import { claudeSettings, findHookSwitch } from './settings.ts';

export const claudeCodeSetup: AgentSetup = {
  settings: claudeSettings,
  traces: { here: ['.claude', 'CLAUDE.md'] },
  findHookSwitch,
};
