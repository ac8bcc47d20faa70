import fc from 'fast-check';
import * as toml from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { ContextWarning } from './config/warning.ts';
import { FileItem, type FileItemFields, VIEW_MODES } from './file-item.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'A.b', ''));
const plain = fc.oneof(text, fc.boolean(), fc.integer(), fc.array(text, { maxLength: 2 }));
const slice = fc.record({
  start_line: fc.integer({ min: 1, max: 9 }),
  end_line: fc.integer({ min: 9, max: 99 }),
  tag: fc.option(text),
  comment: fc.option(text),
  later: plain,
});
const fields: fc.Arbitrary<FileItemFields> = fc.record(
  {
    path: text.filter((path) => path !== ''),
    autoAggregate: fc.boolean(),
    forceFull: fc.boolean(),
    viewMode: fc.constantFrom(...VIEW_MODES),
    selected: fc.boolean(),
    astSignatures: fc.boolean(),
    astDefinitions: fc.boolean(),
    astMask: fc.dictionary(key, fc.constantFrom('def', 'sig', 'hide'), { maxKeys: 3 }),
    customSlices: fc.array(slice, { maxLength: 2 }),
    injectedAt: fc.double({ min: 0, max: 2 ** 53 - 1, noNaN: true }),
    unknown: fc.dictionary(key, plain, { maxKeys: 2 }),
  },
  { requiredKeys: ['path'] },
);

/** An item and what was said of it. */
function parsed(value: unknown): { item: FileItem | undefined; warnings: ContextWarning[] } {
  const warnings: ContextWarning[] = [];
  return { item: FileItem.fromDict(value, (warning) => warnings.push(warning)), warnings };
}

test('a file item has the documented defaults, all of them written', () => {
  expect(new FileItem({ path: 'a.py' }).toDict()).toEqual({
    path: 'a.py',
    auto_aggregate: true,
    force_full: false,
    view_mode: 'full',
    selected: false,
    ast_signatures: false,
    ast_definitions: false,
    ast_mask: {},
    custom_slices: [],
    injected_at: null,
  });
});

test('every field of a file item is read from its documented key', () => {
  const { item, warnings } = parsed({
    path: 'a.py',
    auto_aggregate: false,
    force_full: true,
    view_mode: 'masked',
    selected: true,
    ast_signatures: true,
    ast_definitions: true,
    ast_mask: { 'A.b': 'sig' },
    custom_slices: [{ start_line: 1, end_line: 2 }],
    injected_at: 1.5,
  });
  expect(warnings).toEqual([]);
  expect({ ...item }).toEqual({
    path: 'a.py',
    autoAggregate: false,
    forceFull: true,
    viewMode: 'masked',
    selected: true,
    astSignatures: true,
    astDefinitions: true,
    astMask: { 'A.b': 'sig' },
    customSlices: [{ start_line: 1, end_line: 2, tag: null, comment: null }],
    injectedAt: 1.5,
    unknown: {},
  });
});

test('a text is the path of a file item with defaults', () => {
  expect(FileItem.fromDict('src/*.py')).toEqual(new FileItem({ path: 'src/*.py' }));
});

test('slices of a file item have a tag and a comment, null where none was given', () => {
  const given = { start_line: 1, end_line: 1, tag: 'parser', later: 1 };
  const { customSlices } = new FileItem({ path: 'a', customSlices: [given] });
  expect(customSlices).toEqual([{ start_line: 1, end_line: 1, tag: 'parser', comment: null, later: 1 }]);
});

test('a file item with other fields is another one', () => {
  const item = new FileItem({ path: 'a', viewMode: 'outline', unknown: { later: 1 } });
  const injected = item.with({ injectedAt: 7 });
  expect(item.injectedAt).toBeUndefined();
  expect(injected.toDict()).toEqual({ ...item.toDict(), injected_at: 7 });
});

describe('a file item on disk', () => {
  test('is read back from JSON as it was, with what other versions added', () => {
    fc.assert(
      fc.property(fields, (given) => {
        const item = new FileItem(given);
        const { item: back, warnings } = parsed(JSON.parse(JSON.stringify(item.toDict())));
        expect([back, warnings]).toEqual([item, []]);
      }),
    );
  });

  test('is read back from TOML as it was, with what other versions added', () => {
    fc.assert(
      fc.property(fields, (given) => {
        const item = new FileItem(given);
        const { item: back, warnings } = parsed(toml.parse(toml.stringify(item.toDict())));
        expect([back, warnings]).toEqual([item, []]);
      }),
    );
  });

  test('keeps unknown keys where they were, and they replace none that is known', () => {
    const dict = { path: 'a', __later: { deep: [1] }, custom_slices: [{ start_line: 1, end_line: 1, x: 2 }] };
    expect(FileItem.fromDict(dict)?.toDict()).toMatchObject(dict);
    expect(new FileItem({ path: 'a', unknown: { path: 'b' } }).toDict().path).toBe('a');
  });

  test.each([
    ['auto_aggregate', 'no', true],
    ['force_full', 1, false],
    ['view_mode', 'skeletal', 'full'],
    ['view_mode', 'toString', 'full'],
    ['selected', [], false],
    ['ast_signatures', 'true', false],
    ['ast_definitions', {}, false],
    ['ast_mask', ['A'], {}],
    ['custom_slices', 'all', []],
    ['injected_at', 'now', null],
    ['injected_at', Number.NaN, null],
    ['injected_at', 10n, null],
  ])('has the default of %s for %s, and says so', (name, value, fallback) => {
    const { item, warnings } = parsed({ path: 'a', [name]: value });
    expect(item?.toDict()[name]).toEqual(fallback);
    expect(warnings.map((warning) => warning.key)).toEqual([name]);
  });

  test('says what was wrong and what is used', () => {
    expect(parsed({ path: 'a', view_mode: 'skeletal' }).warnings).toEqual([
      {
        key: 'view_mode',
        message:
          'is "skeletal", which is none of full, summary, skeleton, outline, masked, none, custom; the default is used.',
      },
    ]);
  });

  test('leaves out single entries that are wrong, and names each', () => {
    const { item, warnings } = parsed({
      path: 'a',
      ast_mask: { A: 'def', B: 'all' },
      custom_slices: [
        { start_line: 3, end_line: 2 },
        { start_line: 1, end_line: 1, tag: 5 },
        'x',
        { start_line: 0, end_line: 1 },
      ],
    });
    expect(item?.astMask).toEqual({ A: 'def' });
    expect(item?.customSlices).toEqual([{ start_line: 1, end_line: 1, tag: null, comment: null }]);
    expect(warnings.map((warning) => warning.key)).toEqual([
      'ast_mask.B',
      'custom_slices[0]',
      'custom_slices[1].tag',
      'custom_slices[2]',
      'custom_slices[3]',
    ]);
  });

  test('that has no path is none, and this is said', () => {
    for (const value of ['', {}, { path: 1 }, null, 7, ['a']]) {
      const { item, warnings } = parsed(value);
      expect(item).toBeUndefined();
      expect(warnings).toHaveLength(1);
    }
  });

  test('is read without an exception, whatever it is, and can be written again', () => {
    const endless: Record<string, unknown> = { path: 'a' };
    endless.later = endless;
    expect(parsed(endless).warnings.map((warning) => warning.key)).toEqual(['later']);
    const anyField = fc.dictionary(
      fc.constantFrom(...Object.keys(new FileItem({ path: 'a' }).toDict())),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), anyField), (value) => {
        const { item, warnings } = parsed(value);
        expect(item !== undefined || warnings.length > 0).toBe(true);
      }),
    );
  });
});
