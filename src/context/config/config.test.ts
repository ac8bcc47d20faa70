import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileItem, VIEW_MODES } from '../file-item.ts';
import {
  type ContextConfig,
  parseContextConfig,
  readContextConfig,
  reloadContextConfig,
  renderContextConfig,
  writeContextConfig,
} from './config.ts';
import { AGGREGATION_STRATEGIES } from './config-schema.ts';
import type { ContextWarning } from './warning.ts';

const text = fc.string({ unit: 'binary', maxLength: 6 });
const word = fc.stringMatching(/^[a-z]{1,6}$/);
const unknown = fc.dictionary(
  word.map((key) => `x_${key}`),
  fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 2 })),
  { maxKeys: 2 },
);
const entry = fc.oneof(text, fc.record({ role: text, content: text, ts: fc.integer() }));
const item = fc
  .record({ path: word, viewMode: fc.constantFrom(...VIEW_MODES), unknown })
  .map((fields) => new FileItem(fields));
const optional = fc.option(word, { nil: undefined });
const config: fc.Arbitrary<ContextConfig> = fc.record({
  project: fc.record({
    name: optional,
    namespace: optional,
    summaryOnly: fc.boolean(),
    executionMode: word,
    aggregationStrategy: fc.constantFrom(...AGGREGATION_STRATEGIES),
    unknown,
  }),
  output: fc.record({ outputDir: text, namespace: optional, unknown }),
  files: fc.record({ baseDir: text, paths: fc.array(item, { maxLength: 3 }), unknown }),
  screenshots: fc.record({ baseDir: text, paths: fc.array(word, { maxLength: 3 }), unknown }),
  history: fc.array(entry, { maxLength: 3 }),
  unknown,
  unknownOfDiscussion: unknown,
});

describe('a configuration', () => {
  test.each(['c.toml', 'c.json'])('is read back as it was, with what other versions added: %s', (file) => {
    fc.assert(
      fc.property(config, (given) => {
        const back = parseContextConfig(renderContextConfig(given, file), file, () => expect.unreachable());
        expect(back).toEqual({ ...given, folder: process.cwd() });
      }),
    );
  });

  test('has the documented keys', () => {
    const toml = `
      [project]
      name = "entire"
      namespace = "ns"
      summary_only = true
      execution_mode = "beads"
      aggregation_strategy = "summarize"
      [output]
      output_dir = "out"
      namespace = "out_ns"
      [files]
      base_dir = "src"
      paths = ["a.py", { path = "b.py", view_mode = "outline" }]
      [screenshots]
      base_dir = "pictures"
      paths = ["a.png"]
      [discussion]
      history = ["User: hello", { role = "AI", content = "hi" }]
    `;
    expect(parseContextConfig(toml, 'c.toml')).toEqual({
      project: {
        name: 'entire',
        namespace: 'ns',
        summaryOnly: true,
        executionMode: 'beads',
        aggregationStrategy: 'summarize',
        unknown: {},
      },
      output: { outputDir: 'out', namespace: 'out_ns', unknown: {} },
      files: {
        baseDir: 'src',
        paths: [new FileItem({ path: 'a.py' }), new FileItem({ path: 'b.py', viewMode: 'outline' })],
        unknown: {},
      },
      screenshots: { baseDir: 'pictures', paths: ['a.png'], unknown: {} },
      history: ['User: hello', { role: 'AI', content: 'hi' }],
      folder: process.cwd(),
      unknown: {},
      unknownOfDiscussion: {},
    });
  });

  test('has defaults for all that it does not say, null included', () => {
    const defaults = {
      project: { summaryOnly: false, executionMode: 'standard', aggregationStrategy: 'auto', unknown: {} },
      output: { outputDir: '.', unknown: {} },
      files: { baseDir: '.', paths: [], unknown: {} },
      screenshots: { baseDir: '.', paths: [], unknown: {} },
      history: [],
      folder: process.cwd(),
      unknown: {},
      unknownOfDiscussion: {},
    };
    expect(parseContextConfig('', 'c.toml')).toEqual(defaults);
    expect(parseContextConfig('{"project": null, "files": {"paths": null}}', 'c.json')).toEqual(defaults);
  });

  test('may have its history at the top', () => {
    expect(parseContextConfig('history = ["a"]', 'c.toml').history).toEqual(['a']);
  });

  test.each([
    ['[project]\nsummary_only = "yes"', '`project.summary_only` is "yes"', 'Write true or false'],
    ['[project]\nname = 1', '`project.name` is 1', 'Write a text in quotes'],
    ['[project]\naggregation_strategy = "fast"', '`project.aggregation_strategy` is "fast"', 'Write "auto"'],
    ['project = 1', '`project` is 1', 'Write a table'],
    ['[output]\nnamespace = "a/b"', '`output.namespace` is "a/b"', 'without slashes'],
    ['[files]\npaths = "a.py"', '`files.paths` is "a.py"', 'Write a list of paths'],
    ['[screenshots]\npaths = ["a", 1]', '`screenshots.paths[1]` is 1', 'Write a path'],
    ['[discussion]\nhistory = [1]', '`discussion.history[0]` is 1', '`role` and `content`'],
    ['history = [{ role = 1 }]', '`history[0]` is a table', '`role` and `content`'],
    ['history = []\n[discussion]\nhistory = []', 'both `history` and `discussion.history`', 'one of them'],
    ['\n[project', 'line 2: not valid TOML', 'Correct the file'],
  ])('is refused with the file, the key and what to do: %s', (toml, what, remedy) => {
    expect(() => parseContextConfig(toml, 'dir/c.toml')).toThrow(
      expect.objectContaining({
        code: 'CONFIG_UNREADABLE',
        message: expect.stringMatching(/^dir\/c\.toml[:,] /),
        hint: expect.stringContaining(remedy),
      }),
    );
    expect(() => parseContextConfig(toml, 'c.toml')).toThrow(what);
  });

  test('warns of items that are not used as they stand', () => {
    const warnings: ContextWarning[] = [];
    const toml = '[files]\npaths = [{ path = "a", selected = 1 }, {}]\n[screenshots]\npaths = [""]\n';
    const { files, screenshots } = parseContextConfig(toml, 'c.toml', (it) => warnings.push(it));
    expect([files.paths, screenshots.paths]).toEqual([[new FileItem({ path: 'a' })], []]);
    expect(warnings.map(({ file, key }) => [file, key])).toEqual([
      ['c.toml', 'files.paths[0].selected'],
      ['c.toml', 'files.paths[1]'],
      ['c.toml', 'screenshots.paths[0]'],
    ]);
  });

  test('with null in a list cannot be TOML, and this is said', () => {
    const given = parseContextConfig('{"later": [null]}', 'c.json');
    expect(renderContextConfig(given, 'c.json')).toContain('null');
    expect(() => renderContextConfig(given, 'c.toml')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED', message: expect.stringContaining('c.toml') }),
    );
  });
});

describe('a file of a configuration', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'entire-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('is written and read, with what it holds beyond what is known', () => {
    const file = join(dir, 'c.toml');
    const toml = '[project]\nlater = 9007199254740993\n\n[other]\nday = 1979-05-27\n';
    const given = parseContextConfig(toml, file);
    writeContextConfig(file, given);
    expect(readContextConfig(file)).toEqual(given);
    expect(readFileSync(file, 'utf8')).toContain('later = 9007199254740993\n');
    expect(readFileSync(file, 'utf8')).toContain('[other]\nday = 1979-05-27\n');
  });

  test('that is not there is refused by its name', () => {
    const file = join(dir, 'c.toml');
    expect(() => readContextConfig(file)).toThrow(`${file} is not there`);
  });

  test('is reloaded with a warning for each file that is gone, in the folders beside it', () => {
    mkdirSync(join(dir, 'src'));
    writeFileSync(join(dir, 'src', 'here.py'), '');
    const file = join(dir, 'c.toml');
    const toml = `
      files = { base_dir = "src", paths = ["here.py", "*.md", "gone.py"] }
      screenshots = { paths = ["src", "gone.png"] }`;
    writeFileSync(file, toml);
    expect(reloadContextConfig(file)).toEqual({
      config: parseContextConfig(toml, file),
      warnings: [
        { file, key: 'files.paths[2]', message: '"gone.py" is gone.' },
        { file, key: 'screenshots.paths[1]', message: '"gone.png" is gone.' },
      ],
    });
  });
});
