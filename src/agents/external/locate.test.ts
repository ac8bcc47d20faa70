import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { safeSearchPath } from '../../base/process/find-program.ts';
import type { ExternalName } from '../names.ts';
import { findProgram, listPrograms, parseExternalName } from './locate.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-locate-')));
  for (const folder of ['one', 'two', 'repo/bin']) mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, mode = 0o755): string => {
  writeFileSync(join(root, path), '', { mode });
  return join(root, path);
};
const place = (...folders: string[]) => ({
  env: { PATH: folders.join(':') },
  forbidden: [join(root, 'repo')],
});
const demo = 'demo' as ExternalName;

test('the first that may be started counts, else the first with what is wrong with it', () => {
  const [one, two] = [put('one/entire-agent-demo', 0o644), put('two/entire-agent-demo')];
  const both = place(join(root, 'one'), join(root, 'two'));
  expect(findProgram(both, demo)).toEqual({ name: 'demo', file: two, refusal: undefined });
  rmSync(two);
  expect(findProgram(both, demo)).toEqual({ name: 'demo', file: one, refusal: 'is not executable' });
  rmSync(one);
  mkdirSync(one);
  expect(findProgram(both, demo)?.refusal).toBe('is not a file');
  rmSync(one, { recursive: true });
  expect(findProgram(both, demo)).toBeUndefined();
});

test('nothing of a repository, by whatever way, and nothing relative', () => {
  const file = put('repo/bin/entire-agent-demo');
  symlinkSync(file, join(root, 'one/entire-agent-demo'));
  symlinkSync(join(root, 'repo/bin'), join(root, 'linked'));
  for (const folder of ['repo/bin', 'one', 'linked', 'two/../repo/bin'])
    expect(findProgram(place(`${root}/${folder}`), demo)?.refusal).toContain('lies in this repository');
  expect(findProgram(place('', '.', 'bin', '../one'), demo)).toBeUndefined();
  const all = place('', '.', join(root, 'repo/bin'), join(root, 'linked'), join(root, 'two'), '/none');
  expect(safeSearchPath(all)).toBe(`${join(root, 'two')}:/none`);
});

test('the list has each name once, and no name that is no agent’s', () => {
  for (const name of ['demo', 'claude-code', 'git', 'a b', '', '..', 'x.exe'])
    put(`one/entire-agent-${name}`);
  put('two/entire-agent-demo');
  put('two/entire-agent-Zed_2');
  const names = listPrograms(place(join(root, 'one'), '/none', join(root, 'two'))).map(({ name }) => name);
  expect(names).toEqual(['Zed_2', 'demo']);
});

test('names are file names', () => {
  for (const name of [
    '',
    '.',
    '..',
    'a/b',
    '../a',
    '-a',
    'a\n',
    'a\0',
    'x'.repeat(65),
    'gemini',
    'gc',
    'summaries',
  ])
    expect(parseExternalName(name), name).toBeUndefined();
  expect(parseExternalName('goose')).toBe('goose');
});
