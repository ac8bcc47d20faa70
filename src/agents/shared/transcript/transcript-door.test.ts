import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { claudeTranscript } from '../../claude-code/transcript.ts';
import { lookAtTranscript, openOwn, refuseFile } from './transcript-door.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-door-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const look = (path: string) => lookAtTranscript(path, claudeTranscript.looksLike);
const LINE = `${JSON.stringify({ type: 'user', sessionId: 's', message: { content: 'hi' } })}\n`;

describe('a transcript', () => {
  test('may lie anywhere, under any name, and behind a link', () => {
    const file = join(dir, 'some where');
    writeFileSync(file, LINE);
    symlinkSync(file, join(dir, 'link'));
    expect(look(file)?.size).toBe(LINE.length);
    expect(look(join(dir, 'link'))?.size).toBe(LINE.length);
  });

  test('is looked at further where its first line is longer', () => {
    const file = join(dir, 'long.jsonl');
    writeFileSync(file, LINE.replace('hi', 'x'.repeat(20_000)));
    expect(look(file)?.size).toBeGreaterThan(20_000);
    writeFileSync(file, LINE.replace('hi', 'x'.repeat(200_000)));
    expect(look(file)?.size).toBeGreaterThan(200_000);
    writeFileSync(file, `{"secrets":"${'x'.repeat(200_000)}"}\n${LINE}`);
    expect(look(file)).toBeUndefined();
  });

  test('is no device, no folder, nothing that is not there, and no other file', () => {
    for (const path of [
      '/dev/zero',
      '/dev/null',
      dir,
      join(dir, 'none'),
      join(dir, 'none/none'),
      '',
      '/etc/passwd',
    ])
      expect(look(path), path).toBeUndefined();
    expect(() => openOwn('/dev/zero')).toThrow('not a regular file');
  });
});

test('what belongs to somebody else is not read', () => {
  const file = (uid: number) => ({ uid, isFile: () => true });
  const mine = new Set([1000]);
  expect(refuseFile(file(1000), mine)).toBeUndefined();
  expect(refuseFile(file(0), mine)).toBe('it belongs to somebody else');
  expect(refuseFile(file(1001), mine)).toBe('it belongs to somebody else');
  expect(refuseFile(file(7), undefined)).toBeUndefined();
});
