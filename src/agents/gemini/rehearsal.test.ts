import { expect, test } from 'vitest';
import { ACTS, type Stage } from '../shared/headless/rehearsal.ts';
import { geminiHooks } from './hook-input.ts';
import { geminiRehearsal as rehearsal } from './rehearsal.ts';
import { GEMINI_HOOKS } from './settings.ts';
import { geminiTranscript } from './transcript.ts';

const stage: Stage = {
  sessionId: 'self-test-1',
  root: '/repo',
  transcript: '/t.jsonl',
  file: '/repo/a.txt',
  content: 'a\n',
  prompt: 'Write a file',
  lastWords: 'Written.',
  time: '2026-11-21T10:33:57Z',
};

test('each act runs a hook of ours, with a payload that means what happens', () => {
  const events = ACTS.map((act) => {
    const { event, tool, payload } = rehearsal.cue(act, stage);
    const slot = GEMINI_HOOKS.slots.find(
      (one) => one.event === event && (tool === undefined || new RegExp(one.matcher ?? '').test(tool)),
    );
    return geminiHooks.parseHookInput(slot?.verb ?? '', payload);
  });
  expect(events).toMatchObject([
    { type: 'SessionStart', sessionId: 'self-test-1' },
    { type: 'TurnStart', prompt: 'Write a file' },
    { type: 'FileEdit', paths: ['/repo/a.txt'], before: null },
    { type: 'TurnEnd' },
    { type: 'SessionEnd' },
  ]);
});

test('the transcript of the session tells the same', () => {
  const lines = ACTS.flatMap((act) => rehearsal.cue(act, stage).transcript).map((line) =>
    JSON.stringify(line),
  );
  const text = `${lines.join('\n')}\n`;
  expect(geminiTranscript.readEntries(text)).toEqual([
    { kind: 'user', text: 'Write a file' },
    { kind: 'tool', name: 'write_file', detail: '/repo/a.txt' },
    { kind: 'assistant', text: 'Written.' },
  ]);
  expect(geminiTranscript.readEdits(text).edits).toEqual([
    { path: '/repo/a.txt', lines: ['a'], fragments: [], isWhole: true },
  ]);
  expect(geminiTranscript.readCalls(text)).toHaveLength(2);
});
