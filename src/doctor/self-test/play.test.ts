import { expect, test } from 'vitest';
import { outsideOfGit } from './play.ts';

test('nothing leads to the repository or the session that an agent runs doctor in', () => {
  const inside = {
    ...{
      GIT_DIR: '/r/.git',
      GIT_INDEX_FILE: '/r/.git/index',
      CLAUDE_CODE_SESSION_ID: 's',
      CLAUDE_PROJECT_DIR: '/r',
    },
    ...{
      CODEX_SESSION_ID: 's',
      CODEX_THREAD_ID: 's',
      COPILOT_AGENT_SESSION_ID: 's',
      QWEN_CODE_SESSION_ID: 's',
    },
    ...{
      GEMINI_SESSION_ID: 's',
      GEMINI_PROJECT_DIR: '/r',
      COPILOT_PROJECT_DIR: '/r',
      QWEN_PROJECT_DIR: '/r',
    },
    ...{ FACTORY_PROJECT_DIR: '/r', DROID_PROJECT_DIR: '/r', CURSOR_PROJECT_DIR: '/r' },
  };
  const outside = {
    PATH: '/bin',
    CODEX_HOME: '/c',
    GIT_AUTHOR_NAME: 'Ada',
    ENTIRE_TEST_CLAUDE_PROJECT_DIR: '/t',
  };
  expect(outsideOfGit({ ...inside, ...outside })).toEqual(outside);
});
