import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { disk, makeTemporaryFolder } from '../../base/file/disk.ts';
import {
  parseContextConfig,
  readContextConfig,
  reloadContextConfig,
  renderContextConfig,
} from '../config/config.ts';
import { type AggregateConfig, run } from './run.ts';

let base: string;
let config: AggregateConfig;
beforeEach(() => {
  base = makeTemporaryFolder('run-');
  mkdirSync(join(base, 'src'));
  writeFileSync(join(base, 'src/a.py'), '# About.\nsecret = 1\n');
  config = {
    project: { name: 'demo', summaryOnly: true },
    output: { outputDir: join(base, 'out') },
    files: { baseDir: base, paths: ['src/*.py'] },
    history: [{ role: 'User', content: 'hi' }],
  };
});
afterEach(() => disk.rmSync(base, { recursive: true, force: true }));

test('a run gives the text, where it was written, and the files that were read', async () => {
  const { markdown, outputFile, fileItems } = await run(config);
  expect(outputFile).toBe(join(base, 'out', 'demo_001.md'));
  expect(readFileSync(outputFile, 'utf8')).toBe(markdown);
  expect(markdown).toMatch(/^## Files \(Summary\)\n(?:.|\n)*## Discussion History\n\n.*\n\nUser: hi$/);
  expect(fileItems.map(({ name, source }) => [name, source])).toEqual([
    ['src/a.py', '# About.\nsecret = 1\n'],
  ]);
});

test('relative folders of a run are those beside the file that its configuration was read from', async () => {
  mkdirSync(join(base, 'conf'));
  mkdirSync(join(base, 'shots'));
  writeFileSync(join(base, 'shots/a.png'), '');
  const file = join(base, 'conf/context.toml');
  writeFileSync(
    file,
    '[project]\nname = "demo"\n[output]\noutput_dir = "out"\n[files]\nbase_dir = ".."\npaths = ["src/*.py"]\n' +
      '[screenshots]\nbase_dir = "../shots"\npaths = ["a.png"]\n',
  );
  for (const read of [readContextConfig(file), reloadContextConfig(file).config]) {
    const { outputFile, fileItems, markdown } = await run(read);
    expect(dirname(outputFile)).toBe(join(base, 'conf/out'));
    expect(fileItems.map(({ name, error }) => [name, error])).toEqual([['src/a.py', false]]);
    expect(markdown).toContain('![](a.png)');
  }
  expect(renderContextConfig(readContextConfig(file), file)).not.toContain(base);
});

test('a run opens no connection', async () => {
  const calls = [vi.spyOn(Socket.prototype, 'connect'), vi.spyOn(globalThis, 'fetch')];
  await run({ ...config, project: { executionMode: 'beads' } }, 'full');
  for (const call of calls) {
    expect(call).not.toHaveBeenCalled();
    call.mockRestore();
  }
});

test('the strategy of a run is the one it is given, else that of the configuration', async () => {
  const titleOf = async (...given: Parameters<typeof run>) => (await run(...given)).markdown.split('\n')[0];
  expect(await titleOf(config)).toBe('## Files (Summary)');
  expect(await titleOf(config, 'full')).toBe('## Files');
  const full = { ...config, project: { ...config.project, aggregationStrategy: 'full' } } as const;
  expect(await titleOf(full)).toBe('## Files');
  expect(await titleOf(full, 'summarize')).toBe('## Files (Summary)');
});

test('runs at the same time write files of their own', async () => {
  const turns = Array.from({ length: 8 }, (_, turn) => `turn ${turn}`);
  const runs = await Promise.all(turns.map((turn) => run({ ...config, history: [turn] })));
  expect(new Set(runs.map(({ outputFile }) => outputFile)).size).toBe(8);
  expect(readdirSync(join(base, 'out'))).toHaveLength(8);
  for (const { outputFile, markdown } of runs) expect(readFileSync(outputFile, 'utf8')).toBe(markdown);
});

test('a run has the progress of the tracker where the project is worked on so', async () => {
  mkdirSync(join(base, '.beads'));
  writeFileSync(join(base, '.beads/issues.jsonl'), '{"id":"b-1","title":"Lexer","status":"open"}\n');
  const beads = {
    ...config,
    project: { executionMode: 'beads' },
    output: { ...config.output, namespace: 'n' },
  };
  const { markdown, outputFile } = await run(beads);
  expect(markdown).toContain('## Beads Mode: Progress Track\n\n**Active:**\n\n- **Lexer** (b-1)');
  expect(outputFile).toBe(join(base, 'out', 'n_001.md'));
  expect((await run(config)).markdown).not.toContain('Beads');
});

test('a run does not tell what runs before it wrote, unless it is asked for by name', async () => {
  writeFileSync(join(base, 'README.md'), 'About.\n');
  const all = { ...config, files: { baseDir: base, paths: ['**/*.md'] } };
  for (let turn = 0; turn < 2; turn++) {
    expect((await run(all)).fileItems.map(({ name }) => name)).toEqual(['README.md']);
  }
  const named = { ...config, files: { baseDir: base, paths: ['out/demo_001.md', 'out/demo_*.md'] } };
  expect((await run(named)).fileItems.map(({ name, error }) => [name, error])).toEqual([
    ['out/demo_001.md', false],
    ['out/demo_*.md', true],
  ]);
});

test('what is written is named by the output, else by the project, else by the name that people have for it', async () => {
  const nameOf = async (output: object, project: object) => {
    const named = { ...config, project, output: { outputDir: join(base, 'names'), ...output } };
    return basename((await run(named)).outputFile);
  };
  expect(await nameOf({ namespace: 'o' }, { namespace: 'p', name: 'n' })).toBe('o_001.md');
  expect(await nameOf({}, { namespace: 'p', name: 'n' })).toBe('p_001.md');
  expect(await nameOf({}, { name: 'client/server' })).toBe('client-server_001.md');
  expect(await nameOf({}, {})).toBe('context_001.md');
});

test('a configuration that was read from its file is what a run takes', async () => {
  const read = parseContextConfig(
    [
      '[project]\nname = "demo"\nsummary_only = true',
      `[output]\noutput_dir = ${JSON.stringify(join(base, 'out'))}`,
      `[files]\nbase_dir = ${JSON.stringify(base)}\npaths = ["src/*.py", { path = "src/a.py", view_mode = "none" }]`,
      '[discussion]\nhistory = ["User: hi", { role = "AI" }]',
    ].join('\n'),
    'context.toml',
  );
  expect((await run(read)).markdown).toBe(
    [
      '## Files (Summary)\n\n### `src/a.py` (excluded)\n\n(context excluded)',
      '## Discussion History\n\n### Discussion Excerpt 1\n\nUser: hi',
      '### Discussion Excerpt 2\n\nAI: ',
    ].join('\n\n---\n\n'),
  );
});
