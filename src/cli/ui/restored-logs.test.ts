import { expect, test } from 'vitest';
import { parseSessionId, type SessionId } from '../../base/ids.ts';
import type { LogPlan } from '../../restore/log/logs.ts';
import { renderRestoring, renderResumeCommands, renderSkipped } from './restored-logs.ts';

const log = (id: string, prompt: string, more: Partial<LogPlan> = {}): LogPlan => ({
  sessionId: parseSessionId(id) as SessionId,
  agent: 'claude-code',
  prompt,
  file: `/p/${id}.jsonl`,
  bytes: Buffer.alloc(0),
  problems: [],
  state: 'new',
  localMs: undefined,
  storedMs: undefined,
  ...more,
});
const lead = 'To continue, run:';

test('one session is a command, with its prompt behind it', () => {
  expect(renderResumeCommands([log('s1', 'Add a file')], { lead, indent: '  ' })).toBe(
    '  claude -r s1  # Add a file',
  );
  expect(renderResumeCommands([log('s1', '')], { lead })).toBe('claude -r s1');
});

test('several are a list, the most recent one last', () => {
  const logs = [log('s1', 'First'), log('s2', '')];
  expect(renderResumeCommands(logs, { lead })).toBe(
    '\nRestored 2 sessions. To continue, run:\n  claude -r s1  # First\n  claude -r s2  # (most recent)',
  );
  expect(renderResumeCommands([log('s1', 'a'), log('s2', 'b')], { lead })).toContain('s2  # b (most recent)');
});

test('what was given behind -- is quoted for a shell', () => {
  const words = ['--model', 'opus', "it's", '$(x)', '', 'a b'];
  expect(renderResumeCommands([log('s1', '')], { lead, words })).toBe(
    "claude -r s1 --model opus 'it'\\''s' '$(x)' '' 'a b'",
  );
});

test('what others wrote is made safe', () => {
  const text = renderResumeCommands([log('s1', 'a\x1b[31mb\nrm -rf ~\u202e')], { lead });
  expect(text).toBe('claude -r s1  # ab rm -rf ~');
});

test('says what is written where, and what is left', () => {
  expect(renderRestoring([log('s1', 'x')])).toBe('Writing transcript to: /p/s1.jsonl');
  const two = [log('s1', 'First'), log('s2', 'Second', { state: 'unchanged' })];
  expect(renderRestoring(two)).toBe(`Restoring 2 sessions from checkpoint:
  Session 1: First
    Writing to: /p/s1.jsonl
  Session 2 (latest): Second
    Already up to date: /p/s2.jsonl`);
});

test('says why a session is passed over', () => {
  const skip = (why: Parameters<typeof renderSkipped>[0]['why'], detail = '') =>
    renderSkipped({ sessionId: 's1', why, detail, index: 1 });
  expect(skip('no-agent')).toBe(
    '  Warning: session 1 (s1) has no agent metadata, skipping (cannot determine target directory)',
  );
  expect(skip('unknown-agent', 'Foo')).toBe(
    '  Warning: session 1 (s1) has unknown agent "Foo", skipping (`entire agent list` shows those that can be used here)',
  );
  expect(skip('no-transcript')).toBe('');
});
