import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findManual } from './find.ts';
import { readManual } from './text.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-manual-'));
  put('usr/bin/man');
});
afterEach(() => rmSync(dir, { recursive: true }));

function put(name: string): string {
  const file = join(dir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

const find = (program?: string, env: NodeJS.ProcessEnv = {}) =>
  findManual('entire-log', {
    env: { PATH: `relative::${dir}/npm/bin:${dir}/usr/bin`, ...env },
    program: program && join(dir, program),
  });

describe('the page that `man` is told', () => {
  test('is the name where npm put it beside a folder of PATH', () => {
    expect(find()).toBeUndefined();
    put('npm/share/man/man1/entire-log.1');
    expect(find()).toBe('entire-log');
    expect(find('checkout/dist/entire')).toBe('entire-log');
  });

  test('is the name where MANPATH has it, and not where that leaves the usual folders out', () => {
    put('npm/share/man/man1/entire-log.1');
    expect(find(undefined, { MANPATH: '/nowhere' })).toBeUndefined();
    expect(find(undefined, { MANPATH: '/nowhere:' })).toBe('entire-log');
    put('own/man1/entire-log.1');
    expect(find(undefined, { MANPATH: join(dir, 'own') })).toBe('entire-log');
  });

  test.each([
    ['checkout/dist/entire', 'checkout/dist/man'],
    ['checkout/dist/entire.mjs', 'checkout/dist/man'],
    ['x/entire/node_modules/@entire-cli/entire-linux-x64/entire', 'x/entire/dist/man'],
    ['x/node_modules/@entire-cli/entire-linux-x64/entire', 'x/node_modules/entire/dist/man'],
  ])('is the file in the package of %s', (program, folder) => {
    expect(find(program)).toBeUndefined();
    const file = put(`${folder}/entire-log.1`);
    expect(find(program)).toBe(file);
  });

  test('is nothing where there is no `man`, or the program is not known', () => {
    put('checkout/dist/man/entire-log.1');
    expect(find(undefined)).toBeUndefined();
    expect(find('checkout/dist/entire', { PATH: '/nowhere' })).toBeUndefined();
    expect(find('checkout/dist/entire', { PATH: undefined })).toBeUndefined();
  });

  test('is in quotes where it has a blank', () => {
    expect(readManual('entire-log')).toBe('Manual: `man entire-log`.');
    expect(readManual('/a b/entire-log.1')).toBe("Manual: `man '/a b/entire-log.1'`.");
  });
});
