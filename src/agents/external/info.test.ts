import { expect, test } from 'vitest';
import { parseInfo } from './info.ts';

const known = { protocol_version: 1, type: 'Demo' };

test('what an executable says of itself, and nothing that we do not know', () => {
  const more = {
    description: 'd',
    hook_names: ['a', 1],
    capabilities: { hooks: true, other: 1, new: true },
    x: 1,
  };
  expect(parseInfo({ ...known, ...more })).toEqual({
    type: 'Demo',
    description: 'd',
    hookNames: ['a'],
    capabilities: new Set(['hooks', 'new']),
  });
  expect(parseInfo(known)).toMatchObject({ description: 'Demo', hookNames: [] });
});

test('one line, and nothing that a terminal would obey', () => {
  const type = ` De\u001b[31mmo\n\u202e${'x'.repeat(200)}`;
  expect(parseInfo({ ...known, type })).toMatchObject({ type: `De [31mmo ${'x'.repeat(54)}` });
});

test.each([
  [[], 'not an object'],
  [{ type: 'Demo' }, 'protocol version (none)'],
  [{ ...known, protocol_version: '1' }, 'protocol version "1"'],
  [{ ...known, type: '\u0007' }, 'no "type"'],
  [{ ...known, type: 'Claude Code' }, 'that of another agent'],
  [{ ...known, type: 'Unknown' }, 'that of another agent'],
])('%j is none', (value, reason) => {
  expect(parseInfo(value)).toContain(reason);
});
