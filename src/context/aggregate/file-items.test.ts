import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import { FileItem, type FileItemFields } from '../file-item.ts';
import { type AggregateOptions, buildFileItems, type FileEntry } from './file-items.ts';

const PYTHON = [
  '"""Reads tokens."""',
  'import re',
  'class Lexer:',
  '    """Knows lexemes."""',
  '    def next(self):',
  '        return self.secret_body',
  'def main():',
  '    print("secret main")',
  '',
].join('\n');

let base: string;
beforeEach(() => {
  base = makeTemporaryFolder('file-items-');
});
afterEach(() => disk.rmSync(base, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(base, name)), { recursive: true });
  writeFileSync(join(base, name), content);
}

async function only(entry: FileEntry, options?: AggregateOptions) {
  const items = await buildFileItems(base, [entry], options);
  expect(items).toHaveLength(1);
  return items[0] as (typeof items)[number];
}

const view = (fields: Partial<FileItemFields>) => only(new FileItem({ path: 'a.py', ...fields }));

describe('the view mode', () => {
  beforeEach(() => write('a.py', PYTHON));

  test('full shows the file as it is, and is the default', async () => {
    expect(await only('a.py')).toMatchObject({ content: PYTHON, view: 'full', error: false });
    expect((await view({ viewMode: 'full' })).content).toBe(PYTHON);
  });

  test('summary shows what can be seen of the file in a few lines', async () => {
    const { content } = await view({ viewMode: 'summary' });
    expect(content).toBe(
      'Python, 8 lines\nReads tokens.\nImports: re\nSymbols: class Lexer (line 3), def main (line 7)',
    );
  });

  test('skeleton shows the file without bodies', async () => {
    const item = await view({ viewMode: 'skeleton' });
    expect(item.view).toBe('skeleton');
    expect(item.content).toContain('"""Knows lexemes."""\n    def next(self):');
    expect(item.content).not.toContain('secret');
  });

  test('outline lists the symbols', async () => {
    const { content } = await view({ viewMode: 'outline' });
    expect(content).toBe(
      '[class] Lexer (lines 3-6)\n  [method] next (lines 5-6)\n[function] main (lines 7-8)',
    );
  });

  test('masked shows of each symbol what the mask says', async () => {
    const { content } = await view({
      viewMode: 'masked',
      astMask: { Lexer: 'def', 'Lexer.next': 'sig', main: 'hide' },
    });
    expect(content).toContain('class Lexer:');
    expect(content).toContain('def next(self):');
    expect(content).not.toMatch(/secret|main|import/);
  });

  test('masked says which symbols the file does not have', async () => {
    const { content } = await view({ viewMode: 'masked', astMask: { gone: 'def', main: 'def' } });
    expect(content).toMatch(/^\[not in the file: gone\]\n(?:.|\n)*secret main/);
  });

  test('masked without a mask, and custom without slices, are a summary, which says so', async () => {
    const notes = {
      masked: 'a summary, because the view masked needs a mask, and there is none',
      custom: 'a summary, because the view custom needs slices, and there are none',
    };
    for (const viewMode of ['masked', 'custom'] as const) {
      const shown = await view({ viewMode });
      expect(shown).toMatchObject({ view: 'summary', notes: [notes[viewMode]] });
      expect(shown.content).toMatch(/^\[a summary, because .*\]\nPython, 8 lines/);
    }
    expect(await view({ viewMode: 'summary' })).toMatchObject({ view: 'summary', notes: [] });
  });

  test('none says that the file is left out', async () => {
    expect(await view({ viewMode: 'none' })).toMatchObject({ content: '(context excluded)', error: false });
    write('b.bin', Uint8Array.of(0, 1));
    expect(await only({ path: 'b.bin', view_mode: 'none' })).toMatchObject({ content: '(context excluded)' });
  });

  test('custom shows the slices and nothing else, each with its label and lines', async () => {
    const customSlices = [
      { start_line: 2, end_line: 2, tag: 'imports', comment: 'what it\nneeds' },
      { start_line: 7, end_line: 8 },
    ];
    const { content } = await view({ viewMode: 'custom', customSlices });
    expect(content).toBe(
      [
        '---\n[Slice: imports] (what it needs)\nLines 2-2:\nimport re',
        '---\n[Slice]\nLines 7-8:\ndef main():\n    print("secret main")',
      ].join('\n\n'),
    );
  });
});

describe('a setting of a file item', () => {
  beforeEach(() => write('a.py', PYTHON));

  test('force_full outranks every view mode', async () => {
    for (const viewMode of ['none', 'summary', 'skeleton', 'custom'] as const) {
      expect((await view({ forceFull: true, astSignatures: true, viewMode })).content).toBe(PYTHON);
    }
  });

  test('auto_aggregate keeps a file that is not told, with its text and time', async () => {
    const item = await only({ path: 'a.py', auto_aggregate: false, view_mode: 'skeleton' });
    expect(item).toMatchObject({ content: PYTHON, source: PYTHON, error: false });
    expect(item.mtime).toBeGreaterThan(0);
    expect(item.settings.viewMode).toBe('skeleton');
  });

  test('ast_signatures shows heads only, and stands back behind a view of its own', async () => {
    const item = await view({ astSignatures: true });
    expect(item.view).toBe('signatures');
    expect(item.content).toContain('def next(self):');
    expect(item.content).not.toMatch(/secret|import/);
    expect((await view({ astSignatures: true, viewMode: 'outline' })).view).toBe('outline');
  });

  test('ast_definitions shows whole definitions only', async () => {
    const item = await view({ astDefinitions: true, astSignatures: true });
    expect(item.view).toBe('definitions');
    expect(item.content).toContain('secret_body');
    expect(item.content).not.toContain('import');
  });

  test('injected_at tells whether what a model knows of the file is old', async () => {
    utimesSync(join(base, 'a.py'), 1000, 1000);
    expect((await view({ injectedAt: 999 })).isStale).toBe(true);
    expect((await view({ injectedAt: 1000 })).isStale).toBe(false);
    expect((await view({})).isStale).toBe(false);
  });
});

describe('a file that cannot be shown', () => {
  test('is named where it is not found, and the others follow', async () => {
    write('b.py', 'x');
    const [missing, other] = await buildFileItems(base, ['src/gone.py', 'b.py']);
    expect(missing).toMatchObject({ content: 'ERROR: file not found: src/gone.py', error: true, mtime: 0 });
    expect(other).toMatchObject({ content: 'x', error: false });
  });

  test('is named where a view of it throws, and the others follow', async () => {
    write('a.py', PYTHON);
    write('b.py', 'x');
    const broken = () => {
      throw new Error(`cannot look into ${base}/a.py`);
    };
    const entries = [{ path: 'a.py', view_mode: 'skeleton' }, 'b.py'];
    const [failed, other] = await buildFileItems(base, entries, { cache: { get: broken, put: broken } });
    expect(failed).toMatchObject({
      content: 'ERROR in skeleton view mode for a.py:\ncannot look into a.py',
      error: true,
    });
    expect(other).toMatchObject({ content: 'x', error: false });
  });

  test.each([
    ['binary', Uint8Array.of(1, 0, 2), '(not shown: binary; 3 bytes)'],
    ['of another encoding', Uint8Array.of(0x61, 0xe9), '(not shown: not UTF-8; 2 bytes)'],
    ['huge', 'x'.repeat(101), '(not shown: 101 bytes, the limit is 100)'],
  ])('has a sentence for its content: %s', async (_, content, sentence) => {
    write('file', content);
    expect(await only('file', { maxFileBytes: 100 })).toMatchObject({ content: sentence, error: false });
  });

  test('that the others leave no room for is told in a sentence, so that a text of any number of files can be made', async () => {
    for (const name of ['a', 'b', 'c', 'd']) write(`${name}.txt`, name.repeat(40));
    write('b.py', 'x'.repeat(30));
    const items = await buildFileItems(base, ['*.txt', { path: 'b.py', view_mode: 'none' }], {
      maxTotalBytes: 100,
    });
    const sentence = '(not shown: 40 bytes, and of the limit for all files, 100 bytes, 20 are left)';
    expect(items.map(({ content }) => content)).toEqual([
      'a'.repeat(40),
      'b'.repeat(40),
      sentence,
      sentence,
      '(context excluded)',
    ]);
    expect(items[2]).toMatchObject({ source: undefined, error: false });
  });

  test('has a sentence for its content: a folder', async () => {
    write('dir/file', 'x');
    expect(await only('dir')).toMatchObject({
      content: 'ERROR: file not readable: dir (a folder)',
      error: true,
    });
  });

  test('is told as a summary where there is no grammar for it, which is said', async () => {
    write('a.lua', 'function hello()\nend\n');
    const item = await only({ path: 'a.lua', view_mode: 'skeleton' });
    expect(item.view).toBe('summary');
    expect(item.content).toBe(
      '[a summary, because the view skeleton knows no such language]\nLua, 2 lines\nSymbols: function hello (line 1)',
    );
  });

  test('is told as far as it goes where it has syntax errors, which is said', async () => {
    write('a.py', `${PYTHON}def broken(:\n`);
    const { content } = await only({ path: 'a.py', view_mode: 'skeleton' });
    expect(content).toMatch(/^\[syntax errors.* near line 9: what follows may be incomplete\]\n/);
  });
});

describe('entries', () => {
  test('that match nothing are told', async () => {
    expect(await only('src/*.py')).toMatchObject({
      entry: 'src/*.py',
      path: undefined,
      content: 'ERROR: no files matched: src/*.py',
      error: true,
      mtime: 0,
    });
    write('history.toml', 'x');
    expect((await only('history.toml')).content).toBe(
      'ERROR: no files matched: history.toml (conversations are left out)',
    );
    expect((await only('/nowhere/at/all/*.py')).content).toBe('ERROR: no files matched: …/all/*.py');
  });

  test('may name a file several times: it is there once, as its own entry says', async () => {
    write('a.py', 'a');
    write('b.py', 'b');
    const own = { path: 'b.py', view_mode: 'none' };
    const items = await buildFileItems(base, ['*.py', own, 'a.p?', { path: './b.py' }]);
    expect(items.map(({ name, content }) => [name, content])).toEqual([
      ['a.py', 'a'],
      ['b.py', '(context excluded)'],
    ]);
  });

  test('that are none are left out, with a warning', async () => {
    const warned: string[] = [];
    const warn = ({ key }: { key: string }) => warned.push(key);
    write('a.py', 'x');
    const items = await buildFileItems(
      base,
      [{ view_mode: 'full' }, '', { path: 'a.py', view_mode: 'bare' }],
      {
        warn,
      },
    );
    expect(items.map(({ name }) => name)).toEqual(['a.py']);
    expect(warned).toEqual(['files[0]', 'files[1]', 'files[2].view_mode']);
  });

  test('of a glob give each file its own item with the settings of the entry', async () => {
    write('a.py', PYTHON);
    write('sub/b.py', PYTHON);
    const items = await buildFileItems(base, [{ path: '**/*.py', view_mode: 'outline', tier: 3 }]);
    expect(items.map(({ name, view, settings }) => [name, view, settings.unknown.tier])).toEqual([
      ['a.py', 'outline', 3],
      ['sub/b.py', 'outline', 3],
    ]);
  });
});
