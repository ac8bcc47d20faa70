import type { AgentSetup } from '../setup.ts';
import { findHookSwitch, findWaiting } from './hook-trust.ts';
import { codexSettings } from './settings.ts';

export const codexSetup: AgentSetup = {
  settings: codexSettings,
  traces: { here: ['.codex'] },
  findHookSwitch,
  findWaiting,
};
