import { expect, test } from 'vitest';
import { parseHookCommand } from './command.ts';

const names = { agent: 'claude-code', formerly: ['claudecode'], projectVariable: 'CLAUDE_PROJECT_DIR' };

test('what counts as ours', () => {
  expect(parseHookCommand(names, 'entire hooks claude-code stop')).toEqual({ kind: 'hook', verb: 'stop' });
  expect(
    parseHookCommand(
      names,
      "sh -c 'if ! command -v entire >/dev/null 2>&1; then exit 0; fi; exec entire hooks claude-code stop'",
    ),
  ).toEqual({ kind: 'hook', verb: 'stop' });
  expect(parseHookCommand(names, '/usr/bin/entire hooks claude-code stop')).toEqual({
    kind: 'hook',
    verb: 'stop',
  });
  expect(parseHookCommand(names, 'entire hooks claudecode stop')).toEqual({ kind: 'hook', verb: 'stop' });
  expect(parseHookCommand(names, 'entire explain')).toEqual({ kind: 'other' });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell fills it in
  const dev = 'go run "${CLAUDE_PROJECT_DIR}"/cmd/entire/main.go hooks claude-code stop';
  expect(parseHookCommand(names, dev)).toEqual({ kind: 'hook', verb: 'stop' });
  expect(parseHookCommand(names, 'entire hooks gemini stop')).toEqual({ kind: 'other' });
  expect(parseHookCommand({ agent: 'gemini' }, 'entire hooks gemini stop; notify')).toEqual({
    kind: 'extended',
    verb: 'stop',
  });
  for (const foreign of [
    'entirely hooks claude-code stop',
    '/opt/entire status',
    'my entire hooks claude-code stop',
    7,
  ]) {
    expect(parseHookCommand(names, foreign)).toBeUndefined();
  }
});
