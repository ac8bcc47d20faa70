import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSessionId } from '../../base/ids.ts';
import { parseEvent } from './event.ts';

const base = { session_id: 's1', session_ref: '/log' };
const event = (value: object) => {
  const parsed = parseEvent({ ...base, ...value });
  if (!parsed || 'rejected' in parsed) throw new Error('no event');
  return parsed;
};

test.each([
  [1, { type: 'SessionStart', source: undefined }],
  [3, { type: 'TurnEnd' }],
  [4, { type: 'Compaction' }],
  [5, { type: 'SessionEnd' }],
])('type %i', (type, expected) => {
  expect(event({ type }).event).toMatchObject({ ...expected, sessionId: 's1', transcriptPath: '/log' });
});

test('a turn begins with a prompt, which may be missing', () => {
  expect(event({ type: 2, prompt: 'hello' }).event).toMatchObject({ type: 'TurnStart', prompt: 'hello' });
  expect(event({ type: 2, prompt: 7 }).event).toMatchObject({ prompt: '' });
});

test('a sub-agent is named by its fields, else by what its tool was given', () => {
  const named = { tool_use_id: 't1', subagent_type: 'a', task_description: 'b' };
  const input = { tool_use_id: 't1', tool_input: { subagent_type: 'c', description: 'd' } };
  expect(event({ type: 6, ...named }).event).toMatchObject({ subagentType: 'a', description: 'b' });
  expect(event({ type: 6, ...input }).event).toMatchObject({ subagentType: 'c', description: 'd' });
  expect(event({ type: 7, subagent_id: 'x' }).event).toMatchObject({ toolUseId: undefined, agentId: 'x' });
  for (const type of [6, 7])
    expect(parseEvent({ ...base, type, tool_use_id: '../x' })).toEqual({
      rejected: 'a sub-agent without a usable id',
    });
});

test('files are an edit, alone or beside an event', () => {
  const files = { modified_files: ['a', 1, ''], new_files: ['b', 'a'], deleted_files: null };
  expect(event({ type: 9, ...files, cwd: '/repo/sub' })).toMatchObject({
    event: undefined,
    edit: { type: 'FileEdit', paths: ['a', 'b'], cwd: '/repo/sub', before: undefined },
  });
  const end = event({ type: 7, tool_use_id: 't1', subagent_id: 'x', ...files });
  expect([end.event?.type, end.edit?.paths, end.edit?.agentId]).toEqual(['SubagentEnd', ['a', 'b'], 'x']);
  expect(event({ type: 3 }).edit).toBeUndefined();
});

test('a reference that is no absolute path is no path', () => {
  const parsed = event({ type: 3, session_ref: 'key:1', cwd: 'sub' });
  expect([parsed.reference, parsed.event?.transcriptPath, parsed.event?.cwd]).toEqual([
    'key:1',
    undefined,
    undefined,
  ]);
});

test('what nobody knows stands for nothing, and a bad session id for a reason', () => {
  for (const type of [0, 8, 10, -1, 1.5, '3', null]) expect(parseEvent({ ...base, type })).toBeUndefined();
  expect(parseEvent(null)).toBeUndefined();
  expect(parseEvent([])).toEqual({ rejected: 'parse-hook answered with something that is not an object' });
  expect(parseEvent({ type: 1, session_id: '../x' })).toEqual({ rejected: 'no usable session id' });
});

test('any answer is survived', () => {
  const anyEvent = fc.record(
    { type: fc.integer({ min: 1, max: 9 }), session_id: fc.string() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.jsonValue(), anyEvent, (value, known) => {
      const mixed = typeof value === 'object' && !Array.isArray(value) ? { ...value, ...known } : value;
      const parsed = parseEvent(mixed);
      if (parsed && 'event' in parsed && parsed.event)
        expect(parseSessionId(parsed.event.sessionId)).toBe(parsed.event.sessionId);
    }),
  );
});
