import type { AgentSetup } from '../setup.ts';
import { cursorSettings } from './settings.ts';

export const cursorSetup: AgentSetup = {
  settings: cursorSettings,
  traces: { here: ['.cursor'], program: 'cursor' },
};
