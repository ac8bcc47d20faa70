import type { AgentSetup } from '../setup.ts';
import { droidSettings, findHookSwitch } from './settings.ts';

export const droidSetup: AgentSetup = {
  settings: droidSettings,
  traces: { here: ['.factory'] },
  findHookSwitch,
};
