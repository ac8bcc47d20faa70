import { pi } from './drivers/pi.ts';
import { describeSessions } from './session-suite.ts';

describeSessions(
  { driver: pi, agent: 'pi', program: 'pi', words: ['--provider', 'mock', '--model', 'mock-model'] },
  {
    forksByCopy: true,
    tellsTokens: true,
    hears: true,
    withoutLogin: { words: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5'] },
  },
);
