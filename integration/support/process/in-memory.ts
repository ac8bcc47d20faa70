import { existsSync, statfsSync } from 'node:fs';
import { vi } from 'vitest';

/** Enough for any of these tests. */
const MEMORY_BYTES = 2 ** 30;
/** Whoever asks for a kill at each operation waits for all of them. */
const TIMEOUT_MS = process.env.ENTIRE_TEST_STRIDE ? 4 * 3_600_000 : 300_000;

/** Repositories of this file's tests are in memory from now on, where the system has a folder for that. */
export function stayInMemory(): void {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > MEMORY_BYTES) process.env.TMPDIR = folder;
}

/**
 * For tests of a file that start hundreds of processes and kill them: they have time, and no disk to wait for, since it is
 * kills that count there, not power cuts.
 */
export function killInMemory(): void {
  vi.setConfig({ testTimeout: TIMEOUT_MS });
  stayInMemory();
}
