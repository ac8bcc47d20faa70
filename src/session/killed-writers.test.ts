import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../base/ids.ts';
import { withSessionLock } from './lock.ts';

test('what a killed writer left beside a state is gone with the next lock, and what may be written is not', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'entire-killed-'));
  try {
    const { pid: dead } = spawnSync('true');
    const put = (name: string, pid: number, seconds: number): string => {
      const temporary = `${name}.${pid}-0123456789ab.tmp`;
      writeFileSync(join(dir, temporary), '{');
      const at = Date.now() / 1000 - seconds;
      utimesSync(join(dir, temporary), at, at);
      return temporary;
    };
    put('s1.json', dead, 0);
    put('s2.json', dead, 3600);
    const kept = [put('s2.json', process.pid, 3600), put('s3.json', dead, 0)];
    await withSessionLock(dir, 's1' as SessionId, () => {});
    expect(readdirSync(dir).sort()).toEqual(kept.sort());
  } finally {
    rmSync(dir, { recursive: true });
  }
});
