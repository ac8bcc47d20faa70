import { test as base } from 'vitest';
import type { ClientDriver } from './driver.ts';
import { expectCleanLog, expectSoundRepository } from './facts.ts';
import type { World } from './world.ts';

const FILES = { 'old.txt': 'one\ntwo\n', 'log.txt': 'first\n' };

/**
 * A test with a world where `entire enable` has run for each driver. A client that cannot be had skips the test and
 * says why. Afterwards, whatever happened in the world: what `check` asks, no hook of ours has failed, and the
 * repository is sound.
 */
export function extendWithWorld<W extends World>(
  drivers: readonly ClientDriver[],
  create: (files: Readonly<Record<string, string>>) => W,
  check: (world: W) => void = () => {},
) {
  return base.extend<{ world: W }>({
    world: async ({ skip }, use) => {
      for (const driver of drivers) skipUnlessHad(driver, skip);
      await using world = create(FILES);
      const agents = new Set(drivers.map(({ agent }) => agent));
      world.entire('enable', ...[...agents].flatMap((agent) => ['--agent', agent]));
      await use(world);
      check(world);
      expectCleanLog(world);
      expectSoundRepository(world);
    },
  });
}

/** Ends a test as skipped, with the reason, where its client cannot be had. */
export function skipUnlessHad({ type, install }: ClientDriver, skip: (note: string) => never): void {
  const installed = install();
  if ('reason' in installed) skip(`${type} cannot be had: ${installed.reason}`);
}
