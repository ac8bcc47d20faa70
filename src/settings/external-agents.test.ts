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
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disk, replaceDisk } from '../base/disk.ts';
import { readExternalAgentsWish } from './external-agents.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'entire-wish-')));
  mkdirSync(join(root, '.entire'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(root, '.entire', name), text);
const read = (isTracked = false) => readExternalAgentsWish(root, () => isTracked);
const YES = '{"external_agents": true}';

test('only the untracked local file can say yes', () => {
  expect(read()).toBe('off');
  write('settings.json', YES);
  expect(read()).toBe('shared');
  write('settings.local.json', '{"external_agents": false}');
  expect(read()).toBe('shared');
  write('settings.local.json', YES);
  expect([read(), read(true)]).toEqual(['on', 'shared']);
});

test('nothing but true is yes, and a file that cannot be read says nothing', () => {
  for (const text of ['{"external_agents": "true"}', '{"external_agents": 1}', '[true]', '{', '']) {
    write('settings.local.json', text);
    expect(read(), text).toBe('off');
  }
});

test('the index is asked only where the wish is there', () => {
  const ask = (): boolean => {
    throw new Error('asked');
  };
  write('settings.json', YES);
  expect(readExternalAgentsWish(root, ask)).toBe('shared');
});

test('a link is no file of the user’s own', () => {
  writeFileSync(join(root, 'shared.json'), YES);
  symlinkSync('../shared.json', join(root, '.entire/settings.local.json'));
  expect(read()).toBe('shared');
  rmSync(join(root, '.entire/settings.local.json'));
  write('settings.local.json', YES);
  renameSync(join(root, '.entire'), join(root, 'other'));
  symlinkSync('other', join(root, '.entire'));
  expect(read()).toBe('shared');
});

test('a name that some file systems take for that of the local file is not it', () => {
  write('ſettings.local.json', YES); // what git tracks under another name
  const folded = (path: unknown): string =>
    String(path).replace(/[\\/]settings\.local\.json$/, '/ſettings.local.json');
  const { realpathSync, lstatSync } = disk;
  const restore = replaceDisk({
    realpathSync: { native: (path: string) => realpathSync.native(folded(path)) } as typeof realpathSync,
    lstatSync: ((path: string, options: object) => lstatSync(folded(path), options)) as typeof lstatSync,
  });
  try {
    expect(read()).toBe('shared');
  } finally {
    restore();
  }
});
