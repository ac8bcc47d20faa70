import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentEnvironment, resolveProgram, safeEnvironment } from './find-program.ts';
import { runProgram } from './program.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-find-')));
  for (const folder of ['home', 'repo/node_modules/.bin', 'repo/tool'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (path: string): string => {
  writeFileSync(join(root, path), '', { mode: 0o755 });
  return join(root, path);
};
const place = (...folders: string[]) => ({
  env: {
    PATH: folders.map((folder) => (folder.startsWith('=') ? folder.slice(1) : join(root, folder))).join(':'),
  },
  forbidden: [join(root, 'repo')],
});

describe.each(['claude', 'less', 'entire-agent-x'])('%s', (name) => {
  test('of the repository is passed over, and the one behind it is found', () => {
    put(`repo/node_modules/.bin/${name}`);
    const own = put(`home/${name}`);
    const before = place('repo/node_modules/.bin', 'home');
    expect(resolveProgram(name, before)).toBe(own);
  });

  test('where there is no other, the refusal says what was passed over, and what to do', () => {
    const planted = put(`repo/node_modules/.bin/${name}`);
    expect(() => resolveProgram(name, place('repo/node_modules/.bin', 'home'))).toThrow(
      `${name} is not on PATH (${planted} lies in this repository, from which nothing is started). Install it outside of the repository`,
    );
    expect(() => resolveProgram(name, place('home'))).toThrow(`${name} is not on PATH`);
  });
});

test('a link into the repository, a folder that is one, and relative entries lead nowhere', () => {
  const planted = put('repo/tool/claude');
  mkdirSync(join(root, 'away'));
  put('away/claude');
  symlinkSync(planted, join(root, 'home/claude'));
  symlinkSync(join(root, 'repo/tool'), join(root, 'linked'));
  const looks = [
    place('home'),
    place('linked'),
    place('home/../repo/tool'),
    place('=', '=.', '=repo/tool', '=../repo/tool'),
    place(`=${relative(process.cwd(), join(root, 'away'))}`), // another folder for each process
  ];
  for (const look of looks) expect(() => resolveProgram('claude', look)).toThrow('is not on PATH');
});

test('a folder of links out of the repository is its user’s own (a profile of nix, say)', () => {
  mkdirSync(join(root, 'store/bin'), { recursive: true });
  put('store/bin/less');
  symlinkSync(join(root, 'store/bin'), join(root, 'repo/.profile'));
  expect(resolveProgram('less', place('repo/.profile'))).toBe(join(root, 'repo/.profile/less'));
  symlinkSync('/bin/sh', join(root, 'repo/tool/more'));
  expect(() => resolveProgram('more', place('repo/tool'))).toThrow('lies in this repository');
});

test('what is given by its path is the person’s own choice', () => {
  expect(resolveProgram('./less', place())).toBe('./less');
  expect(resolveProgram('/bin/sh', place())).toBe('/bin/sh');
});

test('what a program starts comes from elsewhere, too; agents find what is in the repository last', () => {
  const both = place('repo/node_modules/.bin', 'home');
  const [inside, home] = both.env.PATH.split(':');
  expect(safeEnvironment(both).PATH).toBe(home);
  expect(agentEnvironment(both).PATH).toBe(`${home}:${inside}`);
  expect(safeEnvironment(place('repo/tool')).PATH).toBe('/usr/bin:/bin'); // an empty one is the current folder
  expect(safeEnvironment({ env: {}, forbidden: [] })).toEqual({});
});

test('one that is not found is not started, and never thrown', async () => {
  const planted = put('repo/tool/less');
  const end = await runProgram({
    ...place('repo/tool'),
    program: 'less',
    args: [],
    input: '',
    timeoutMs: 9_000,
  });
  expect(end).toMatchObject({ code: undefined, failure: { code: 'ENOENT' } });
  expect(end.failure?.message).toContain(planted);
});
