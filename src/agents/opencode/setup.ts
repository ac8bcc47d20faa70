import type { AgentSetup } from '../setup.ts';
import { opencodeSettings } from './settings.ts';

export const opencodeSetup: AgentSetup = {
  settings: opencodeSettings,
  traces: { here: ['.opencode', 'opencode.json', 'opencode.jsonc'] },
  // What keeps it from loading plugins stands in the command that starts it: there is no `findHookSwitch`.
};
