import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as library from './index.ts';

const root = resolve(import.meta.dirname, '..');

test('the paths of a patch envelope are what a recorder takes, also of files that it deletes or moves', () => {
  const envelope = [
    '*** Begin Patch',
    '*** Add File: new.ts',
    '+x',
    '*** Update File: from.ts',
    '*** Move to: to.ts',
    '@@',
    '-a',
    '+b',
    '*** Delete File: gone.ts',
    '*** End Patch',
  ].join('\n');
  const tracker = new library.FileTracker();
  const call = { tool: 'apply_patch', paths: library.patchedPaths(envelope), succeeded: true };
  library.recordToolCall(tracker, call);
  expect(tracker.toMetadata().modifiedFiles).toEqual(['new.ts', 'from.ts', 'to.ts', 'gone.ts']);
});

test('what one compaction knew is merged into the next, and told with its summary', async () => {
  const first = new library.FileTracker();
  first.recordRead('a.ts');
  const second = new library.FileTracker();
  second.recordModified('a.ts');
  const stored = JSON.parse(JSON.stringify(first.toMetadata().toDict()));
  const strategy = new library.SummaryCompaction(() => 'words');
  strategy.setMetadata(library.CompactionMetadata.fromDict(stored).merge(second.toMetadata()));
  const [message] = await strategy.compact([{ role: 'user', content: 'hello' }]);
  expect(message?.content).toBe("## Files you've been working with\nModified: a.ts\nRead: a.ts\n\nwords");
});

/** The texts of all tests below some folders, long ones over clients included. */
const testsIn = (...dirs: readonly string[]): string =>
  dirs
    .flatMap((dir) =>
      readdirSync(join(root, dir), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(root, dir, name),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('fixtures'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

const everywhere = testsIn('src', 'integration');

describe.each([
  { name: 'docs/tests/context.md', first: 'of the document', tests: testsIn('src'), rowsAtLeast: 30 },
  { name: 'docs/tests/sessions.md', first: 'of the document', tests: everywhere, rowsAtLeast: 45 },
  { name: 'docs/tests/security.md', first: 'attack', tests: everywhere, rowsAtLeast: 10 },
])('$name', ({ name, first, tests, rowsAtLeast }) => {
  const page = readFileSync(join(root, name), 'utf8');
  // Only the tables that name a test in the last cell of each row: what became of a document, or of an attack.
  const rows = page
    .split(/^## /m)
    .filter((section) => section.includes(`| ${first} |`))
    .flatMap((section) => section.split('\n'))
    .filter((line) => line.startsWith('| ') && !line.startsWith(`| ${first} |`) && !line.startsWith('| -'));
  const named = [...page.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, title = '']) => title);

  test('names tests that there are', () => {
    expect([...new Set(named)].filter((title) => !tests.includes(`'${title}'`))).toEqual([]);
  });

  test('has no row that neither names a test nor says why there is none', () => {
    expect(rows.length).toBeGreaterThan(rowsAtLeast);
    expect(rows.filter((row) => !/\*[^*]+\* \|$|left out, because [^|]+ \|$/.test(row))).toEqual([]);
  });
});
