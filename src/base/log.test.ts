import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replaceClock } from './clock.ts';
import { disk, replaceDisk } from './file/disk.ts';
import { bindLog, closeLog, log, openLog, parseLogLevel } from './log.ts';

let root: string;
let restoreClock: () => void;
const file = () => join(root, '.entire', 'logs', 'entire.log');
const lines = () =>
  readFileSync(file(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'entire-log-'));
  restoreClock = replaceClock(() => new Date('2026-02-10T12:00:00.5Z'));
  vi.stubEnv('TZ', 'UTC');
  vi.stubEnv('ENTIRE_LOG_LEVEL', undefined);
  vi.stubEnv('ENTIRE_DEBUG', undefined);
});
afterEach(() => {
  closeLog();
  restoreClock();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

test('level names are read in any case', () => {
  expect(['debug', 'INFO', 'Warning', 'warn', 'ERROR'].map(parseLogLevel)).toEqual([
    'debug',
    'info',
    'warn',
    'warn',
    'error',
  ]);
  expect(['', 'loud', undefined].map(parseLogLevel)).toEqual([undefined, undefined, undefined]);
});

test('one JSON line per message, fields in order, private to the user', () => {
  openLog(root, undefined, { component: 'hooks' });
  bindLog({ session_id: 's1' });
  log('info', 'a\nb', { hook: 'stop', paths: ['x'], missing: undefined });
  expect(readFileSync(file(), 'utf8')).toBe(
    '{"time":"2026-02-10T12:00:00.5Z","level":"INFO","msg":"a\\nb","component":"hooks","session_id":"s1","hook":"stop","paths":["x"]}\n',
  );
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, '.entire', 'logs')).mode & 0o027).toBe(0);
});

test('nothing is created before a line is due', () => {
  openLog(root, 'warn');
  log('info', 'too quiet');
  expect(existsSync(join(root, '.entire'))).toBe(false);
  log('warn', 'loud enough');
  expect(lines().map(({ msg }) => msg)).toEqual(['loud enough']);
});

test('the environment wins over the settings; nonsense counts for nothing', () => {
  vi.stubEnv('ENTIRE_LOG_LEVEL', 'debug');
  openLog(root, 'error');
  log('debug', 'by environment');
  vi.stubEnv('ENTIRE_LOG_LEVEL', 'nonsense');
  openLog(root, 'nonsense');
  log('debug', 'below the default');
  log('info', 'the default');
  expect(lines().map(({ msg }) => msg)).toEqual(['by environment', 'the default']);
});

test('after closing, and before opening, nothing is written', () => {
  log('error', 'no log yet');
  openLog(root, 'debug');
  closeLog();
  bindLog({ session_id: 's1' });
  log('error', 'no log any more');
  expect(existsSync(file())).toBe(false);
});

test('a log that grew too large is moved away, and the older one goes', () => {
  mkdirSync(join(root, '.entire', 'logs'), { recursive: true });
  writeFileSync(`${file()}.1`, 'oldest');
  writeFileSync(file(), `${'x'.repeat(4 * 1024 * 1024)}\n`);
  openLog(root, 'info');
  log('info', 'last of the old file');
  expect(existsSync(file())).toBe(false);
  expect(readFileSync(`${file()}.1`, 'utf8')).toContain('last of the old file');
  log('info', 'first of the new file');
  expect(lines().map(({ msg }) => msg)).toEqual(['first of the new file']);
});

test('a disk that cannot be written does not break the hook', () => {
  openLog(root, 'info');
  const restore = replaceDisk({
    openSync: () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
  });
  try {
    expect(() => log('error', 'lost')).not.toThrow();
  } finally {
    restore();
  }
  expect(existsSync(file())).toBe(false);
});

test('ENTIRE_DEBUG repeats every line on stderr, also without a log', () => {
  vi.stubEnv('ENTIRE_DEBUG', '1');
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  log('debug', 'seen', { hook: 'stop' });
  expect(write.mock.calls).toEqual([['[entire] debug: seen {"hook":"stop"}\n']]);
  write.mockRestore();
});

test('a line that the disk takes only in parts is whole in the end', () => {
  const { writeSync: write } = disk;
  const restore = replaceDisk({
    writeSync: ((fd: number, bytes: Uint8Array, at = 0) =>
      write(fd, bytes, at, Math.ceil((bytes.length - (at ?? 0)) / 2))) as typeof write,
  });
  openLog(root, undefined);
  log('info', 'in parts', { n: 1 });
  restore();
  log('info', 'whole', { n: 2 });
  expect(lines().map(({ msg }) => msg)).toEqual(['in parts', 'whole']);
});
