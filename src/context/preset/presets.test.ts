import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, replaceDisk } from '../../base/file/disk.ts';
import { FileItem } from '../file-item.ts';
import { ContextPreset } from './preset.ts';
import { ContextPresetManager } from './presets.ts';

let dir: string;
let root: string;
let manager: ContextPresetManager;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-'));
  root = join(dir, 'repo');
  mkdirSync(root);
  manager = new ContextPresetManager({ root, env: { HOME: dir } });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const project = (name = 'context.toml') => join(root, '.entire', name);
const global = (name = 'context.toml') => join(dir, '.config', 'entire', name);
const read = (file: string) => readFileSync(file, 'utf8');
function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const preset = (name: string, ...paths: string[]) =>
  new ContextPreset({ name, files: paths.map((path) => new FileItem({ path })) });

describe('presets', () => {
  test('are saved in the repository, and loaded as they were', async () => {
    const item = new FileItem({
      path: 'a.py',
      viewMode: 'masked',
      astMask: { 'A.b': 'sig' },
      customSlices: [{ start_line: 1, end_line: 2, tag: 't' }],
      injectedAt: 1.5,
    });
    const saved = new ContextPreset({
      name: 'the parser',
      files: [item],
      screenshots: ['a.png'],
      description: 'd',
    });
    expect(await manager.savePreset(saved)).toBe(project());
    expect([...manager.loadAll()]).toEqual([['the parser', saved]]);
    expect(read(project())).toMatch(/^version = 1\n\n\[presets\."the parser"\]\n/);
  });

  test('are none where there is no file', () => {
    expect(manager.loadAll().size).toBe(0);
    expect(manager.reload()).toEqual({ presets: new Map(), warnings: [] });
  });

  test('are global where that is said, or there is no repository', async () => {
    expect(await manager.savePreset(preset('a'), 'global')).toBe(global());
    const outside = new ContextPresetManager({
      env: { HOME: '/nowhere', XDG_CONFIG_HOME: join(dir, 'xdg') },
    });
    expect(await outside.savePreset(preset('b'))).toBe(join(dir, 'xdg', 'entire', 'context.toml'));
    expect([...outside.loadAll().keys()]).toEqual(['b']);
    await expect(outside.savePreset(preset('b'), 'project')).rejects.toMatchObject({ code: 'NOT_A_REPO' });
  });

  test('of the project take the place of global ones with their name', async () => {
    await manager.savePreset(preset('both', 'global.py'), 'global');
    await manager.savePreset(preset('global', 'global.py'), 'global');
    await manager.savePreset(preset('both', 'project.py'), 'project');
    const names = [...manager.loadAll().values()].map(({ name, files }) => [name, files[0]?.path]);
    expect(names).toEqual([
      ['both', 'project.py'],
      ['global', 'global.py'],
    ]);
  });

  test('that are saved again are replaced, and what else stands in the file stays, with its comments', async () => {
    const rest = '# mine\n[tool]\nbig = 9007199254740993 # exact\n\n[presets.other]\nlater = 1979-05-27\n';
    put(project(), `version = 1\n${rest}`);
    await manager.savePreset(preset('p', 'a'));
    const once = read(project());
    await manager.savePreset(preset('p', 'b'));
    expect(read(project())).toBe(once.replace('"a"', '"b"'));
    expect(once).toContain(rest);
    await manager.deletePreset('p');
    expect(read(project()).trimEnd()).toBe(`version = 1\n${rest}`.trimEnd());
  });

  test('that are deleted take no comments of others with them, also the last one', async () => {
    const others = '# mine\nversion = 1\n\n[other] # as it is\nx = 1 # one\n';
    put(project(), others);
    await manager.savePreset(preset('a', 'a.py'));
    await manager.deletePreset('a');
    expect(read(project()).trimEnd()).toBe(others.trimEnd());
  });

  test('that are written inline keep their values when one of them is replaced', async () => {
    put(project(), 'presets = { p = { files = ["a"] }, q = { files = ["b"], later = 9007199254740993 } }\n');
    await manager.savePreset(preset('p', 'c'));
    const all = manager.loadAll();
    expect(all.get('p')?.files[0]?.path).toBe('c');
    expect(all.get('q')).toMatchObject({ unknown: { later: 9007199254740993n } });
  });

  test('are kept in JSON where such a file is there, with what else stands in it', async () => {
    put(project('context.json'), '{"mine": [null], "presets": {"a": {"files": ["a.py"]}}}');
    expect(await manager.savePreset(preset('b', 'b.py'))).toBe(project('context.json'));
    const stored = JSON.parse(read(project('context.json')));
    expect(stored).toMatchObject({ version: 1, mine: [null], presets: { a: { files: ['a.py'] } } });
    expect([...manager.loadAll().keys()]).toEqual(['a', 'b']);
  });

  test('of the TOML file take the place of those with their name in the JSON file, and both are deleted', async () => {
    put(project('context.json'), '{"presets": {"a": {"files": ["json.py"]}}}');
    put(project(), '[presets.a]\nfiles = ["toml.py"]\n');
    expect(manager.loadAll().get('a')?.files[0]?.path).toBe('toml.py');
    await manager.deletePreset('a');
    expect(manager.loadAll().size).toBe(0);
  });

  test('are deleted in the project first, so that the global one is seen again', async () => {
    await manager.savePreset(preset('a', 'global.py'), 'global');
    await manager.savePreset(preset('a', 'project.py'));
    await manager.deletePreset('a');
    expect(manager.loadAll().get('a')?.files[0]?.path).toBe('global.py');
    await expect(manager.deletePreset('a', 'project')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await manager.deletePreset('a');
    await expect(manager.deletePreset('a')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('that are applied are active until another one is, or they are deleted', async () => {
    expect(manager.active).toBeUndefined();
    expect(() => manager.applyPreset('a')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    await manager.savePreset(preset('a', 'a.py'));
    expect(manager.applyPreset('a').files[0]?.path).toBe('a.py');
    await manager.savePreset(preset('a', 'b.py'));
    manager.reload();
    expect(manager.active?.files[0]?.path).toBe('b.py');
    await manager.deletePreset('a');
    manager.reload();
    expect(manager.active).toBeUndefined();
  });

  test('that are saved at once by several are all there', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `p${at}`);
    const other = new ContextPresetManager({ root, env: { HOME: dir } });
    await Promise.all(names.map((name, at) => (at % 2 ? manager : other).savePreset(preset(name))));
    expect([...manager.loadAll().keys()].sort()).toEqual([...names].sort());
    expect(readdirSync(join(root, '.entire')).sort()).toEqual(['context.toml', 'tmp']);
    expect(readdirSync(join(root, '.entire', 'tmp'))).toEqual([]);
  });

  test('need a name', async () => {
    await expect(manager.savePreset(preset(''))).rejects.toMatchObject({ code: 'BAD_FLAGS' });
  });
});

describe('a reload', () => {
  test('warns of each file and screenshot that is gone, and of nothing that may be there', () => {
    put(join(root, 'here.py'), '');
    put(join(root, 'odd[1].py'), '');
    const files = '["here.py", "gone.py", "*.py", "odd[1].py", "here.py/below", "bad\\u0000"]';
    put(project(), `[presets."a b"]\nfiles = ${files}\nscreenshots = ["gone.png"]\n`);
    expect(manager.reload().warnings).toEqual([
      { key: 'presets."a b".files[1]', message: '"gone.py" is gone.' },
      { key: 'presets."a b".files[4]', message: '"here.py/below" is gone.' },
      { key: 'presets."a b".files[5]', message: '"bad\\u0000" cannot be read (ERR_INVALID_ARG_VALUE).' },
      { key: 'presets."a b".screenshots[0]', message: '"gone.png" is gone.' },
    ]);
  });

  test('warns of what is not used as it stands, with the file and the place', () => {
    put(global(), '[presets.a]\nfiles = [{ path = "/", view_mode = "all" }]\n');
    expect(manager.reload().warnings).toMatchObject([
      { file: global(), key: 'presets.a.files[0].view_mode' },
    ]);
  });
});

describe('a file of presets', () => {
  test.each([
    ['of a later version', 'context.toml', 'version = 2\n[presets.a]\n', 'UNSUPPORTED', 'version 2'],
    ['of a later version, in JSON', 'context.json', '{"version": 2}', 'UNSUPPORTED', 'version 2'],
    ['of no version', 'context.toml', 'version = "x"\n', 'CONFIG_UNREADABLE', '`version` is "x"'],
    ['that is no TOML', 'context.toml', '\n\n[presets.a\n', 'CONFIG_UNREADABLE', 'line 3: not valid TOML ('],
    ['that is no JSON', 'context.json', '{\n"a": 1,\n}', 'CONFIG_UNREADABLE', 'line 3: not valid JSON ('],
    ['that is a JSON list', 'context.json', '[1]', 'CONFIG_UNREADABLE', 'line 1: not a JSON object'],
    ['whose presets are none', 'context.toml', 'presets = 1\n', 'CONFIG_UNREADABLE', '`presets` is 1'],
  ])('%s is refused, and not changed', async (_, name, text, code, message) => {
    put(project(name), text);
    const refusal = expect.objectContaining({ code, message: expect.stringContaining(message) });
    const named = expect.objectContaining({ message: expect.stringContaining(project(name)) });
    expect(() => manager.loadAll()).toThrow(refusal);
    expect(() => manager.reload()).toThrow(named);
    await expect(manager.savePreset(preset('a'))).rejects.toEqual(refusal);
    await expect(manager.deletePreset('a')).rejects.toEqual(refusal);
    expect(read(project(name))).toBe(text);
  });

  test('that is no UTF-8 is refused, and not changed', async () => {
    const bytes = Buffer.from('# caf\xe9\n', 'latin1');
    mkdirSync(dirname(project()));
    writeFileSync(project(), bytes);
    await expect(manager.savePreset(preset('a'))).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
    expect(readFileSync(project())).toEqual(bytes);
  });

  test('is as it was when it cannot be written', async () => {
    await manager.savePreset(preset('a', 'a.py'));
    const before = read(project());
    const restore = replaceDisk({
      renameSync: (from, to) => {
        if (to === project()) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
        return rename(from, to);
      },
    });
    try {
      await expect(manager.savePreset(preset('b'))).rejects.toThrow('full');
    } finally {
      restore();
    }
    expect(read(project())).toBe(before);
    expect(readdirSync(join(root, '.entire')).sort()).toEqual(['context.toml', 'tmp']);
  });

  test('of the user is followed where it is a link; in a repository neither it nor its folder is', async () => {
    put(join(dir, 'dotfiles.toml'), '# mine\n');
    mkdirSync(dirname(global()), { recursive: true });
    symlinkSync(join(dir, 'dotfiles.toml'), global());
    await manager.savePreset(preset('a'), 'global');
    expect(read(join(dir, 'dotfiles.toml'))).toContain('[presets.a]');

    put(join(dir, 'elsewhere', 'context.toml'), '# theirs\n');
    symlinkSync(join(dir, 'elsewhere'), join(root, '.entire'));
    await expect(manager.savePreset(preset('a'))).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    rmSync(join(root, '.entire'));
    mkdirSync(join(root, '.entire'));
    symlinkSync(join(dir, 'elsewhere', 'context.toml'), project());
    await manager.savePreset(preset('a'));
    expect(read(join(dir, 'elsewhere', 'context.toml'))).toBe('# theirs\n');
    expect(read(project())).not.toContain('theirs');
  });

  test.each(['.entire', '.entire/context.toml'])('of a repository is not read through a link: %s', (link) => {
    put(join(dir, 'elsewhere', 'context.toml'), '[presets.b]\n');
    put(global(), '[presets.a]\n');
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(join(dir, 'elsewhere', link === '.entire' ? '' : 'context.toml'), join(root, link));
    const { presets, warnings } = manager.reload();
    expect([...presets.keys()]).toEqual(['a']);
    expect(warnings).toEqual([
      {
        file: project(),
        key: '',
        message: 'is a link, or behind one, which is not followed; its presets are not used.',
      },
    ]);
    expect(manager.scopeOf('b')).toBeUndefined();
  });

  test('that is not a file at all is refused', () => {
    mkdirSync(dirname(global()), { recursive: true });
    symlinkSync('/dev/null', global());
    expect(() => manager.loadAll()).toThrow(expect.objectContaining({ code: 'CONFIG_UNREADABLE' }));
  });
});

const rename = disk.renameSync;
