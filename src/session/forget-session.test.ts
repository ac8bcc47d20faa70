import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionId } from '../base/ids.ts';
import { forgetSession } from './forget-session.ts';
import { parseClaimName, returnClaims } from './return-claims.ts';
import { readFilesTouched } from './tracking-file.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-forget-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), 'a.txt\n');
  }
}

const files = (): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\..+$/.test(name))
    .sort();

test('a session is forgotten, and no other whose id begins alike', () => {
  const claim = '.files.claim-0123456789ab';
  const kept = [
    ...['entire-sessions/s.2.json', 'entire-sessions/s.2.files', 'entire-sessions/s2@w.files'],
    ...[`entire-sessions/s.2${claim}`, 'entire-sessions/s.json.corrupt-1', 'entire/turns/s.2.json'],
    'entire/pushes.jsonl',
  ];
  write(
    ...kept,
    ...[
      'entire-sessions/s.json',
      'entire-sessions/s.files',
      'entire-sessions/s@w.files',
      'entire-sessions/s@.files',
    ],
    ...[
      `entire-sessions/s${claim}`,
      `entire-sessions/s@w${claim}`,
      'entire/archive/s.json',
      'entire/turns/s.json',
    ],
    ...['entire/introductions/s.json', 'entire/tasks/s.json', 'entire/user-lines/s.json'],
  );
  forgetSession(dir, 's' as SessionId);
  expect(files()).toEqual([...kept].sort());
});

test('claims know whose they are', () => {
  expect(parseClaimName('s.1.files.claim-0123456789ab')).toEqual({ id: 's.1', foreignWorktree: undefined });
  expect(parseClaimName('s@w.files.claim-0123456789ab')).toEqual({ id: 's', foreignWorktree: 'w' });
  expect(parseClaimName('s@.files.claim-0123456789ab')).toEqual({ id: 's', foreignWorktree: '' });
  expect(parseClaimName('s.files')).toBeUndefined();
  expect(parseClaimName('s.files.claim-0123')).toBeUndefined();
});

test('what was claimed is tracked again, with what was tracked meanwhile', async () => {
  write('s.files.claim-0123456789ab');
  writeFileSync(join(dir, 's.files'), 'b.txt\n');
  await returnClaims(dir, 's' as SessionId, undefined);
  expect(files()).toEqual(['s.files']);
  expect(readFilesTouched(dir, 's' as SessionId)).toEqual(['a.txt', 'b.txt']);
});
