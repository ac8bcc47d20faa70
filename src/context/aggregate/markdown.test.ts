import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { AGGREGATION_STRATEGIES } from '../config/config-schema.ts';
import { VIEW_MODES } from '../file-item.ts';
import { buildFileItems } from './file-items.ts';
import { buildSummaryMarkdown } from './files-section.ts';
import type { DiscussionEntry } from './markdown.ts';
import { buildMarkdown, buildMarkdownFromItems, buildMarkdownNoHistory } from './markdown.ts';

let base: string;
beforeEach(() => {
  base = makeTemporaryFolder('markdown-');
});
afterEach(() => disk.rmSync(base, { recursive: true, force: true }));

function write(folder: string, name: string, content: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const headings = (markdown: string): string[] => markdown.split('\n').filter((line) => /^##? /.test(line));

describe('the text of a context', () => {
  test('has files, images, progress and the conversation, in this order', async () => {
    write(base, 'a.py', 'x = 1\n');
    write(base, 'shot.png', '');
    write(base, '.beads/issues.jsonl', '{"id":"b","title":"B","status":"open"}');
    const markdown = await buildMarkdown(base, ['a.py'], {
      screenshots: ['shot.png'],
      executionMode: 'beads',
      history: ['hi'],
    });
    expect(markdown).toBe(
      [
        '## Files\n\n### `a.py`\n\n```py\nx = 1\n```',
        '## Screenshots\n\n![](shot.png)',
        '## Beads Mode: Progress Track\n\n**Active:**\n\n- **B** (b)',
        '## Discussion History\n\n### Discussion Excerpt 1\n\nhi',
      ].join('\n\n---\n\n'),
    );
  });

  test('has no section that says nothing', async () => {
    write(base, 'a.py', 'x\n');
    write(base, '.beads/issues.jsonl', '{"id":"b","title":"B","status":"open"}');
    const hidden = { path: 'a.py', auto_aggregate: false };
    expect(await buildMarkdown(base, [hidden], { history: [], executionMode: 'standard' })).toBe('');
    expect(headings(await buildMarkdown(base, [hidden, 'gone.py']))).toEqual(['## Files']);
  });

  test('tells errors in place of the file, and goes on', async () => {
    write(base, 'b.py', 'x\n');
    expect(await buildMarkdown(base, ['gone.py', 'b.py'])).toBe(
      '## Files\n\n### `gone.py`\n\n```text\nERROR: file not found: gone.py\n```\n\n### `b.py`\n\n```py\nx\n```',
    );
  });
});

describe('the strategy', () => {
  const made = async (options: Parameters<typeof buildMarkdownFromItems>[1]) => {
    write(base, 'a.py', '"""About."""\nsecret = 1\n');
    return buildMarkdownFromItems(await buildFileItems(base, ['a.py']), options);
  };

  test('auto decides by summaryOnly, and is the default', async () => {
    expect(await made({})).toContain('## Files\n');
    expect(await made({ aggregationStrategy: 'auto', summaryOnly: true })).toBe(
      '## Files (Summary)\n\n### `a.py`\n\n```text\nPython, 2 lines\nAbout.\n```',
    );
  });

  test('summarize is a summary, and full is not, whatever summaryOnly says', async () => {
    expect(headings(await made({ aggregationStrategy: 'summarize', summaryOnly: false }))).toEqual([
      '## Files (Summary)',
    ]);
    const full = await made({ aggregationStrategy: 'full', summaryOnly: true });
    expect(headings(full)).toEqual(['## Files']);
    expect(full).toContain('secret');
  });

  test('summarize tells files with force_full in full, and leaves out what none does', async () => {
    for (const name of ['a.py', 'b.py', 'c.py', 'd.py'])
      write(base, name, `# About.\nsecret_${name[0]} = 1\n`);
    const items = await buildFileItems(base, [
      'a.py',
      { path: 'b.py', force_full: true },
      { path: 'c.py', view_mode: 'none' },
      { path: 'd.py', auto_aggregate: false },
      'gone.py',
    ]);
    expect(buildSummaryMarkdown(items)).toBe(
      [
        '### `a.py`\n\n```text\nPython, 2 lines\nAbout.\n```',
        '### `b.py`\n\n```py\n# About.\nsecret_b = 1\n```',
        '### `c.py` (excluded)\n\n(context excluded)',
        '### `gone.py`\n\n```text\nERROR: file not found: gone.py\n```',
      ].join('\n\n'),
    );
  });
});

const turn: fc.Arbitrary<DiscussionEntry> = fc.oneof(
  fc.string(),
  fc.record({ role: fc.constantFrom('User', 'AI'), content: fc.string() }),
);
const name = fc.constantFrom('a.py', 'b.ts', 'sub/c.md', 'sub/d.c', 'e.bin');
const content = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    'def f():\n    return 1\n',
    'int f(void) {\n  return 1;\n}\n',
    '# T\n````\n',
    '\0',
    'class {',
  ),
);
const project = fc.record({
  files: fc.dictionary(name, content, { maxKeys: 5 }),
  viewMode: fc.constantFrom(...VIEW_MODES),
  slices: fc.constantFrom([], [{ start_line: 1, end_line: 2 }]),
  aggregationStrategy: fc.constantFrom(...AGGREGATION_STRATEGIES),
  summaryOnly: fc.boolean(),
  injectedAt: fc.integer({ min: 0, max: 4e9 }),
});

type Project = typeof project extends fc.Arbitrary<infer Value> ? Value : never;

/** The same project in a folder of its own, written at another time. */
async function lay({ files, viewMode, slices, injectedAt, ...options }: Project, time: number) {
  const baseDir = makeTemporaryFolder('static-prefix-');
  for (const [file, text] of Object.entries(files)) {
    write(baseDir, file, text);
    utimesSync(join(baseDir, file), time, time);
  }
  write(baseDir, 'shot.png', '');
  const entry = { path: '**/*', view_mode: viewMode, custom_slices: slices, injected_at: time + injectedAt };
  const items = await buildFileItems(baseDir, [entry, 'gone.py', join(baseDir, '../gone/x.py')]);
  return { items, options: { ...options, baseDir, screenshots: ['*.png', join(baseDir, 'shot.png')] } };
}

test('the text before the conversation is the same, byte for byte, when only the conversation differs', async () => {
  await fc.assert(
    fc.asyncProperty(
      project,
      fc.array(turn),
      fc.array(turn, { minLength: 1 }),
      async (given, before, after) => {
        const first = await lay(given, 1_000_000);
        const second = await lay(given, 2_000_000);
        try {
          const prefix = buildMarkdownNoHistory(first.items, first.options);
          for (const history of [before, after]) {
            const whole = buildMarkdownFromItems(second.items, { ...second.options, history });
            const next = history.length === 0 ? '' : '\n\n---\n\n## Discussion History';
            expect(whole.slice(0, prefix.length + next.length)).toBe(prefix + next);
          }
        } finally {
          for (const { options } of [first, second]) disk.rmSync(options.baseDir, { recursive: true });
        }
      },
    ),
    { numRuns: 40 },
  );
});
