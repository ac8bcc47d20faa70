import { describe, expect, test } from 'vitest';
import { parseGitAiNote } from './git-ai-note.ts';

const KEY = 's_0eb597716bd15d';
const HUMAN = 'h_99616bc195b9b3';
const agent = { agent_id: { tool: 'claude', id: 'one', model: 'claude-sonnet-4-5' } };
const document = {
  schema_version: 'authorship/3.0.0',
  base_commit_sha: 'abc',
  prompts: {},
  humans: { [HUMAN]: { author: 'Ana Roe <ana@example.com>' } },
  sessions: { [KEY]: agent },
};
const json = JSON.stringify(document);
const LINES = `src/app.ts\n  ${KEY}::t_0a1b2c3d4e5f60 1-3\n  ${KEY}::t_1122334455667a 6\n  ${HUMAN} 4\n`;
const NOTE = `${LINES}---\n${json}`;

/** What it says of the first seven lines of a file: `a`gent, `h`uman, or nothing. */
function read(note: string | Buffer, path = 'src/app.ts'): string {
  const claims = parseGitAiNote(Buffer.from(note as string));
  if (typeof claims === 'string') return claims;
  return [1, 2, 3, 4, 5, 6, 7].map((line) => claims.ownerOf(path, line)?.kind[0] ?? '-').join('');
}

test('the example of the standard', () => {
  expect(read(NOTE)).toBe('aaah-a-');
  expect(read(NOTE, 'src/other.ts')).toBe('-------');
  const claims = parseGitAiNote(Buffer.from(NOTE));
  expect(typeof claims === 'string' ? claims : claims.ownerOf('src/app.ts', 1)).toEqual({
    ...{ kind: 'agent', tool: 'claude', id: 'one' },
  });
});

describe('what git-ai takes is taken', () => {
  test.each([
    ['pretty JSON', `${LINES}---\n${JSON.stringify(document, undefined, 2)}\n`],
    ['CRLF', NOTE.replaceAll('\n', '\r\n')],
    ['blank lines', NOTE.replace('\n  h_', '\n\n  h_')],
    ['leading blank lines', `\n\n${NOTE}`],
    ['an unindented extra line', NOTE.replace('---', 'something else\n---')],
    ['needless quotes', NOTE.replace('src/app.ts', '"src/app.ts"')],
    ['short ids', NOTE.replaceAll('0eb597716bd15d', '0eb5977')],
    ['no t_', NOTE.replaceAll(/::t_[0-9a-f]+/g, '')],
    ['unknown members', NOTE.replace('"prompts"', '"more":{"x":[1]},"prompts"')],
  ])('%s', (_, note) => {
    expect(read(note)).toBe('aaah-a-');
  });

  test('unquoted spaces, and quotes and backslashes in names', () => {
    for (const path of ['a b.ts', 'a\\b.ts', 'ü.ts', 'a"b.ts'])
      expect(read(NOTE.replace('src/app.ts', path), path), path).toBe('aaah-a-');
    expect(read(NOTE.replace('src/app.ts', '" blank "'), ' blank ')).toBe('aaah-a-');
  });
});

describe('what git-ai refuses is refused whole', () => {
  test.each([
    ['no divider', NOTE.replace('---\n', ''), 'without a divider'],
    ['a divider with a space', NOTE.replace('---', '--- '), 'without a divider'],
    ['an indent of four', NOTE.replace('  h_', '    h_'), 'with lines that are not of the format'],
    ['space in ranges', NOTE.replace('1-3', '1 - 3'), 'with lines that are not of the format'],
    ['no base', NOTE.replace('base_commit_sha', 'base'), 'without the fields it must have'],
    ['no version', NOTE.replace('schema_version', 'version'), 'without the fields it must have'],
    ['no prompts', NOTE.replace('"prompts"', '"prompt"'), 'without the fields it must have'],
    ['no model', NOTE.replace('"model"', '"models"'), 'without the fields it must have'],
    ['no author', NOTE.replace('"author"', '"name"'), 'without the fields it must have'],
    [
      'a number among attributes',
      NOTE.replace('"agent_id"', '"custom_attributes":{"a":1},"agent_id"'),
      'without the fields it must have',
    ],
    [
      'a member twice',
      NOTE.replace('"prompts"', '"prompts":{},"prompts"'),
      'without the fields it must have',
    ],
    ['two notes', `${NOTE}\n${NOTE}`, 'without the fields it must have'],
    ['no JSON', NOTE.replace(json, '{'), 'without the fields it must have'],
    [
      'another version',
      NOTE.replace('authorship/3.0.0', 'authorship/9.0.0'),
      'of another version of the format',
    ],
    ['nothing', '', 'without a divider'],
  ])('%s', (_, note, reason) => {
    expect(read(note)).toBe(reason);
  });

  test('bytes that are no text, and what nobody writes', () => {
    expect(read(Buffer.concat([Buffer.from(NOTE), Buffer.from([0xff])]))).toBe('not text');
    expect(read(Buffer.alloc((4 << 20) + 1, 0x20))).toBe('too large');
    const many = Array.from({ length: 20_001 }, (_, at) => at + 1).join(',');
    expect(read(NOTE.replace('1-3', many))).toBe('too large');
    expect(read(`---\n${'['.repeat(100_000)}`)).toBe('without the fields it must have');
    expect(read(`x\n  __proto__ 1\n---\n${json}`, 'x')).toBe('-------');
  });
});

describe('what git-ai passes over says nothing', () => {
  test.each([
    ['an indent by a tab', NOTE.replace('  h_', '\th_'), 'aaa--a-'],
    ['./ in front of a name', NOTE.replace('src/app.ts', './src/app.ts'), '-------'],
    ['a byte order mark', `\ufeff${NOTE}`, '-------'],
    ['a session that nobody tells of', NOTE.replace(`"${KEY}"`, '"s_ffffffffffffff"'), '---h---'],
    ['a human that nobody tells of', NOTE.replace(`"${HUMAN}"`, '"h_ffffffffffffff"'), 'aaa--a-'],
    ['an unknown prefix', NOTE.replaceAll(`  ${KEY}`, '  x_0eb597716bd15d'), '---h---'],
    ['a reversed range', NOTE.replace('1-3', '3-1'), '---h-a-'],
    ['of two for a line the last', NOTE.replace(`${HUMAN} 4`, `${HUMAN} 2-4`), 'ahhh-a-'],
    ['of a file named twice the first', NOTE.replace('---', `src/app.ts\n  ${HUMAN} 1-7\n---`), 'aaah-a-'],
  ])('%s', (_, note, said) => {
    expect(read(note)).toBe(said);
  });
});
