import { type Disk, disk, replaceDisk } from '../../../src/base/file/disk.ts';

/** What a run came to. */
interface Killed {
  /** On the disk, with the one at which it was killed. */
  readonly operations: number;
  readonly isKilled: boolean;
}

/** Runs `body`; from the `at`th operation on the disk on nothing happens any more, as after `kill -9`. */
export function killAt(at: number, body: () => void): Killed {
  let operations = 0;
  const dying = Object.entries({ ...disk }).map(([name, call]) => [
    name,
    Object.assign((...args: unknown[]) => {
      if (++operations >= at) throw new Error(`killed at ${name}`);
      return (call as (...all: unknown[]) => unknown)(...args);
    }, call),
  ]);
  const putBack = replaceDisk(Object.fromEntries(dying) as Partial<Disk>);
  try {
    body();
  } catch {
    // dead
  } finally {
    putBack();
  }
  return { operations, isKilled: operations >= at };
}
