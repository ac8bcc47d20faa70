/**
 * The product's own entry on a disk where somebody else works at the same time: right before the first operation that
 * `ENTIRE_TEST_MEDDLE_AT` matches (its name and its path), the shell command `ENTIRE_TEST_MEDDLE` runs. With
 * `ENTIRE_TEST_MEDDLE_FAIL=<code>` that operation, and each later one that matches, fails with the error.
 */
import { spawnSync } from 'node:child_process';
import { type Disk, disk, replaceDisk } from '../../src/base/disk.ts';

const at = new RegExp(process.env.ENTIRE_TEST_MEDDLE_AT ?? '^$');
const code = process.env.ENTIRE_TEST_MEDDLE_FAIL;
const real = { ...disk };
let isOver = false;

const meddled = Object.entries(real).map(([name, call]) => [
  name,
  Object.assign((...args: unknown[]) => {
    const paths = args.filter((arg) => typeof arg === 'string').join(' ');
    if (at.test(`${name} ${paths}`)) {
      const command = process.env.ENTIRE_TEST_MEDDLE;
      if (!isOver && command) {
        isOver = true;
        spawnSync('sh', ['-c', command]);
      }
      if (code) throw Object.assign(new Error(`${code}: injected, ${name}`), { code });
    }
    return (call as (...all: unknown[]) => unknown)(...args);
  }, call),
]);
replaceDisk(Object.fromEntries(meddled) as Partial<Disk>);

await import('../../src/entire.ts');
