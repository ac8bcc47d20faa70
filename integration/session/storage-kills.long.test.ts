import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomFrom } from '../support/runner/random.ts';
import type { Kind } from '../support/storage/kept.ts';
import { rage } from '../support/storage/kill-storm.ts';
import { compileStorage } from '../support/storage/processes.ts';

const KILLS = Number(process.env.ENTIRE_TEST_KILLS ?? 300);

/** `ENTIRE_TEST_SEED` chooses the same builds and pauses again; when exactly a kill hits is up to the machine. */
test.each<Kind>(['sqlite', 'files'])(`kill -9 at ${KILLS} random moments of saves: %s`, async (kind) => {
  const seed = Number(process.env.ENTIRE_TEST_SEED ?? Date.now() % 2 ** 31);
  const scratch = mkdtempSync(join(tmpdir(), 'entire-storage-'));
  try {
    compileStorage();
    const storm = { kind, place: join(scratch, 'sessions'), kills: KILLS, random: randomFrom(seed) };
    const { said, problems } = await rage(storm);
    console.log(`${kind}, seed ${seed}: ${KILLS} kills, ${said} saves said to be kept`);
    expect(problems, `seed ${seed}`).toEqual([]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
