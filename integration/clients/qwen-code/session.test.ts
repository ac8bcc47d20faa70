import { qwenCode } from '../drivers/qwen-code.ts';
import { describeSessions } from '../session-suite.ts';

describeSessions(
  { driver: qwenCode, agent: 'qwen-code', program: 'qwen', words: ['--yolo', '--auth-type', 'openai'] },
  { forksByCopy: true, tellsTokens: true, hears: false, withoutLogin: { variables: { OPENAI_API_KEY: '' } } },
);
