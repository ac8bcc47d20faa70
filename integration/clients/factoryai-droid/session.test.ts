import { factoryaiDroid } from '../drivers/factoryai-droid.ts';
import { describeSessions } from '../session-suite.ts';

describeSessions(
  {
    driver: factoryaiDroid,
    agent: 'factoryai-droid',
    program: 'droid',
    from: 2,
    words: ['--model', 'custom:Mock-Claude-0', '--auto', 'high'],
  },
  {
    forksByCopy: true,
    tellsTokens: true,
    hears: true,
    withoutLogin: {
      variables: { FACTORY_API_KEY: '' },
      words: ['--model', 'claude-sonnet-5', '--auto', 'high'],
    },
  },
);
