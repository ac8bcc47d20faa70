import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { ObjectId } from '../base/ids.ts';
import { joinNotes } from '../git/commit/notes.ts';
import type { TreeEntry } from '../git/object/objects.ts';
import type { Entries } from '../git/object/trees.ts';
import { readNotesTree } from './notes-tree.ts';
import { mergeNotes } from './notes-union.ts';
import type { Store } from './store.ts';

/** Objects in memory. A text in it is bytes, one a character, read as UTF-8 like everything that git has. */
class MemoryStore implements Store {
  readonly folders = new Map<ObjectId, Entries>();
  readonly blobs = new Map<ObjectId, Buffer>();

  readFolders(oids: readonly ObjectId[]): Map<ObjectId, Entries> {
    return new Map(oids.map((oid) => [oid, this.folders.get(oid) as Entries]));
  }
  readTexts(oids: readonly ObjectId[]): Map<ObjectId, string> {
    return new Map(
      oids.flatMap((oid) =>
        this.blobs.has(oid) ? [[oid, (this.blobs.get(oid) as Buffer).toString('utf8')]] : [],
      ),
    );
  }
  readSizes(oids: readonly ObjectId[]): Map<ObjectId, number> {
    return new Map(
      oids.flatMap((oid) => (this.blobs.has(oid) ? [[oid, this.blobs.get(oid)?.length ?? 0]] : [])),
    );
  }
  writeTexts(texts: readonly string[]): ObjectId[] {
    return texts.map((text) => this.writeBytes(Buffer.from(text)));
  }
  writeBytes(bytes: Buffer): ObjectId {
    const oid = hash(bytes);
    this.blobs.set(oid, bytes);
    return oid;
  }
  writeFolders(folders: readonly Entries[]): ObjectId[] {
    return folders.map((folder) => {
      const sorted = [...folder].sort(([a], [b]) => (a < b ? -1 : 1));
      const oid = hash(Buffer.from(JSON.stringify(sorted)));
      this.folders.set(oid, new Map(sorted));
      return oid;
    });
  }
}

const hash = (bytes: Buffer): ObjectId => createHash('sha1').update(bytes).digest('hex') as ObjectId;

/** Files by their paths; bytes, one a character. */
type Files = Readonly<Record<string, string>>;

function store(into: MemoryStore, files: Files): ObjectId {
  const entries = new Map<string, TreeEntry>();
  const folders = new Map<string, Record<string, string>>();
  for (const [path, text] of Object.entries(files)) {
    const [name = '', ...rest] = path.split('/');
    if (rest.length === 0)
      entries.set(name, { mode: '100644', oid: into.writeBytes(Buffer.from(text, 'latin1')) });
    else folders.set(name, { ...folders.get(name), [rest.join('/')]: text });
  }
  for (const [name, below] of folders) entries.set(name, { mode: '40000', oid: store(into, below) });
  return into.writeFolders([entries])[0] as ObjectId;
}

function load(from: MemoryStore, oid: ObjectId, path = ''): Files {
  return Object.assign(
    {},
    ...[...(from.folders.get(oid) as Entries)].map(([name, { mode, oid: child }]) =>
      mode === '40000'
        ? load(from, child, `${path}${name}/`)
        : { [path + name]: (from.blobs.get(child) as Buffer).toString('latin1') },
    ),
  );
}

/** One merge after another, all since the same base. */
function merge(base: Files | undefined, ...trees: readonly Files[]): Files {
  const memory = new MemoryStore();
  const origin = base && store(memory, base);
  const [first, ...rest] = trees.map((tree) => store(memory, tree)) as [ObjectId, ...ObjectId[]];
  return load(
    memory,
    rest.reduce((sum, next) => mergeNotes(memory, origin, sum, next), first),
  );
}

const COMMITS = ['ab', 'ac', 'cd'].map((start) => start.padEnd(40, '0123456789'));
const link = (digit: string): string => `Entire-Checkpoint: ${digit.repeat(12)}`;
const LAYOUTS = [
  (id: string) => id,
  (id: string) => `${id.slice(0, 2)}/${id.slice(2)}`,
  (id: string) => `${id.slice(0, 2)}/${id.slice(2, 4)}/${id.slice(4)}`,
];

const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.subarray([link('1'), link('2'), 'Reviewed-by: Ada', '']).map(rows) },
  { weight: 1, arbitrary: fc.constantFrom('', '\n\n', '\xff\xfe', 'a\0b', `${link('3')}\n\n${link('1')}`) },
);

function rows(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** A note may stand there twice, in two layouts. */
const note = (id: string): fc.Arbitrary<Files> =>
  fc
    .array(fc.tuple(fc.constantFrom(...LAYOUTS), text), { maxLength: 2 })
    .map((places) => Object.fromEntries(places.map(([layout, said]) => [layout(id), said])));

const other: fc.Arbitrary<Files> = fc.constantFrom<Files[]>(
  {},
  {},
  { README: 'x' },
  { 'ab/README': 'y' },
  { ef: 'a file where a folder has to be' },
  { unmerged: 'x' },
  { 'unmerged/x': 'y' },
);

const tree: fc.Arbitrary<Files> = fc
  .tuple(...COMMITS.map(note), other)
  .map((parts) => Object.assign({}, ...parts));

const since = fc
  .tuple(
    fc.option(tree, { nil: undefined }),
    ...[1, 2, 3].map(() => fc.tuple(tree, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))),
  )
  .map(([origin, ...sides]) => ({
    origin: origin as Files | undefined,
    trees: (sides as [Files, boolean[]][]).map(([changed, kept]) =>
      withKept((origin as Files | undefined) ?? {}, changed, kept),
    ) as [Files, Files, Files],
  }));

/** Some notes are as they were. */
function withKept(origin: Files, changed: Files, kept: readonly boolean[]): Files {
  const isKept = (path: string): boolean =>
    COMMITS.some((id, at) => kept[at] && path.replaceAll('/', '') === id);
  return Object.fromEntries([
    ...Object.entries(origin).filter(([path]) => isKept(path)),
    ...Object.entries(changed).filter(([path]) => !isKept(path)),
  ]);
}

vi.setConfig({ testTimeout: 60_000 });
const RUNS = { numRuns: 200 };

/** What a tree says: an unmerged tree may say it in another layout. */
const normal = (files: Files): Files => merge(undefined, files, { x: 'y' });

describe('merging notes is a union', () => {
  test('commutative, since whatever base', () => {
    fc.assert(
      fc.property(since, ({ origin, trees: [a, b] }) => {
        expect(merge(origin, a, b)).toEqual(merge(origin, b, a));
      }),
      RUNS,
    );
  });

  test('idempotent: a tree with itself, and a merge with either of its sides', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        expect(merge(undefined, a, a)).toEqual(a);
        const both = merge(undefined, a, b);
        expect(normal(merge(undefined, both, a))).toEqual(normal(both));
        expect(normal(merge(undefined, b, both))).toEqual(normal(both));
      }),
      RUNS,
    );
  });

  test('associative, without a base and since the same one', () => {
    fc.assert(
      fc.property(since, ({ origin, trees: [a, b, c] }) => {
        for (const o of [undefined, origin]) {
          const left = normal(merge(o, merge(o, a, b), c));
          expect(normal(merge(o, a, merge(o, b, c)))).toEqual(left);
          expect(normal(merge(o, merge(o, c, a), b))).toEqual(left);
        }
      }),
      RUNS,
    );
  });

  test('no line and no other contents of either side are missing', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const memory = new MemoryStore();
        const sides = [store(memory, a), store(memory, b)] as const;
        const merged = load(memory, mergeNotes(memory, undefined, ...sides));
        const said = Object.values(merged).flatMap((content) => content.split('\n'));
        for (const content of [...Object.values(a), ...Object.values(b)])
          if (/^[ -~\n]+$/.test(content) && content.trim() !== '')
            for (const line of content.split('\n')) expect(said).toContain(line);
          else expect(Object.values(merged)).toContain(content);
      }),
      RUNS,
    );
  });
});

const [FIRST = '', SECOND = ''] = COMMITS;

test('the lines of both, each once and in one order, wherever git keeps them', () => {
  const flat = { [FIRST]: `${link('2')}\n${link('1')}\n`, [SECOND]: `${link('3')}\n` };
  const fanned = { [(LAYOUTS[2] as (id: string) => string)(FIRST)]: `Reviewed-by: Ada\n${link('2')}\n` };
  const both = { [FIRST]: `${link('1')}\n${link('2')}\nReviewed-by: Ada\n`, [SECOND]: `${link('3')}\n` };
  const shown = (files: Files) =>
    Object.fromEntries(Object.entries(files).map(([path, content]) => [path.replaceAll('/', ''), content]));
  expect(shown(merge(undefined, flat, fanned))).toEqual(both);
  expect(merge(undefined, fanned, flat)).toEqual(merge(undefined, flat, fanned));
});

test('a line that one side took away stays away, and what the other wrote meanwhile stays', () => {
  const base = { [FIRST]: `${link('1')}\n` };
  expect(merge(base, {}, { ...base, [SECOND]: 'x\n' })).toEqual({
    [(LAYOUTS[1] as (id: string) => string)(SECOND)]: 'x\n',
  });
  const changed = merge(base, { x: 'y' }, { [FIRST]: `${link('1')}\n${link('2')}\n` });
  expect(Object.values(changed).sort()).toEqual([`${link('2')}\n`, 'y']);
});

test('a note of another tool that has no lines stays, byte for byte, beside the link', () => {
  const merged = merge(undefined, { [FIRST]: 'a\0b' }, { [FIRST]: `${link('1')}\n` });
  expect(Object.values(merged).sort()).toEqual([`${link('1')}\n`, 'a\0b']);
  expect(merged[(LAYOUTS[1] as (id: string) => string)(FIRST)]).toBe(`${link('1')}\n`);
});

test('a tree that names itself over and over is refused in bounded time', () => {
  const memory = new MemoryStore();
  let below = store(memory, { [FIRST.slice(38)]: 'x\n' });
  for (let depth = 0; depth < 19; depth++) {
    const names = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'));
    const folder = new Map(names.map((name): [string, TreeEntry] => [name, { mode: '40000', oid: below }]));
    below = memory.writeFolders([folder])[0] as ObjectId;
  }
  expect(() => readNotesTree(memory, below)).toThrow('which are not merged');
});

test('the union of two texts is pure', () => {
  expect(joinNotes('b\na\n', 'b\na\n')).toBe('b\na\n');
  expect(joinNotes('b\na', 'a\n\nc')).toBe('a\nb\nc\n');
});
