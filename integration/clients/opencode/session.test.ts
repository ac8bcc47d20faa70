import { opencode } from '../drivers/opencode.ts';
import { describeSessions } from '../session-suite.ts';

describeSessions(
  { driver: opencode, agent: 'opencode', program: 'opencode', words: ['--auto'] },
  {
    forksByCopy: false,
    tellsTokens: true,
    hears: false,
    withoutLogin: { isRefused: true },
  },
);
