import { gemini } from '../drivers/gemini.ts';
import { describeSessions } from '../session-suite.ts';

describeSessions(
  {
    driver: gemini,
    agent: 'gemini',
    program: 'gemini',
    words: ['--model', 'gemini-2.5-flash', '--approval-mode', 'yolo'],
  },
  {
    forksByCopy: false,
    tellsTokens: true,
    hears: false,
    withoutLogin: { variables: { GEMINI_API_KEY: '' } },
  },
);
