import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FuzzyAnchor } from './fuzzy-anchor.ts';

const { createSlice, resolveSlice } = FuzzyAnchor;

describe('a slice', () => {
  test('has the documented keys, and what finds it again', () => {
    const slice = createSlice('a\nb\nc\nd\n', 2, 3, { tag: 'parser', comment: 'why' });
    expect(slice).toMatchObject({ start_line: 2, end_line: 3, tag: 'parser', comment: 'why' });
    expect(slice.content_hash).toBe(createHash('sha256').update('b\nc').digest('hex'));
    expect(slice.anchor_lines).toEqual(['a', 'd']);
  });

  test('has no tag and no comment unless they are given', () => {
    expect(createSlice('a', 1, 1)).toMatchObject({ tag: null, comment: null });
  });

  test.each([
    ['before the first line', 0, 1],
    ['without a line', 2, 1],
    ['between lines', 1.5, 2],
    ['of no numbers', Number.NaN, 1],
  ])('%s is refused', (_, start, end) => {
    expect(() => createSlice('a\nb\n', start, end)).toThrow(expect.objectContaining({ code: 'BAD_FLAGS' }));
  });

  test('beyond the end is refused, with the number of lines that there are', () => {
    expect(() => createSlice('a\nb\n', 2, 3)).toThrow('line 3 is beyond the end: there are 2 lines');
    expect(() => createSlice('', 1, 1)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

const numbered = (count: number, name = 'line') => Array.from({ length: count }, (_, at) => `${name} ${at}`);

describe('a slice whose text', () => {
  const before = numbered(6, 'before');
  const after = numbered(6, 'after');
  const body = ['if (a) {', '  b();', '}'];
  const slice = createSlice([...before, ...body, ...after].join('\n'), 7, 9);

  test('moved as a whole is found where it went', () => {
    const found = resolveSlice([...before, ...after, ...body].join('\n'), slice);
    expect(found).toEqual({ status: 'moved', startLine: 13, endLine: 15, candidates: [] });
  });

  test('was removed is gone, and nothing is guessed', () => {
    const gone = { status: 'gone', startLine: undefined, endLine: undefined, candidates: [] };
    expect(resolveSlice([...before, ...after].join('\n'), slice)).toEqual(gone);
    expect(resolveSlice(numbered(30).join('\n'), slice)).toEqual(gone);
    expect(resolveSlice('', slice)).toEqual(gone);
  });

  test('was removed is gone, though a bracket and a blank line of it stand elsewhere', () => {
    const slice = createSlice([...before, '}', '', ...after].join('\n'), 7, 8);
    const found = resolveSlice([...numbered(5), '}', 'x', '', 'y'].join('\n'), slice);
    expect(found.status).toBe('gone');
  });

  test('was removed is gone, though the file has another copy of it', () => {
    const text = [...before, ...body, ...after, ...numbered(9), ...body].join('\n');
    const now = [...before, ...after, ...numbered(9), ...body].join('\n');
    expect(resolveSlice(now, createSlice(text, 7, 9)).status).toBe('gone');
  });

  test('was indented is changed, and is found with or without what was around it', () => {
    const inner = body.map((text) => `\t${text}`);
    const place = { status: 'changed', startLine: 7, endLine: 9, candidates: [] };
    expect(resolveSlice([...before, ...inner, ...after].join('\n'), slice)).toEqual(place);
    expect(resolveSlice([...numbered(6), ...inner, ...numbered(2)].join('\n'), slice)).toEqual(place);
    const all = [...before, ...body, ...after].map((text) => `  ${text}`);
    expect(resolveSlice(all.join('\n'), slice)).toEqual(place);
  });

  test('was indented and moved is found where it went', () => {
    const now = [...before, ...after, 'class C {', ...body.map((text) => `  ${text}`), '}'];
    const found = resolveSlice(now.join('\n'), slice);
    expect(found).toMatchObject({ status: 'changed', startLine: 14, endLine: 16 });
  });

  test('changed, as what was around it did, is changed at no place', () => {
    const now = [...numbered(5), 'if (a) {', '  c();', '  b();', '}', ...numbered(5)];
    const nowhere = { startLine: undefined, endLine: undefined, candidates: [] };
    expect(resolveSlice(now.join('\n'), slice)).toEqual({ status: 'changed', ...nowhere });
  });

  test('changed is found by half of what was around it', () => {
    const now = [...before.slice(0, 4), 'new', before[5], 'if (b) {', '}', ...after.slice(0, 3)];
    const found = resolveSlice(now.join('\n'), slice);
    expect(found).toMatchObject({ status: 'changed', startLine: 7, endLine: 8 });
  });

  test('stands in several places is where its surroundings fit best', () => {
    const now = [...body, 'new', ...before.slice(1), ...body, ...numbered(3), ...body, ...after.slice(1)];
    const found = resolveSlice(now.join('\n'), slice);
    expect(found).toEqual({ status: 'moved', startLine: 10, endLine: 12, candidates: [] });
  });

  test('stands in several places that fit equally is ambiguous, and each of them is told, the nearest first', () => {
    const now = [...numbered(3), ...body, ...numbered(6), ...body].join('\n');
    expect(resolveSlice(now, slice)).toEqual({
      status: 'moved',
      startLine: 4,
      endLine: 6,
      candidates: [
        { startLine: 4, endLine: 6 },
        { startLine: 13, endLine: 15 },
      ],
    });
  });

  test('stands in several places that fit equally is in the original one', () => {
    const now = [...numbered(3), ...body, ...body, ...numbered(6)].join('\n');
    const found = resolveSlice(now, slice);
    expect(found).toEqual({ status: 'same', startLine: 7, endLine: 9, candidates: [] });
  });

  test('changed, while another copy did not, is the changed one', () => {
    const text = [...before, ...body, ...after, ...numbered(9), ...body].join('\n');
    const now = ['new', ...before, 'if (b) {', ...body.slice(1), ...after, ...numbered(9), ...body].join(
      '\n',
    );
    const found = resolveSlice(now, createSlice(text, 7, 9));
    expect(found).toEqual({ status: 'changed', startLine: 8, endLine: 10, candidates: [] });
  });

  test('changed as a part of what was around it did, while another copy did not, names both', () => {
    const body = ['    try:', '        return load()', '    except IOError:', '        return None'];
    const file = [
      'import a',
      '',
      'def one(x):',
      ...body,
      '',
      'def two(y):',
      ...body,
      '',
      'def three(z):',
      '    pass',
    ];
    const slice = createSlice(file.join('\n'), 10, 13);
    const withLines = (lines: Record<number, string>) =>
      resolveSlice(file.map((line, at) => lines[at + 1] ?? line).join('\n'), slice);
    const copy = { startLine: 4, endLine: 7 };
    const both = { status: 'moved', ...copy, candidates: [copy, { startLine: 10, endLine: 13 }] };
    expect(withLines({ 11: '        return load(y)', 9: 'def two(y, n):' })).toEqual(both);
    expect(withLines({ 11: '        return load(y)', 15: 'def three():' })).toEqual(both);
    expect(withLines({ 3: 'def one():', 5: '        return load(x)' })).toMatchObject({
      status: 'same',
      candidates: [],
    });
  });

  test('may be a twin that changed, or one that did not, names both', () => {
    const twin = [...before, 'x', ...after];
    const slice = createSlice([...twin, ...twin].join('\n'), 7, 7);
    const now = ['new', ...before, 'y', ...after, ...twin].join('\n');
    expect(resolveSlice(now, slice)).toMatchObject({
      status: 'moved',
      candidates: [
        { startLine: 21, endLine: 21 },
        { startLine: 8, endLine: 8 },
      ],
    });
  });

  test('changed in one of several places that look alike has no place, and all of them are told', () => {
    const frame = (inner: string) => [...before, inner, ...after];
    const slice = createSlice(frame('x').join('\n'), 7, 7);
    const now = ['new', ...frame('y'), ...frame('z')].join('\n');
    expect(resolveSlice(now, slice)).toEqual({
      status: 'changed',
      startLine: undefined,
      endLine: undefined,
      candidates: [
        { startLine: 8, endLine: 8 },
        { startLine: 21, endLine: 21 },
      ],
    });
  });
});

describe('a slice without an anchor', () => {
  const slice = (start_line: number, end_line: number, more = {}) => ({
    start_line,
    end_line,
    tag: null,
    comment: null,
    ...more,
  });

  test('is its lines, and it is said that nothing vouches for them', () => {
    const found = resolveSlice('a\nb\n', slice(1, 2));
    expect(found).toEqual({ status: 'unanchored', startLine: 1, endLine: 2, candidates: [] });
  });

  test('is changed where the file has fewer lines, and gone where it has none of them', () => {
    expect(resolveSlice('a\nb\n', slice(2, 5))).toMatchObject({
      status: 'changed',
      startLine: 2,
      endLine: 2,
    });
    expect(resolveSlice('a\nb\n', slice(3, 5)).status).toBe('gone');
  });

  test('is held against its digest where it has one', () => {
    const { content_hash } = createSlice('a\nb\n', 2, 2);
    expect(resolveSlice('c\nb\n', slice(2, 2, { content_hash })).status).toBe('same');
    expect(resolveSlice('b\nc\n', slice(2, 2, { content_hash }))).toMatchObject({
      status: 'changed',
      startLine: undefined,
    });
  });

  test.each([
    'content_hash',
    'anchor_lines',
    'anchor_before',
    'line_count',
    'line_digests',
    'copies',
    'twins',
  ])('is one whose %s is no such thing', (key) => {
    for (const wrong of [null, -1, {}, [7], 'x']) {
      const found = resolveSlice('0\na\nb\n', { ...createSlice('a\nb\n', 1, 1), [key]: wrong });
      expect(['changed', 'unanchored', 'gone']).toContain(found.status);
      if (typeof wrong !== 'string') expect(found.status).not.toBe('moved');
    }
  });
});

// A search that looks at each place anew would take hours.
test('a slice is found among a hundred thousand lines that are all alike, or nearly', () => {
  const alike: readonly string[] = Array.from({ length: 100_000 }, (_, at) => (at % 2 === 0 ? '}' : ''));
  const slice = createSlice(alike.join('\n'), 40_001, 60_000);
  expect(resolveSlice(['x', ...alike].join('\n'), slice).status).toMatch(/same|moved/);
  expect(resolveSlice(alike.with(50_000, 'y').join('\n'), slice).candidates.length).toBeGreaterThan(1);
});
