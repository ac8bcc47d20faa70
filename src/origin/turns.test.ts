import { expect, test } from 'vitest';
import { transcriptFormatOf } from '../agents/registry.ts';
import { promptsOf, readTurns } from './turns.ts';

const format = transcriptFormatOf('Claude Code');
const said = (text: string) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } });
const wrote = (id: string, content: string) => {
  const call = { type: 'tool_use', id, name: 'Write', input: { file_path: '/r/a.txt', content } };
  return JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [call] } });
};
const asked = (text: string, known: readonly string[]) =>
  promptsOf(readTurns(format, text, known), ({ edits }) => edits);

test('each line goes with the prompt before it, what stands first with the one that is stored before', () => {
  const text = [
    wrote('1', 'zero'),
    said('first'),
    wrote('2', 'one\nboth'),
    said('second'),
    wrote('3', 'both'),
  ];
  const promptOf = asked(text.join('\n'), ['begin', 'first', 'second']);
  expect(['zero', 'one', 'both', 'none'].map(promptOf)).toEqual(['begin', 'first', undefined, undefined]);
});

test('stored prompts that are others say nothing of what stands first', () => {
  const text = [wrote('1', 'zero'), said('first'), wrote('2', 'one')].join('\n');
  expect(['zero', 'one'].map(asked(text, ['begin', 'another']))).toEqual([undefined, 'first']);
  expect(asked(text, [])('one')).toBe('first');
});

test('a part without a prompt goes on with the last one', () => {
  expect(asked(wrote('1', 'zero'), ['begin', 'last'])('zero')).toBe('last');
});
