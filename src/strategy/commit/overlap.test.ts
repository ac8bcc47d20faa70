import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import type { RepoPath } from '../../base/repo-path.ts';
import type { PathChange } from '../../git/commit/commits.ts';
import type { TreeEntry } from '../../git/object/objects.ts';
import { newBudget } from '../attribution/line-diff.ts';
import { type BlobTexts, newReadBudgets, type ReadText } from './blob-text.ts';
import { findOverlap, isPartOrExtension, isProperPart } from './overlap.ts';

const path = 'f.txt' as RepoPath;
/** A blob that is its own text, so that equal texts have equal ids. */
const blob = (text: string): TreeEntry => ({ mode: '100644', oid: text as ObjectId });

const reader = (read: ReadText): BlobTexts =>
  Object.assign((entry: TreeEntry) => read(entry), { readAhead: () => read });

interface Case {
  before?: string;
  after?: string;
  /** `undefined`: not in the shadow tree; `null`: there is no shadow tree. */
  shadow?: string | null;
  fresh?: boolean;
  changed?: boolean;
  isAtWork?: boolean;
  isAside?: boolean;
}

function overlaps({
  before,
  after,
  shadow,
  fresh = false,
  changed = true,
  isAtWork = false,
  isAside = false,
}: Case): boolean {
  const change: PathChange = {
    before: before === undefined ? undefined : blob(before),
    after: after === undefined ? undefined : blob(after),
  };
  const found = findOverlap({
    touched: { fresh: new Set(fresh ? [path] : []), all: [path] },
    changes: new Map(changed ? [[path, change]] : []),
    shadow: shadow === null ? undefined : new Map(shadow === undefined ? [] : [[path, blob(shadow)]]),
    readText: reader(({ oid }) => (oid.includes('\0') ? undefined : oid)),
    isAtWork: () => isAtWork,
    hasLeft: () => false,
    isAside: () => isAside,
    budget: newBudget(),
    bytes: newReadBudgets(),
  });
  return found.length > 0;
}

describe('commits and what is staged', () => {
  test.each<[string, Case, boolean]>([
    [
      'a path that the commit did not change',
      { changed: false, before: 'a', after: 'a', shadow: 'a' },
      false,
    ],
    ['a file that existed, with the agent’s content', { before: 'a', after: 'b', shadow: 'b' }, true],
    ['a file that existed, with other content', { before: 'a', after: 'c', shadow: 'b' }, true],
    [
      'a file that existed, undone as a whole',
      { before: 'a\nb\nc\nd\n', after: 'a\nb\nc\nmine\n', shadow: 'new\nb\nc\nd\n' },
      false,
    ],
    [
      'a file that existed, changed where the agent’s work was put away',
      { before: 'a\nb\nc\n', after: 'a\nmine\nc\n', shadow: 'a\nnew\nc\n', isAside: true },
      false,
    ],
    [
      'the same, with a line of that work',
      { before: 'a\nb\nc\n', after: 'a\nmine\nnew\nc\n', shadow: 'a\nnew\nc\n', isAside: true },
      true,
    ],
    [
      'the same, with the turn still going on',
      { before: 'a\nb\nc\nd\n', after: 'a\nb\nc\nmine\n', shadow: 'new\nb\nc\nd\n', isAtWork: true },
      true,
    ],
    [
      'a file that existed, undone in part',
      { before: 'a\nb\nc\nd\n', after: 'new\nb\nc\nmine\n', shadow: 'new\nb\nc\nnewer\n' },
      true,
    ],
    [
      'a file that existed, the agent’s line moved',
      { before: 'a\nb\nc\nd\n', after: 'a\nb\nc\nd\n  new\n', shadow: 'new\na\nb\nc\nd\n' },
      true,
    ],
    ['a file that existed, as HEAD has it in the last step', { before: 'a', after: 'c', shadow: 'a' }, false],
    ['a file that existed, binary and other', { before: 'a\0', after: 'c\0', shadow: 'b\0' }, true],
    ['a file that existed and no step has', { before: 'a', after: 'c' }, true],
    ['a file that existed, deleted by the agent', { before: 'a' }, true],
    ['a file that existed, deleted though the agent kept it', { before: 'a', shadow: 'b' }, true],
    ['a new file with the agent’s content', { after: 'b', shadow: 'b' }, true],
    ['a new file that no step has', { after: 'b' }, false],
    ['a new file, replaced', { after: 'x\ny\n', shadow: 'a\nb\n' }, false],
    [
      'a new file, replaced but for two lines that say something',
      {
        after: 'x\nexport const kept = 1234;\nexport const more = 5678;\ny\n',
        shadow: 'a\nb\nc\nd\ne\nexport const kept = 1234\nexport const more = 5678\n',
      },
      true,
    ],
    [
      'a new file, of whose two lines that tell by themselves one is left',
      { after: 'x\nexport const kept = 1;\n', shadow: 'export const gone = 5\nexport const kept = 1\n' },
      true,
    ],
    [
      'a new file, of which the head of a block is left',
      { after: 'x\ny\nexport default defineConfig({\n', shadow: 'a\nb\nc\nexport default defineConfig({\n' },
      false,
    ],
    [
      'a new file of two functions, of which the head of one is left',
      {
        after: 'x\ny\nfunction secondOne(a) {\n',
        shadow: 'function firstOne(a) {\nfunction secondOne(a) {\n',
      },
      true,
    ],
    [
      'a new file, replaced but for an import that both have',
      { after: "import { test } from 'vitest';\ny\n", shadow: "import { test } from 'vitest';\nb\nc\nd\n" },
      false,
    ],
    ['the first half of a new file', { after: 'a\nb\n', shadow: 'a\nb\nc\nd\n' }, true],
    ['a new file that the user extended', { after: 'own\na\nb\nmore\n', shadow: 'a\nb\n' }, true],
    ['a new file that is binary and differs', { after: 'a\0x', shadow: 'a\0y' }, false],
    ['a new file that is binary and the same', { after: 'a\0x', shadow: 'a\0x' }, true],
    ['a new file that neither side has any more', {}, false],
    ['a new file, when there is no shadow branch', { after: 'x', shadow: null }, true],
    ['a new file written since the last step', { after: 'x', shadow: 'old', fresh: true }, true],
  ])('%s', (_, given, expected) => {
    expect(overlaps(given)).toBe(expected);
  });

  test('the paths come in the order of the touched ones, foreign ones left out', () => {
    const [a, b, c] = ['a', 'b', 'c'] as RepoPath[] as [RepoPath, RepoPath, RepoPath];
    const changed = { before: blob('1'), after: blob('2') };
    const changes = new Map([c, a, 'foreign' as RepoPath].map((name) => [name, changed]));
    const touched = { fresh: new Set<RepoPath>(), all: [a, b, c] };
    expect(
      findOverlap({
        touched,
        changes,
        shadow: undefined,
        readText: reader(() => undefined),
        isAtWork: () => false,
        hasLeft: () => false,
        isAside: () => false,
        budget: newBudget(),
        bytes: newReadBudgets(),
      }),
    ).toEqual([a, c]);
  });

  test('texts are read only of new files that differ', () => {
    const asked: string[] = [];
    const changes = new Map([[path, { before: undefined, after: blob('same') }]]);
    const touched = { fresh: new Set<RepoPath>(), all: [path] };
    const readText = reader(({ oid }) => {
      asked.push(oid);
      return oid;
    });
    const find = (saved: string) =>
      findOverlap({
        touched,
        changes,
        shadow: new Map([[path, blob(saved)]]),
        readText,
        isAtWork: () => false,
        hasLeft: () => false,
        isAside: () => false,
        budget: newBudget(),
        bytes: newReadBudgets(),
      });
    find('same');
    expect(asked).toEqual([]);
    find('other');
    expect(asked).toEqual(['other', 'same']);
  });
});

test.each([
  ['a file that another session moved as it was holds nothing', true, true, false],
  ['one that the session itself moved does', false, true, true],
  ['one that was deleted does', true, false, true],
])('%s', (_, isLeft, isMoved, expected) => {
  const change: PathChange = { before: blob('old'), after: undefined };
  const moved = ['moved.txt' as RepoPath, { before: undefined, after: blob('old') }] as const;
  const found = findOverlap({
    touched: { fresh: new Set(), all: [path] },
    changes: new Map([[path, change], ...(isMoved ? [moved] : [])]),
    shadow: new Map(),
    readText: reader(() => undefined),
    isAtWork: () => false,
    hasLeft: () => isLeft,
    isAside: () => false,
    budget: newBudget(),
    bytes: newReadBudgets(),
  });
  expect(found.length > 0).toBe(expected);
});

describe('a new file that differs from what the agent wrote', () => {
  const agent = 'one\ntwo\nthree\nfour\n';

  test.each<[string, string, boolean]>([
    ['lines left out', 'one\nfour\n', true],
    ['one line only', 'three\n', true],
    ['blank lines and line ends differ', '\r\none\r\n\r\n  \r\nthree\r\n', true],
    ['lines in another order, nothing of it more than half', 'four\nthree\ntwo\none\n', false],
    ['half of the lines among others', 'one\nx\ntwo\ny\n', false],
    ['more than half among others', 'one\nx\ntwo\ny\nthree\n', true],
    ['nothing in common', 'x\ny\n', false],
    ['no line at all', '\n\n', false],
  ])('%s', (_, committed, expected) => {
    expect(isPartOrExtension(agent, committed)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    [
      'only white space inside of lines',
      'export const s = "x"\nexport const t = 2\ncall(s, [\n  1,\n])\n',
      true,
    ],
    [
      'quotes, commas and semicolons',
      "  export const s = 'x';\nexport const t = 2;\ncall(s,[\n1\n]);\n",
      true,
    ],
    [
      'replaced in the style of what was there',
      "export const a = 'x';\nexport const b = 2;\ncall(b,[\n]);\n",
      false,
    ],
  ])('formatted before it is committed: %s', (_, committed, expected) => {
    const written = 'export const s="x"\nexport const t   =   2\ncall(s, [\n  1\n])\n';
    expect(isPartOrExtension(written, committed)).toBe(expected);
  });

  test('what the agent left empty has no part', () => {
    expect(isPartOrExtension('', 'x')).toBe(false);
    expect(isPartOrExtension('\n \n', 'x')).toBe(false);
  });

  const line = fc.constantFrom('a', 'b', 'c', 'd', '', '}');
  const lines = fc.array(line, { minLength: 1, maxLength: 10 }).filter((rows) => rows.some(Boolean));

  test('any lines left out, and any lines added, overlap', () => {
    fc.assert(
      fc.property(
        lines,
        fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
        fc.array(line),
        (rows, keep, more) => {
          const kept = rows.filter((_, at) => keep[at]);
          if (kept.some(Boolean)) expect(isPartOrExtension(rows.join('\n'), kept.join('\n'))).toBe(true);
          const extended = rows.flatMap((row, at) => (keep[at] ? [more[at] ?? 'x', row] : [row]));
          expect(isPartOrExtension(rows.join('\n'), extended.join('\n'))).toBe(true);
        },
      ),
    );
  });

  test('an early line that only occurs late does not hide the others', () => {
    const written = '/**\n * Adds.\nexport const add = 1;\nexport const sub = 2;\nexport const mul = 3;\n';
    const committed =
      '/*!\n * Adds.\nexport const add = 1;\nexport const sub = 2;\nexport const mul = 3;\n/**\nown\n';
    expect(isPartOrExtension(written, committed)).toBe(true);
  });
});

test.each<[string, string, string, boolean]>([
  ['a\nb\n', 'a\nx\nb\n', '', true],
  ['', 'a\n', '', true],
  ['a\nb\n', 'a\nb\n', '', false],
  ['a\n\nb\n', 'a\nb\n', '', false],
  ['b\na\n', 'a\nb\nc\n', '', false],
  ['a\nb\nc\n', 'a\nb\n', '', false],
  ['a\na\n', 'a\nb\nc\n', '', false],
  ['a\nc\nx\n', 'a\nc\nx\ny\n', 'a\nb\nc\n', true],
  ['a\nc\n', 'a\nb\nc\nx\n', 'a\nb\nc\n', false],
  ['a\nc\n', 'a\nc\nb\n', 'a\nb\nc\n', true],
])('%j is a proper part of %j, both made of %j: %s', (part, whole, before, expected) => {
  expect(isProperPart(part, whole, before)).toBe(expected);
});
