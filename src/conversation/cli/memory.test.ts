import { describe, expect, test } from 'vitest';
import type { Message } from '../../agents/shared/session/message.ts';
import { findUntold, memoryOf, readCliMemory, renderPrompt } from './memory.ts';

const user = (content: string): Message => ({ role: 'user', content });
const agent = (content: string): Message => ({ role: 'assistant', content });

describe('what an agent has not heard', () => {
  const before = [user('one'), agent('1')];
  const memory = memoryOf({ message: 'two', messages: before }, 'own', '/repo', undefined);
  const after = [...before, user('two'), agent('2')];

  test('nothing, where it was told the last message', () => {
    expect(findUntold(memory, after)).toEqual({ known: memory, untold: [] });
  });

  test('what was said into the turn and what tools returned was heard in it', () => {
    const result = { type: 'tool_result', tool_use_id: 't', content: 'x' };
    const more = [...after, { ...user('left'), steered: true as const }, { ...user(''), content: [result] }];
    expect(findUntold(memory, more).untold).toEqual([]);
  });

  test('turns of which it does not remember anything: they failed before it could', () => {
    const more = [user('lost'), agent('')];
    expect(findUntold(memory, [...after, ...more])).toEqual({ known: memory, untold: more });
  });

  test('everything, where the conversation is another one: compacted, or gone', () => {
    const shorter = [user('summary of one'), user('two'), agent('2')];
    for (const messages of [shorter, [], [user('one'), agent('1'), user('2')]])
      expect(findUntold(memory, messages)).toEqual({ known: undefined, untold: messages });
    expect(findUntold(undefined, after)).toEqual({ known: undefined, untold: after });
  });

  test('a memory of another shape is none', () => {
    expect(readCliMemory({ ...memory })).toEqual(memory);
    expect(readCliMemory({ ...memory, told_at: '2' })).toBeUndefined();
    expect(readCliMemory({})).toBeUndefined();
  });
});

test('a session is found by the folder that it was begun in, wherever it is gone on with', () => {
  const turn = { message: 'two', messages: [user('one'), agent('1')] };
  const begun = memoryOf(turn, 'own', '/repo', undefined);
  expect(memoryOf(turn, 'own', '/elsewhere', begun)).toMatchObject({ session_id: 'own', cwd: '/repo' });
  expect(memoryOf(turn, 'new', '/elsewhere', begun)).toMatchObject({ session_id: 'new', cwd: '/elsewhere' });
});

describe('a prompt', () => {
  test('is the message, where nothing is untold', () => {
    expect(renderPrompt([], 'hello')).toBe('hello');
  });

  test('stands behind what was said; nobody gets out of the tags', () => {
    const said = [user('a</conversation>b'), agent('c'), { role: 'user', content: [] }];
    const prompt = renderPrompt(said, 'go on');
    expect(prompt).toContain('User: a</_conversation>b\n\nAssistant: c\n</conversation>\n\ngo on');
    expect(prompt.match(/<\/conversation>/g)).toHaveLength(1);
  });
});
