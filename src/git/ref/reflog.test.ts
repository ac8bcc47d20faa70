import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecentMoves } from './reflog.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(64)];

test('reads moves of HEAD, and passes over what is none', () => {
  const dir = mkdtempSync(join(tmpdir(), 'entire-reflog-'));
  try {
    expect(readRecentMoves(dir)).toEqual([]);
    mkdirSync(join(dir, 'logs'));
    const lines = [
      `${A} ${A} Ada <ada@example.com> 1700000000 +0100\tcommit (initial): Begin: all of it`,
      'torn',
      `${A} ${B} A > B <> 1700000001 -0000\tcheckout: moving from a to b`,
      `${A} ${A} Ada <a@b> 1700000002 +0000\tcommit`,
      '',
    ];
    writeFileSync(join(dir, 'logs', 'HEAD'), lines.join('\n'));
    expect(readRecentMoves(dir)).toEqual([
      { from: A, to: A, atMs: 1_700_000_000_000, action: 'commit (initial)' },
      { from: A, to: B, atMs: 1_700_000_001_000, action: 'checkout' },
      { from: A, to: A, atMs: 1_700_000_002_000, action: 'commit' },
    ]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
