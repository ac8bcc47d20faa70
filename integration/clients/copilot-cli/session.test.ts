import { copilotCli } from '../drivers/copilot-cli.ts';
import { describeSessions } from '../session-suite.ts';

describeSessions(
  {
    driver: copilotCli,
    agent: 'copilot-cli',
    program: 'copilot',
    words: ['--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps'],
  },
  {
    forksByCopy: true,
    tellsTokens: false,
    hears: false,
    withoutLogin: {
      variables: {
        COPILOT_PROVIDER_BASE_URL: '',
        COPILOT_PROVIDER_API_KEY: '',
        COPILOT_MODEL: '',
        COPILOT_OFFLINE: 'false',
      },
    },
  },
);
