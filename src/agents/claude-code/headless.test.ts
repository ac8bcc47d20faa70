import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HeadlessSign } from '../shared/headless/headless.ts';
import { claudeHeadless } from './headless.ts';

const request = {
  prompt: 'hello',
  resume: undefined,
  system: undefined,
  words: [],
  cwd: '/repo',
  file: '/tmp/of-this-turn',
};

const captured = (name: string): string[] =>
  readFileSync(join('integration/fixtures/claude-code/headless', name), 'utf8').trim().split('\n');

const readAll = (lines: readonly string[], prompt = request.prompt): HeadlessSign[] => {
  const reader = claudeHeadless.reader({ ...request, prompt });
  return lines.flatMap((line) => reader.read(line));
};

describe('how a turn is begun', () => {
  test('the prompt goes in on stdin, whatever it begins with', () => {
    const { args, input, staysOpen } = claudeHeadless.start({ ...request, prompt: '--help\n"' });
    expect(args).not.toContain('--help\n"');
    expect(JSON.parse(input)).toEqual({ type: 'user', message: { role: 'user', content: '--help\n"' } });
    expect(input.endsWith('\n')).toBe(true);
    expect(staysOpen).toBe(true);
  });

  test('goes on with a session, under a system prompt, with more words', () => {
    const { args } = claudeHeadless.start({ ...request, resume: 'id', system: 'S', words: ['--model', 'x'] });
    expect(args.slice(-6)).toEqual(['--resume', 'id', '--append-system-prompt', 'S', '--model', 'x']);
  });
});

describe('what it prints', () => {
  test('text comes once, in pieces; what was said too late is heard before its own answer', () => {
    const signs = readAll(captured('said-too-late.jsonl'), 'FIRST do it');
    const session = { type: 'session', sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    expect(signs).toEqual([
      session,
      {
        type: 'tool_use',
        id: expect.any(String),
        name: 'Bash',
        input: expect.objectContaining({ command: 'sleep 2; echo done' }),
      },
      { type: 'tool_result', tool_use_id: expect.any(String), content: 'done' },
      { type: 'text', text: 'All done.' },
      session,
      {
        type: 'usage',
        usage: expect.objectContaining({ input_tokens: 87, output_tokens: 24, cost_usd: 0.0063576 }),
      },
      { type: 'end' },
      session,
      { type: 'steered', text: 'LATE please' },
      { type: 'text', text: 'Late.' },
      session,
      {
        type: 'usage',
        usage: expect.objectContaining({ input_tokens: 149, output_tokens: 28, cost_usd: 0.0097576 }),
      },
      { type: 'end' },
    ]);
  });

  test('without pieces, as other models give it, the text comes whole', () => {
    const lines = captured('said-too-late.jsonl').filter((line) => !line.includes('"stream_event"'));
    expect(readAll(lines).filter(({ type }) => type === 'text')).toEqual([
      { type: 'text', text: 'All done.' },
      { type: 'text', text: 'Late.' },
    ]);
  });

  test('the prompt comes again and is nothing that was said into the turn, whatever is joined to it', () => {
    const heard = (...texts: readonly string[]) =>
      readAll(
        texts.map((content) => JSON.stringify({ type: 'user', isReplay: true, message: { content } })),
        ' do\r\nit \n',
      );
    expect(heard(' do\r\nit \n')).toEqual([]);
    expect(heard(' do\r\nit \n\nand more')).toEqual([{ type: 'steered', text: 'and more' }]);
    expect(heard(' do\r\nit \n', ' do\r\nit \n')).toEqual([{ type: 'steered', text: ' do\r\nit \n' }]);
    expect(heard('and more')).toEqual([{ type: 'steered', text: 'and more' }]); // the prompt was a command
  });

  test('what a sub-agent says is no part of the conversation', () => {
    const content = [{ type: 'text', text: 'inner' }];
    const line = { type: 'assistant', parent_tool_use_id: 'toolu_1', message: { id: 'm', content } };
    expect(readAll([JSON.stringify(line)])).toEqual([]);
  });

  test('a failure is told in its own words, and whether it is for want of a login', () => {
    const failed = (fields: object) =>
      readAll([JSON.stringify({ type: 'result', is_error: true, ...fields })]).at(-1);
    expect(failed({ result: 'API Error: 529 overloaded' })).toEqual({
      type: 'end',
      failure: { message: 'API Error: 529 overloaded' },
    });
    expect(failed({ result: 'Not logged in · Please run /login' })).toMatchObject({
      failure: { needsLogin: true },
    });
    expect(failed({ subtype: 'error_during_execution', errors: ['a', 'b'] })).toMatchObject({
      failure: { message: 'a; b' },
    });
  });
});

test('a session that is not there is told from other failures', () => {
  expect(readAll(captured('gone.jsonl')).at(-1)).toEqual({
    type: 'end',
    failure: {
      message: 'No conversation found with session ID: 0b1c5a3e-0000-4000-8000-000000000000',
      hasNoSession: true,
    },
  });
});
