import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { findTranscript, cursorSessionHome as home, projectName } from './session-home.ts';
import { cursorTranscript as format } from './transcript.ts';

const file = join(import.meta.dirname, '../../../integration/fixtures/cursor/transcripts/basic.jsonl');
const basic = readFileSync(file, 'utf8');

describe('a documented transcript', () => {
  test('prompts are what was typed, without what the client says beside it', () => {
    expect(format.readPrompts(basic)).toEqual(['Add a greeting to hello.txt', 'Run the tests']);
    expect(format.cleanPrompt('a <user_query> b </user_query> c <user_query>d</user_query>')).toBe('b\n\nd');
    expect(format.cleanPrompt('typed <user_query> and never closed')).toBe(
      'typed <user_query> and never closed',
    );
    expect(format.cleanPrompt('<user_query></user_query>')).toBe('');
    expect(format.cleanPrompt('<system-reminder>x</system-reminder> typed')).toBe('typed');
  });

  test('entries, summary and last words', () => {
    expect(format.readEntries(basic)).toEqual([
      { kind: 'user', text: 'Add a greeting to hello.txt' },
      { kind: 'assistant', text: 'I look at the file first.' },
      { kind: 'tool', name: 'Read', detail: '' },
      { kind: 'tool', name: 'StrReplace', detail: '/repo/hello.txt' },
      { kind: 'tool', name: 'Write', detail: '/repo/new.txt' },
      { kind: 'assistant', text: 'hello.txt greets the world.' },
      { kind: 'user', text: 'Run the tests' },
      { kind: 'tool', name: 'Shell', detail: 'npm test' },
      { kind: 'assistant', text: 'They pass.' },
    ]);
    expect(format.readSummary(basic)).toBe('They pass.');
    expect([format.holdsMessage(basic, 'They pass.'), format.holdsMessage(basic, 'Run the tests')]).toEqual([
      true,
      false,
    ]);
  });

  test('what tools were asked to write', () => {
    expect(format.readEdits(basic)).toEqual({
      edits: [
        { path: '/repo/hello.txt', lines: ['world'], fragments: ['world'], removed: ['there'] },
        { path: '/repo/new.txt', lines: ['one', 'two'], fragments: [], isWhole: true },
      ],
      agents: [],
      isComplete: false,
    });
    expect(format.readFilesTouched(basic)).toEqual(['/repo/hello.txt', '/repo/new.txt']);
    const before = basic.split('\n').slice(0, 4).join('\n');
    expect([format.ranShell(basic), format.ranShell(before)]).toEqual([true, false]);
    expect(format.readEdits(before).isComplete).toBe(true);
  });

  test('positions are lines', () => {
    expect(format.countItems(basic)).toBe(6);
    expect(format.readPrompts(format.sliceItems(basic, 4))).toEqual(['Run the tests']);
  });
});

test('calls that do not say what they write leave only the fact', () => {
  const said = (...content: unknown[]) => JSON.stringify({ role: 'assistant', message: { content } });
  const use = (name: string, input: unknown) => ({ type: 'tool_use', name, input });
  const text = said(
    use('Write', { path: 'a' }),
    use('StrReplace', { path: 'b' }),
    use('Delete', { path: 'c' }),
    use('Write', null),
  );
  expect(format.readEdits(text).edits).toEqual([
    { path: 'a', lines: undefined, fragments: [] },
    { path: 'b', lines: undefined, fragments: [] },
  ]);
  expect(format.readEdits(said(use('mcp_fs_write', {}))).isComplete).toBe(false);
});

test.each([
  '',
  '\n',
  'no json',
  'null\n[]\n7',
  '{"role":"user"}\n{"role":"user","message":null}\n{"role":"user","message":{"content":7}}',
  '{"role":"assistant","message":{"content":[null,7,{"type":"tool_use","name":7,"input":7},{"type":"text","text":7}]}}',
  basic.slice(17, 700),
])('any bytes are survived', (text) => {
  for (const read of [
    format.readPrompts,
    format.readEntries,
    format.readSummary,
    format.readFilesTouched,
    format.readEdits,
    format.ranShell,
    format.countItems,
  ])
    expect(() => read(text)).not.toThrow();
});

describe('where transcripts lie', () => {
  const id = 'abc' as SessionId;
  const env = { HOME: '/home/user' };
  const dir = '/home/user/.cursor/projects/srv-my-repo/agent-transcripts';

  test('in a folder of the project, for each conversation its own', () => {
    expect(home.transcript(env, '/srv/my.repo', id)).toBe(`${dir}/abc/abc.jsonl`);
    expect(home.isTranscriptOf(`${dir}/abc/abc.jsonl`, id)).toBe(true);
    for (const place of [`${dir}/abc/abc.jsonl`, `${dir}/abc.jsonl`]) {
      expect(home.isKeptFor(env, place, '/srv/my.repo')).toBe(true);
      expect(home.isKeptFor(env, place, '/srv')).toBe(true);
      expect(home.isKeptFor(env, place, '/other')).toBe(false);
    }
    expect([projectName('/'), projectName('/a/b c')]).toEqual(['', 'a-b-c']);
  });

  test('a variable names another place', () => {
    const scratch = { ...env, ENTIRE_TEST_CURSOR_PROJECT_DIR: '/tmp/x' };
    expect([home.isOnly(env), home.isOnly(scratch)]).toEqual([false, true]);
    expect([home.root(env), home.root(scratch)]).toEqual(['/home/user/.cursor/projects', '/tmp/x']);
    expect(home.transcript(scratch, '/srv', id)).toBe('/tmp/x/abc/abc.jsonl');
    expect(home.resumeCommand(id)).toEqual(['cursor', '.']);
  });

  describe('when the payload does not say', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'cursor-'));
    afterEach(() => {
      vi.unstubAllEnvs();
      rmSync(scratch, { recursive: true, force: true });
    });
    const put = (name: string): string => {
      const path = join(scratch, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
      return path;
    };

    test('it is found where it is, in either layout', () => {
      vi.stubEnv('ENTIRE_TEST_CURSOR_PROJECT_DIR', scratch);
      const payload = { conversation_id: 'abc', transcript_path: null };
      expect(findTranscript('/srv', payload)).toBeUndefined();
      const flat = put('abc.jsonl');
      expect(findTranscript('/srv', payload)).toBe(flat);
      const nested = put('abc/abc.jsonl');
      expect(findTranscript('/srv', payload)).toBe(nested);
      expect(findTranscript('/srv', { ...payload, transcript_path: '/elsewhere' })).toBeUndefined();
      for (const other of [null, 7, {}, { conversation_id: '../abc' }])
        expect(findTranscript('/srv', other)).toBeUndefined();
    });
  });
});
