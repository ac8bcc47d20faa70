import type { AgentSetup } from '../setup.ts';
import { piSettings } from './settings.ts';

export const piSetup: AgentSetup = {
  settings: piSettings,
  traces: { here: ['.pi'] },
};
