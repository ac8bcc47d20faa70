import { codex } from '../drivers/codex.ts';
import { describeSessions } from '../session-suite.ts';

describeSessions(
  {
    driver: codex,
    agent: 'codex',
    program: 'codex',
    words: ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'],
  },
  { forksByCopy: true, tellsTokens: true, hears: false, withoutLogin: { variables: { MOCK_API_KEY: '' } } },
);
