import { expect, test } from 'vitest';
import { parseSessionId } from '../../base/ids.ts';
import { compareRunTails, KNOWN_CLI_ORIGINS, mintRunId, parseCliOrigin, parseRunId } from './run-id.ts';

const AT = new Date('2026-11-23T07:10:00.123Z');

test('a run id is the agent, the time, and eight hex digits; a file may be named after it', () => {
  const id = mintRunId('claude-code', AT);
  expect(id).toMatch(/^claude-code-2026-11-23T07-10-00-123Z-[0-9a-f]{8}$/);
  expect(parseSessionId(id)).toBe(id);
  expect(mintRunId('claude-code', AT)).not.toBe(id);
});

test('what is minted is read back', () => {
  for (const agent of KNOWN_CLI_ORIGINS) {
    const id = mintRunId(agent, AT);
    expect(parseRunId(id)).toEqual({ agent, at: AT, tail: id.slice(agent.length + 1) });
  }
});

test('a bare date is the beginning of that day', () => {
  expect(parseRunId('codex-2026-05-08-abc12345')).toEqual({
    agent: 'codex',
    at: new Date('2026-05-08T00:00:00Z'),
    tail: '2026-05-08-abc12345',
  });
});

test.each([
  'codex-2026-13-08-abc12345',
  'codex-2026-02-30-abc12345',
  'codex-2026-05-08T25-00-00-000Z-abc12345',
  'codex-2026-05-08-abc1234',
  'codex-2026-05-08-abc123456',
  'codex-2026-05-08-ABC12345',
  'codex-2026-05-08-abc12345/../x',
  'codex--abc12345',
  'codex',
  'backup-2026-05-08-abc12345',
  '',
])('%j is no run id', (text) => {
  expect(parseRunId(text)).toBeUndefined();
});

test('the origin is the known prefix, and nothing for any other', () => {
  expect(parseCliOrigin('claude-code-2026-05-08-abc12345')).toBe('claude-code');
  expect(parseCliOrigin('pi-2026-05-08-abc12345')).toBe('pi');
  expect(parseCliOrigin('pit-2026-05-08-abc12345')).toBe('');
  expect(parseCliOrigin('backup-2026-05-08-abc12345')).toBe('');
  expect(parseCliOrigin('shares-codex-2026-05-08-abc12345')).toBe('');
  expect(parseCliOrigin('claude-2026-05-08-abc12345')).toBe('');
  expect(parseCliOrigin('codex')).toBe('');
  expect(parseCliOrigin('__proto__-2026')).toBe('');
});

test('of two known prefixes the longer one is the origin', () => {
  const known = new Set(['pi', 'pi-next']);
  expect(parseCliOrigin('pi-next-2026-05-08-abc12345', known)).toBe('pi-next');
  expect(parseCliOrigin('pi-2026-05-08-abc12345', known)).toBe('pi');
});

test('the tail decides which run is newer, whatever the agent is called', () => {
  const tails = [
    'qwen-code-2026-05-08T10-00-00-000Z-00000000',
    'claude-code-2026-05-08T11-00-00-000Z-ffffffff',
    'pi-2026-05-08-ffffffff',
    'codex-2026-05-08T11-00-00-001Z-00000000',
  ].map((id) => parseRunId(id)?.tail ?? '');
  expect([...tails].sort(compareRunTails).map((tail) => tail.slice(0, 23))).toEqual([
    '2026-05-08T11-00-00-001',
    '2026-05-08T11-00-00-000',
    '2026-05-08T10-00-00-000',
    '2026-05-08-ffffffff',
  ]);
});
