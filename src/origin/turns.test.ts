import { expect, test } from 'vitest';
import { transcriptFormatOf } from '../agents/registry.ts';
import type { EditRecord } from '../agents/shared/transcript/transcript.ts';
import { readTurns } from '../history/transcript-turns.ts';
import type { KeptLines } from './kept-lines.ts';
import { openWriters } from './turns.ts';

const format = transcriptFormatOf('Claude Code');
const said = (text: string) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } });
const wrote = (id: string, content: string) => {
  const call = { type: 'tool_use', id, name: 'Write', input: { file_path: '/r/a.txt', content } };
  return JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [call] } });
};
const writers = (text: string, known: readonly string[], kept: readonly KeptLines[] = []) =>
  openWriters({
    turns: readTurns(format, text, known),
    firstItem: 0,
    kept,
    names: ['a.txt'],
    editsIn: ({ edits }) => edits,
  });
const asked = (text: string, known: readonly string[]) => {
  const writerOf = writers(text, known);
  return (line: string) => writerOf(line).prompt;
};
/** A turn of which it is kept which lines it brought, and which it found. */
const kept = (number: number, items: number, added: string[], found: string[], subject = ''): KeptLines => ({
  ...{ name: `s:${number}`, items, subject: subject || undefined },
  ...{ endedMs: number, expect: () => {}, leftAlone: () => false },
  fateOf: (_, line) => (added.includes(line) ? 'added' : found.includes(line) ? 'carried' : undefined),
  addedTo: () => new Set(added),
  ...{ canHaveAdded: () => true, meets: () => undefined },
});

test('each line goes with the prompt before it, what stands first with the one that is stored before', () => {
  const text = [
    wrote('1', 'zero'),
    said('first'),
    wrote('2', 'one\nboth'),
    said('second'),
    wrote('3', 'both'),
  ];
  const promptOf = asked(text.join('\n'), ['begin', 'first', 'second']);
  expect(['zero', 'one', 'both', 'none'].map(promptOf)).toEqual(['begin', 'first', 'first', undefined]);
});

test('stored prompts that are others say nothing of what stands first', () => {
  const text = [wrote('1', 'zero'), said('first'), wrote('2', 'one')].join('\n');
  expect(['zero', 'one'].map(asked(text, ['begin', 'another']))).toEqual([undefined, 'first']);
  expect(asked(text, [])('one')).toBe('first');
});

test('a part without a prompt goes on with the last one', () => {
  expect(asked(wrote('1', 'zero'), ['begin', 'last'])('zero')).toBe('last');
});

const edited = (id: string, after: string) => {
  const input = { file_path: '/r/a.txt', old_string: 'x', new_string: after };
  const call = { type: 'tool_use', id, name: 'Edit', input };
  return JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [call] } });
};

test('a line that a turn wrote anew, and no whole file with it, is of both', () => {
  const text = [said('first'), wrote('1', 'both'), said('second'), edited('2', 'both')].join('\n');
  expect(asked(text, ['first', 'second'])('both')).toBe(undefined);
});

test('a line that each turn found is of none, and one that an earlier turn brought of that', () => {
  const text = [said('first'), wrote('1', 'one'), said('second'), wrote('2', 'one\nmine\ntwo')].join('\n');
  const tell = writers(
    text,
    ['first', 'second'],
    [kept(1, 0, ['one'], [], 'First'), kept(2, 2, ['two'], ['one', 'mine'], 'Second')],
  );
  expect(tell('one')).toEqual({ prompt: 'first', turn: 's:1', isCarried: false });
  expect(tell('mine')).toEqual({ prompt: undefined, turn: undefined, isCarried: true });
  expect(tell('two')).toEqual({ prompt: 'second', turn: 's:2', isCarried: false });
});

test('what is kept of another turn says nothing', () => {
  const text = [said('first'), wrote('1', 'one\nmine')].join('\n');
  const own = (...turns: KeptLines[]) => writers(text, ['first'], turns)('mine').isCarried;
  expect(own(kept(1, 0, ['one'], ['mine'], 'First'))).toBe(true);
  expect(own(kept(1, 0, ['one'], ['mine'], 'Another'))).toBe(false);
  expect(own({ ...kept(1, 0, ['one'], ['mine']), items: undefined })).toBe(false);
  // Some turn brought it.
  expect(own(kept(1, 0, ['one'], ['mine']), kept(2, 9, ['mine'], []))).toBe(false);
});

test('a document is cut at its prompts, too', () => {
  const openCode = transcriptFormatOf('OpenCode');
  const asks = (text: string) => ({ info: { role: 'user' }, parts: [{ type: 'text', text }] });
  const writes = (callID: string, content: string) => {
    const state = { status: 'completed', input: { filePath: 'a.txt', content }, metadata: { exists: true } };
    return {
      info: { role: 'assistant', path: { cwd: '/r' } },
      parts: [{ type: 'tool', tool: 'write', callID, state }],
    };
  };
  const messages = [
    asks('first'),
    writes('1', 'one'),
    asks('second'),
    writes('2', 'one\nmine\ntwo'),
    asks('bye'),
  ];
  const turns = readTurns(openCode, JSON.stringify({ info: { id: 'ses_1' }, messages }), []);
  expect(
    turns.map(({ prompt, from, record }) => [prompt, from, record.edits.map(({ lines }) => lines)]),
  ).toEqual([
    ['first', 0, [['one']]],
    ['second', 2, [['one', 'mine', 'two']]],
    ['bye', 4, []],
  ]);
  const sources = { firstItem: 0, names: ['a.txt'], editsIn: ({ edits }: EditRecord) => edits };
  const second = kept(2, 2, ['two'], ['one', 'mine'], 'Second');
  const tell = openWriters({ ...sources, turns, kept: [kept(1, 0, ['one'], [], 'First'), second] });
  expect(['one', 'mine', 'two'].map((line) => tell(line))).toEqual([
    { prompt: 'first', turn: 's:1', isCarried: false },
    { prompt: undefined, turn: undefined, isCarried: true },
    { prompt: 'second', turn: 's:2', isCarried: false },
  ]);
});
