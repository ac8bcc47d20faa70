import type { AgentSetup } from '../setup.ts';
import { findHookSwitch, findWaiting, qwenSettings } from './settings.ts';

export const qwenCodeSetup: AgentSetup = {
  settings: qwenSettings,
  traces: { here: ['.qwen', 'QWEN.md'] },
  findHookSwitch,
  findWaiting,
};
