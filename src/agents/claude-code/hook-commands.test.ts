import { expect, test } from 'vitest';
import { parseHookCommand } from './hook-commands.ts';

test('what counts as ours', () => {
  expect(parseHookCommand('entire hooks claude-code stop')).toEqual({ kind: 'hook', verb: 'stop' });
  expect(
    parseHookCommand(
      "sh -c 'if ! command -v entire >/dev/null 2>&1; then exit 0; fi; exec entire hooks claude-code stop'",
    ),
  ).toEqual({ kind: 'hook', verb: 'stop' });
  expect(parseHookCommand('/usr/bin/entire hooks claude-code stop')).toEqual({ kind: 'hook', verb: 'stop' });
  expect(parseHookCommand('entire hooks claudecode stop')).toEqual({ kind: 'hook', verb: 'stop' });
  expect(parseHookCommand('entire explain')).toEqual({ kind: 'other' });
  for (const foreign of [
    'entirely hooks claude-code stop',
    '/opt/entire status',
    'my entire hooks claude-code stop',
    7,
  ]) {
    expect(parseHookCommand(foreign)).toBeUndefined();
  }
});
