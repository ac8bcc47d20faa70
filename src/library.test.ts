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

describe('docs/context.md', () => {
  const page = readFileSync(join(root, 'docs', 'context.md'), 'utf8');
  const tests = ['src', 'src/context', 'src/context/aggregate']
    .flatMap((dir) => readdirSync(join(root, dir)).map((name) => join(root, dir, name)))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const named = [...page.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, title = '']) => title);

  test.each(named)('names a test that there is: %s', (title) => {
    expect(tests).toContain(`'${title}'`);
  });

  test('has no row that neither names a test nor says why there is none', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:of the|-)/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => !/\*[^*]+\* \|$|left out, because [^|]+ \|$/.test(row))).toEqual([]);
  });
});
