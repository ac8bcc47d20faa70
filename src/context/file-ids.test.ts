import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appendFileIdsFooter,
  collectFileIdsFromNodes,
  extractFileIds,
  extractFileIdsFromMessages,
} from './file-ids.ts';

const A = 'file_a1b2c3d4';
const B = 'file_deadbeef12345678';

const id = fc.oneof(
  fc.constantFrom(A, B),
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 1, maxLength: 20 })
    .map((digits) => `file_${digits.join('')}`),
);
const ids = fc.array(id, { minLength: 1, maxLength: 4 });
const word = fc.oneof(
  fc.constantFrom(
    '[LCM File IDs: ',
    '[LCM File IDs:',
    ']',
    ', ',
    ' ',
    '\n',
    '\r\n',
    '    ',
    'words',
    '\u2028',
  ),
  id,
  ids.map((some) => `[LCM File IDs: ${some.join(', ')}]`),
  fc.string({ maxLength: 3 }),
);
const text = fc.array(word, { maxLength: 14 }).map((words) => words.join(''));
const footer = (...some: string[]) => `[LCM File IDs: ${some.join(', ')}]`;

describe('ids of a text', () => {
  test('are found in the order of their first occurrence, each once', () => {
    expect(extractFileIds(`${B}, then ${A} (${B})`)).toEqual([B, A]);
  });

  test('are found in a footer', () => {
    expect(extractFileIds(footer(A, B))).toEqual([A, B]);
  });

  test('are whole words of lower-case hex digits, of any length', () => {
    const none = 'file_cache my_file_deadbeef file_deadbeefs file_DEADBEEF file_ file-deadbeef';
    expect(extractFileIds(none)).toEqual([]);
    expect(extractFileIds('"file_1f",/file_0123456789abcdef0123456789abcdef.')).toHaveLength(2);
  });

  test('are none in the empty text', () => {
    expect(extractFileIds('')).toEqual([]);
  });
});

describe('ids of messages', () => {
  test('are found in texts, calls of tools and their results, each once and in order', () => {
    const messages = [
      { role: 'user', content: `see ${B}` },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: A },
          { type: 'tool_use', input: { paths: ['file_00000001', B] } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', content: [{ type: 'text', text: 'file_00000002' }] }],
      },
    ];
    expect(extractFileIdsFromMessages(messages)).toEqual([B, A, 'file_00000001', 'file_00000002']);
    expect(extractFileIdsFromMessages([])).toEqual([]);
  });

  test('are not made of the end of one text and the beginning of the next', () => {
    const parts = [
      { role: 'user', content: 'file_dead' },
      { role: 'user', content: 'beef' },
    ];
    expect(extractFileIdsFromMessages(parts)).toEqual(['file_dead']);
  });

  test('are found in values that are circular, or nested deeper than the stack', () => {
    let deep: unknown = A;
    for (let depth = 0; depth < 50_000; depth++) deep = [deep];
    const part: Record<string, unknown> & { type: string } = { type: 'tool_result', content: deep };
    part.self = part;
    expect(extractFileIdsFromMessages([{ role: 'user', content: [part] }])).toEqual([A]);
  });
});

test('ids of nodes are the union of what each of them holds, in order', () => {
  const nodes = [
    { content: `one\n\n${footer(B)}` },
    { content: `${A} in words\n\n${footer(A, B)}` },
    { content: '' },
  ];
  expect(collectFileIdsFromNodes(nodes)).toEqual([B, A]);
  expect(collectFileIdsFromNodes([])).toEqual([]);
});

describe('the footer', () => {
  test('is the last line, after a blank one', () => {
    expect(appendFileIdsFooter('words', [A, B])).toBe(`words\n\n${footer(A, B)}`);
    expect(appendFileIdsFooter('', [A])).toBe(footer(A));
  });

  test('is not there without ids: the text is unchanged', () => {
    fc.assert(fc.property(text, (given) => appendFileIdsFooter(given, []) === given));
  });

  test('is the same when it is appended twice', () => {
    fc.assert(
      fc.property(text, ids, (given, some) => {
        const once = appendFileIdsFooter(given, some);
        expect(appendFileIdsFooter(once, some)).toBe(once);
      }),
    );
  });

  test('is there once, and last, whatever the text holds', () => {
    fc.assert(
      fc.property(text, ids, (given, some) => {
        const result = appendFileIdsFooter(given, some);
        expect(result.match(/\[LCM File IDs:[^[\]\r\n]*\]/g)).toHaveLength(1);
        expect(result).toMatch(/(?:^|\n)\[LCM File IDs: [^[\]\n]*\]$/);
      }),
    );
  });

  test('loses no id that the text had or that was given', () => {
    fc.assert(
      fc.property(text, ids, (given, some) => {
        const all = new Set([...extractFileIds(given), ...some]);
        expect(new Set(extractFileIds(appendFileIdsFooter(given, some)))).toEqual(all);
      }),
    );
  });

  test('takes the place of blocks that stood in the text, and keeps the words around them', () => {
    const given = `one\n\n${footer(A)}\n\n    two\nthree ${footer(B)} four`;
    expect(appendFileIdsFooter(given, ['file_00000001'])).toBe(
      `one\n\n    two\nthree\n\nfour\n\n${footer('file_00000001', A, B)}`,
    );
  });

  test('has each id once, and nothing that could break it', () => {
    const odd = [A, A, `${B}]\n## System`, '', 'file_', 'words', 'file_ a'];
    expect(appendFileIdsFooter('words', odd)).toBe(`words\n\n${footer(A)}`);
    expect(appendFileIdsFooter('words', odd.slice(2))).toBe('words');
  });

  test('is appended to long texts in no time', () => {
    const long = `${'[LCM File IDs:'.repeat(50_000)}${' '.repeat(500_000)}${`${footer(A)}\n `.repeat(50_000)}`;
    expect(appendFileIdsFooter(long, [B]).endsWith(`\n${footer(B, A)}`)).toBe(true);
  }, 5_000);
});
