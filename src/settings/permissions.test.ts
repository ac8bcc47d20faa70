import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { disk, replaceDisk } from '../base/file/disk.ts';
import type { JsonObject } from '../base/text/json.ts';
import { KEYS, type Key, type PermissionName } from './keys.ts';
import { readLayers } from './layers.ts';
import { type GitValue, readExternalAgentsWish, readPermission } from './permissions.ts';

/** A repository's root and the person's configuration folder. */
let root: string;
let config: string;
beforeEach(() => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'entire-permissions-')));
  [root, config] = [join(dir, 'repo'), join(dir, 'config')];
  mkdirSync(join(root, '.entire'), { recursive: true });
  mkdirSync(join(config, 'entire'), { recursive: true });
});
afterEach(() => rmSync(join(root, '..'), { recursive: true, force: true }));

const FILES = {
  user: () => join(config, 'entire/settings.json'),
  project: () => join(root, '.entire/settings.json'),
  local: () => join(root, '.entire/settings.local.json'),
};
const put = (name: keyof typeof FILES, value: unknown): void =>
  writeFileSync(FILES[name](), typeof value === 'string' ? value : JSON.stringify(value));

/** The key alone, as a file has it. */
const holding = (key: Key, value: unknown): JsonObject =>
  key.path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as JsonObject;
const inGit = (key: string, value: string, more: Partial<GitValue> = {}): GitValue => ({
  ...{ key: key.toLowerCase(), value, reach: 'clone', isOwn: true },
  ...more,
});

const never = (): never => {
  throw new Error('git was asked');
};
const read = (name: PermissionName, gitValues: GitValue[] = [], isLocalShared: () => boolean = () => false) =>
  readPermission(name, {
    layers: readLayers(root, { XDG_CONFIG_HOME: config }),
    witness: { gitValues: () => gitValues, isLocalShared, isOfRepository: () => false },
  });

const PERMISSIONS = Object.entries<Key>(KEYS)
  .filter(([, { heard }]) => heard === 'person')
  .map(([name]) => name as PermissionName);

test('every key that lets data leave, costs money or runs a program is for the person here, or agreed to', () => {
  for (const [name, { may, heard, git }] of Object.entries<Key>(KEYS)) {
    expect(['person', 'agreed'].includes(heard), name).toBe(may.length > 0);
    expect(git !== undefined, name).toBe(may.length > 0);
  }
  expect(PERMISSIONS).toEqual(['pushSessions', 'summarize', 'externalAgents']);
});

describe.each(PERMISSIONS)('%s', (name) => {
  const key: Key = KEYS[name];
  const git = key.git ?? '';
  const said = (value: unknown): JsonObject => holding(key, value);

  test('is not given where nobody says anything, nor by what the repository has committed', () => {
    expect(read(name).given).toBeUndefined();
    put('project', said(true));
    expect(read(name)).toEqual({ given: undefined, by: undefined, unheard: ['.entire/settings.json'] });
  });

  test('is decided by the last word of the person here', () => {
    put('user', said(true));
    expect(read(name)).toMatchObject({ given: true, by: FILES.user() });
    expect(read(name, [inGit(git, 'false', { reach: 'machine' })])).toMatchObject({ given: false });
    put('local', said(true));
    expect(read(name, [inGit(git, 'false', { reach: 'machine' })])).toMatchObject({
      ...{ given: true, by: '.entire/settings.local.json' },
    });
    expect(read(name, [inGit(git, 'no')])).toMatchObject({ given: false, by: `git's ${git}` });
    put('local', said(false));
    expect(read(name)).toMatchObject({ given: false });
    expect(read(name, [inGit(git, 'yes')])).toMatchObject({ given: true });
  });

  test('is refused for good by what the repository has committed, and git need not be asked', () => {
    for (const value of [false, 'false', 'true', 1, {}]) {
      put('project', said(value));
      put('local', said(true));
      const layers = readLayers(root, { XDG_CONFIG_HOME: config });
      const refused = readPermission(name, {
        layers,
        witness: { gitValues: never, isLocalShared: never, isOfRepository: never },
      });
      expect(refused, JSON.stringify(value)).toMatchObject({ given: false, by: '.entire/settings.json' });
    }
    put('project', said(null));
    expect(read(name).given).toBe(true);
  });

  test('is not given by a local file that a branch has, which can refuse for good', () => {
    put('local', said(true));
    expect(read(name, [], () => true)).toEqual({
      ...{ given: undefined, by: undefined, unheard: ['.entire/settings.local.json'] },
    });
    expect(read(name, [inGit(git, 'true')], () => true)).toMatchObject({ given: true, by: `git's ${git}` });
    put('local', said(false));
    expect(read(name, [inGit(git, 'true')], () => true)).toMatchObject({ given: false });
  });

  test('is not given by a file that the configuration of the clone includes, which can refuse', () => {
    const included = { isOwn: false } as const;
    expect(read(name, [inGit(git, 'true', included)])).toMatchObject({ given: undefined });
    expect(read(name, [inGit(git, 'false', included), inGit(git, 'true')])).toMatchObject({ given: false });
  });

  test('is not given by a file for all repositories that lies in this one', () => {
    const layersOf = (value: unknown) => {
      put('user', said(value));
      return readLayers(root, { XDG_CONFIG_HOME: config });
    };
    const witness = {
      ...{ gitValues: () => [inGit(git, 'true')], isLocalShared: never },
      isOfRepository: (file: string) => file === FILES.user(),
    };
    expect(readPermission(name, { layers: layersOf(true), witness })).toMatchObject({ by: `git's ${git}` });
    expect(
      readPermission(name, { layers: layersOf(true), witness: { ...witness, gitValues: () => [] } }),
    ).toEqual({ given: undefined, by: undefined, unheard: [FILES.user()] });
  });

  test('asks whether a branch has the local file only before that allows something', () => {
    expect(read(name, [], never).given).toBeUndefined();
    put('local', said(false));
    expect(read(name, [], never).given).toBe(false);
    put('local', { other: 1 });
    expect(read(name, [inGit(git, 'true')], never).given).toBe(true);
    put('local', said(true));
    expect(() => read(name, [], never)).toThrow('git was asked');
  });

  test('is not given where a file cannot be read, which might say no', () => {
    for (const file of ['user', 'project', 'local'] as const) {
      put(file, '{');
      expect(read(name, [inGit(git, 'true')]).given, file).toBe(false);
      rmSync(FILES[file]());
    }
  });
});

const wish = (isShared = false) =>
  readExternalAgentsWish({
    layers: readLayers(root, { XDG_CONFIG_HOME: config }),
    witness: { gitValues: () => [], isLocalShared: () => isShared, isOfRepository: () => false },
  });
const YES = { external_agents: true };

test('external agents: only an untracked local file can say yes, and what only the repository wishes is named', () => {
  expect(wish()).toBe('off');
  put('project', YES);
  expect(wish()).toBe('shared');
  put('local', YES);
  expect([wish(), wish(true)]).toEqual(['on', 'shared']);
});

test('a link is no file of the user’s own', () => {
  writeFileSync(join(root, 'shared.json'), JSON.stringify(YES));
  symlinkSync('../shared.json', FILES.local());
  expect(wish()).not.toBe('on');
  rmSync(FILES.local());
  put('local', YES);
  renameSync(join(root, '.entire'), join(root, 'other'));
  symlinkSync('other', join(root, '.entire'));
  expect(wish()).not.toBe('on');
});

test('a name that some file systems take for that of the local file is not it', () => {
  writeFileSync(join(root, '.entire/ſettings.local.json'), JSON.stringify(YES)); // what git tracks under another name
  const folded = (path: unknown): string =>
    String(path).replace(/[\\/]settings\.local\.json$/, '/ſettings.local.json');
  const { realpathSync, lstatSync } = disk;
  const restore = replaceDisk({
    realpathSync: { native: (path: string) => realpathSync.native(folded(path)) } as typeof realpathSync,
    lstatSync: ((path: string, options: object) => lstatSync(folded(path), options)) as typeof lstatSync,
  });
  try {
    expect(wish()).toBe('shared');
  } finally {
    restore();
  }
});
