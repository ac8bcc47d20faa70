import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompactionMetadata } from './compaction.ts';

const paths = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 3 })), {
  maxLength: 6,
});
const count = fc.option(fc.nat(), { nil: undefined });
const metadata = fc
  .record({ readFiles: paths, modifiedFiles: paths, tokensBefore: count, tokensAfter: count })
  .map((fields) => new CompactionMetadata(fields));

test('metadata has the four fields, lists without duplicates in their order', () => {
  const fields = { readFiles: ['b', 'a', 'b'], modifiedFiles: ['c', 'c'], tokensBefore: 9, tokensAfter: 0 };
  expect({ ...new CompactionMetadata(fields) }).toEqual({
    readFiles: ['b', 'a'],
    modifiedFiles: ['c'],
    tokensBefore: 9,
    tokensAfter: 0,
  });
});

test('metadata of nothing has no files and knows no counts', () => {
  expect({ ...new CompactionMetadata() }).toEqual({
    readFiles: [],
    modifiedFiles: [],
    tokensBefore: undefined,
    tokensAfter: undefined,
  });
});

test('the section of metadata is the documented one', () => {
  const both = new CompactionMetadata({ readFiles: ['a', 'b'], modifiedFiles: ['a'] });
  expect(both.toPromptSection()).toBe("## Files you've been working with\nModified: a\nRead: a, b");
  expect(new CompactionMetadata({ tokensBefore: 1 }).toPromptSection()).toBe('');
});

describe('merge', () => {
  test('drops duplicates, and has the paths of the first before those that only the other has', () => {
    fc.assert(
      fc.property(metadata, metadata, (one, other) => {
        const merged = one.merge(other);
        for (const list of ['readFiles', 'modifiedFiles'] as const) {
          const added = other[list].filter((path) => !one[list].includes(path));
          expect(merged[list]).toEqual([...one[list], ...added]);
        }
      }),
    );
  });

  test('keeps the token counts of the other, also where it knows none', () => {
    fc.assert(
      fc.property(metadata, metadata, (one, other) => {
        const { tokensBefore, tokensAfter } = one.merge(other);
        expect([tokensBefore, tokensAfter]).toEqual([other.tokensBefore, other.tokensAfter]);
      }),
    );
  });

  test('of three is the same, whichever two are merged first', () => {
    fc.assert(
      fc.property(metadata, metadata, metadata, (a, b, c) => {
        expect(a.merge(b).merge(c)).toEqual(a.merge(b.merge(c)));
      }),
    );
  });

  test('with itself, or after nothing, changes nothing', () => {
    fc.assert(
      fc.property(metadata, (one) => {
        expect(one.merge(one)).toEqual(one);
        expect(new CompactionMetadata().merge(one)).toEqual(one);
      }),
    );
  });

  test('leaves both as they were', () => {
    const one = new CompactionMetadata({ readFiles: ['a'] });
    const other = new CompactionMetadata({ readFiles: ['b'] });
    one.merge(other);
    expect([one.readFiles, other.readFiles]).toEqual([['a'], ['b']]);
  });
});

describe('metadata on disk', () => {
  test('has the documented names of fields', () => {
    const all = new CompactionMetadata({
      readFiles: ['a'],
      modifiedFiles: ['b'],
      tokensBefore: 2,
      tokensAfter: 1,
    });
    expect(JSON.stringify(all.toDict())).toBe(
      '{"read_files":["a"],"modified_files":["b"],"tokens_before":2,"tokens_after":1}',
    );
  });

  test('leaves out counts that are not known', () => {
    expect(new CompactionMetadata().toDict()).toEqual({ read_files: [], modified_files: [] });
  });

  test('is read back as it was', () => {
    fc.assert(
      fc.property(metadata, (one) => {
        expect(CompactionMetadata.fromDict(JSON.parse(JSON.stringify(one.toDict())))).toEqual(one);
      }),
    );
  });

  test('is read as far as it makes sense, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(CompactionMetadata.fromDict(value)).toBeInstanceOf(CompactionMetadata);
      }),
    );
    const odd = {
      read_files: ['a', '', 1, null, ['b'], 'a'],
      modified_files: 'c',
      tokens_before: -1,
      tokens_after: '3',
    };
    expect(CompactionMetadata.fromDict(odd)).toEqual(new CompactionMetadata({ readFiles: ['a'] }));
  });
});
