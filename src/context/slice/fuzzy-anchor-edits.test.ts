import fc from 'fast-check';
import * as toml from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parseSlice } from './custom-slice.ts';
import { FuzzyAnchor, linesOf } from './fuzzy-anchor.ts';

const { createSlice, resolveSlice } = FuzzyAnchor;

/** As lines of code are: most tell where they stand, and some are found everywhere. */
const line = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }).map((id) => `  call_${id}();`) },
  { weight: 1, arbitrary: fc.constantFrom('', '}', '{', '  return;') },
);
const lines = (minLength: number, maxLength: number) => fc.array(line, { minLength, maxLength });

/** A file in three parts: what is before the slice, the slice, and what is behind it. */
interface Parts {
  readonly before: readonly string[];
  readonly slice: readonly string[];
  readonly after: readonly string[];
}
const parts: fc.Arbitrary<Parts> = fc.record({
  before: lines(0, 25),
  slice: lines(1, 8),
  after: lines(0, 25),
});

const join = ({ before, slice, after }: Parts, end = '\n') =>
  [...before, ...slice, ...after].map((text) => text + end).join('');
const sliceOf = (file: Parts) =>
  createSlice(join(file), file.before.length + 1, file.before.length + file.slice.length);

/** An edit of a list of lines; `at` is a place in it. */
const edit = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'indent', 'replace', 'copy line', 'copy all'),
  at: fc.nat({ max: 1000 }),
  count: fc.integer({ min: 1, max: 4 }),
  added: lines(1, 4),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function applyTo(
  list: readonly string[],
  slice: readonly string[],
  { kind, at, count, added }: Edit,
): string[] {
  const from = at % (list.length + 1);
  const [head, hit, tail] = [list.slice(0, from), list.slice(from, from + count), list.slice(from + count)];
  const there: Record<Edit['kind'], readonly string[]> = {
    insert: [...added, ...hit],
    delete: [],
    indent: hit.map((text) => `\t${text}`),
    replace: added,
    'copy line': [slice[at % slice.length] as string, ...hit],
    'copy all': [...slice, ...hit],
  };
  return [...head, ...there[kind], ...tail];
}

/** Where lines stand. */
const copiesOf = (all: readonly string[], wanted: readonly string[]) =>
  [...all.keys()].filter((at) => wanted.every((text, offset) => all[at + offset] === text));

describe('a slice', () => {
  test('is found after any edits outside of it: lines added, removed, indented, copies of its own', () => {
    fc.assert(
      fc.property(
        parts,
        fc.array(fc.tuple(fc.constantFrom('before', 'after'), edit), { minLength: 1, maxLength: 6 }),
        (file, edits) => {
          const now = { ...file };
          for (const [part, change] of edits as ['before' | 'after', Edit][])
            now[part] = applyTo(now[part], file.slice, change);
          const slice = sliceOf(file);
          const found = resolveSlice(join(now), slice);
          expect(found.status).toBe(found.startLine === slice.start_line ? 'same' : 'moved');
          const all = linesOf(join(now));
          expect(all.slice((found.startLine as number) - 1, found.endLine)).toEqual(file.slice);
          if (copiesOf(all, file.slice).length !== 1) return;
          expect(found.startLine).toBe(now.before.length + 1);
          // Where a copy was lost, the slice may be what stands in its place.
          if (slice.copies === 1) expect(found.candidates).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('is changed after any edit inside of it, and is where its surroundings are', () => {
    fc.assert(
      fc.property(parts, fc.array(edit, { minLength: 1, maxLength: 3 }), (file, edits) => {
        const inside = edits.reduce<readonly string[]>(
          (list, it) => applyTo(list, file.slice, it),
          file.slice,
        );
        const now = { ...file, slice: inside };
        const all = linesOf(join(now));
        // An edit may leave the text as it was, at the edge of the slice, or where the same lines stand beside it.
        const [first, last] = [file.before.length, file.before.length + inside.length];
        const touches = (at: number) => at <= last && at + file.slice.length >= first;
        const overlaps = (at: number) => at < last && at + file.slice.length > first;
        fc.pre(!copiesOf(all, file.slice).some(inside.length === 0 ? touches : overlaps));
        const found = resolveSlice(join(now), sliceOf(file));
        if (inside.length === 0) expect(found.status).toBe('gone');
        else {
          expect(found.status).toBe('changed');
          const place = { startLine: first + 1, endLine: last };
          expect([found, ...found.candidates]).toContainEqual(expect.objectContaining(place));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('with all of its lines replaced is changed, and is where its surroundings are', () => {
    fc.assert(
      fc.property(parts, fc.array(fc.integer(), { minLength: 1, maxLength: 12 }), (file, ids) => {
        const found = resolveSlice(join({ ...file, slice: ids.map((id) => `new_${id}`) }), sliceOf(file));
        const place = { startLine: file.before.length + 1, endLine: file.before.length + ids.length };
        expect(found).toMatchObject({ status: 'changed', ...place });
      }),
    );
  });

  test('is found wherever lines end with \\r\\n, with \\n, or not at all', () => {
    fc.assert(
      fc.property(parts, (file) => {
        const slice = createSlice(
          join(file, '\r\n'),
          file.before.length + 1,
          file.before.length + file.slice.length,
        );
        expect(slice).toEqual(sliceOf(file));
        expect(resolveSlice(join(file).replace(/(?<=.)\n$/, ''), slice).status).toBe('same');
      }),
    );
  });

  test('is found after it was kept in JSON or TOML, among the slices of a file item', () => {
    fc.assert(
      fc.property(parts, (file) => {
        const slice = sliceOf(file);
        const warn = () => expect.unreachable();
        expect(parseSlice(JSON.parse(JSON.stringify(slice)), warn)).toEqual(slice);
        expect(parseSlice(toml.parse(toml.stringify(slice)), warn)).toEqual(slice);
      }),
    );
  });
});
