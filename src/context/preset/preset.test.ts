import { expect, test } from 'vitest';
import type { ContextWarning } from '../config/warning.ts';
import { FileItem } from '../file-item.ts';
import { ContextPreset } from './preset.ts';

const parsed = (value: unknown) => {
  const warnings: ContextWarning[] = [];
  return { preset: ContextPreset.fromDict('p', value, (it) => warnings.push(it)), warnings };
};

test('a preset has a name, files, screenshots and a description, empty unless they are given', () => {
  expect({ ...new ContextPreset({ name: 'p' }) }).toEqual({
    name: 'p',
    files: [],
    screenshots: [],
    description: '',
    unknown: {},
  });
});

test('a preset is written without its name, which is its key, and read back as it was', () => {
  const preset = new ContextPreset({
    name: 'p',
    files: [new FileItem({ path: 'a.py', viewMode: 'outline', unknown: { later: 1 } })],
    screenshots: ['a.png'],
    description: 'the parser',
    unknown: { colour: 'red', files: 'not these' },
  });
  const dict = preset.toDict();
  expect(Object.keys(dict)).toEqual(['description', 'screenshots', 'files', 'colour']);
  expect(parsed(JSON.parse(JSON.stringify(dict)))).toEqual({ preset, warnings: [] });
});

test('a file of a preset may be just its path', () => {
  const { preset } = parsed({ files: ['a.py', { path: 'b.py', force_full: true }] });
  expect(preset.files).toEqual([
    new FileItem({ path: 'a.py' }),
    new FileItem({ path: 'b.py', forceFull: true }),
  ]);
});

test('what is not of its type in a preset is left out, and each such place is named', () => {
  const { preset, warnings } = parsed({
    description: 7,
    screenshots: ['a.png', 1, ''],
    files: ['a.py', {}, { path: 'b.py', view_mode: 'all' }],
  });
  expect(preset.files.map((file) => file.path)).toEqual(['a.py', 'b.py']);
  expect(preset).toMatchObject({ screenshots: ['a.png'], description: '' });
  expect(warnings.map((warning) => warning.key)).toEqual([
    'files[1]',
    'files[2].view_mode',
    'screenshots[1]',
    'screenshots[2]',
    'description',
  ]);
});

test('a preset that is no table, or whose lists are none, is empty, and this is said', () => {
  expect(parsed('a.py')).toMatchObject({ preset: { files: [] }, warnings: [{ key: '' }] });
  const { preset, warnings } = parsed({ files: 'a.py', screenshots: {} });
  expect(preset).toEqual(new ContextPreset({ name: 'p' }));
  expect(warnings.map((warning) => warning.key)).toEqual(['files', 'screenshots']);
});
