import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { FuzzyAnchor } from '../slice/fuzzy-anchor.ts';
import { buildFileItems, type FileEntry } from './file-items.ts';
import { buildTier3Context, type Tier3Options } from './tier3.ts';

const python = (word: string) => `def run():\n    return '${word}'\n`;

let base: string;
beforeEach(() => {
  base = makeTemporaryFolder('tier3-');
  for (const [name, word] of [
    ['src/a.py', 'in a'],
    ['src/b.py', 'in b'],
    ['lib/c.py', 'in c'],
  ] as const) {
    write(name, python(word));
  }
});
afterEach(() => disk.rmSync(base, { recursive: true, force: true }));

function write(name: string, content: string): void {
  mkdirSync(dirname(join(base, name)), { recursive: true });
  writeFileSync(join(base, name), content);
}

async function build(files: readonly FileEntry[], options?: Tier3Options): Promise<string> {
  return buildTier3Context(await buildFileItems(base, files), options);
}

/** Which bodies are told. */
const told = (markdown: string): string[] => markdown.match(/in [abc]/g) ?? [];

describe('the context of a narrow task', () => {
  test('tells files in focus in full, whatever their view mode, and skeletons of the rest', async () => {
    const files = [{ path: 'src/a.py', view_mode: 'none' }, 'src/b.py'];
    const markdown = await build(files, { focusFiles: ['src/a.py'] });
    expect(markdown).toMatch(/^## Files \(Tier 3 - Focused\)\n\n### `src\/a\.py`\n\n```py\ndef run/);
    expect(markdown).toContain('### `src/b.py`\n\n```py\ndef run():');
    expect(told(markdown)).toEqual(['in a']);
  });

  test.each([
    ['entry', () => ['**/b.py'], ['in b']],
    ['name', () => ['b.py'], ['in b']],
    ['path', () => [join(base, 'src/b.py')], ['in b']],
    ['path in the folder', () => ['./src/b.py'], ['in b']],
    ['part of the path', () => ['src/'], ['in a', 'in b']],
    ['nothing', () => ['', 'd.py', '/src/b.py'], []],
  ])('finds files in focus by their %s', async (_, focusFiles, bodies) => {
    const markdown = await build(['src/a.py', '**/b.py', 'lib/*.py'], { focusFiles: focusFiles() });
    expect(told(markdown)).toEqual(bodies);
  });

  test('does not take a folder of the machine for a part of the path', async () => {
    expect(told(await build(['src/a.py'], { focusFiles: ['tier3-'] }))).toEqual([]);
  });

  test('takes force_full and tier 3 for a focus', async () => {
    const files = [
      { path: 'src/a.py', force_full: true, view_mode: 'outline' },
      { path: 'src/b.py', tier: 3 },
      { path: 'lib/c.py', tier: 2 },
    ];
    expect(told(await build(files))).toEqual(['in a', 'in b']);
  });

  test('finds the slices of files that were edited since where they are now', async () => {
    const slice = FuzzyAnchor.createSlice(python('in a'), 2, 2, { tag: 'body' });
    write('src/a.py', `# new\n\n${python('in a')}`);
    const markdown = await build([{ path: 'src/a.py', custom_slices: [slice] }]);
    expect(markdown).toContain("[Slice: body]\nLines 4-4 (moved, was lines 2-2):\n    return 'in a'\n```");
    expect(markdown).not.toContain('# new');
  });

  test('keeps views of code that a file has of its own, and what is left out', async () => {
    const markdown = await build([
      { path: 'src/a.py', view_mode: 'outline' },
      { path: 'src/b.py', view_mode: 'none' },
      { path: 'lib/c.py', ast_signatures: true },
      { path: 'src/d.py', auto_aggregate: false },
    ]);
    expect(markdown).toContain('[function] run (lines 1-2)');
    expect(markdown).toContain('### `src/b.py` (excluded)');
    expect(markdown).toMatch(/### `lib\/c\.py`\n\n```py\ndef run\(\):\n/);
    expect(markdown).not.toContain('d.py');
  });

  test('tells a summary of what has no skeleton, and errors as they are', async () => {
    write('README.md', '# Title\n\nAbout.\n');
    const markdown = await build(['README.md', 'gone.py']);
    expect(markdown).toContain('Markdown, 3 lines\nAbout.\nHeadings: Title (line 1)');
    expect(markdown).toContain('ERROR: file not found: gone.py');
  });

  test('has the other sections after the files, and the conversation last', async () => {
    write('shot.png', '');
    const markdown = await build(['src/a.py'], {
      screenshotBaseDir: base,
      screenshots: ['shot.png'],
      history: ['hi'],
    });
    expect(markdown.match(/^## .*/gm)).toEqual([
      '## Files (Tier 3 - Focused)',
      '## Screenshots',
      '## Discussion History',
    ]);
  });
});
