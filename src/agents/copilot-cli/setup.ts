import type { AgentSetup } from '../setup.ts';
import { copilotSettings, findHookSwitch, findWaiting } from './settings.ts';

export const copilotCliSetup: AgentSetup = {
  settings: copilotSettings,
  traces: { here: ['.github/hooks', '.github/copilot', '.github/copilot-instructions.md'] },
  findHookSwitch,
  findWaiting,
};
