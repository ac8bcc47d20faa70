/**
 * The product's own entry on a disk that sometimes waits between opening a tracking file and writing to it. With
 * `ENTIRE_TEST_NO_LOOK_BACK=1` the look back after the write always sees the same file, which switches off the step
 * of the protocol that saves lines from a claim in between.
 */
import type { Stats } from 'node:fs';
import { type Disk, disk, replaceDisk } from '../../../src/base/file/disk.ts';

const share = Number(process.env.ENTIRE_TEST_PAUSE_SHARE ?? 0);
const pauseMs = Number(process.env.ENTIRE_TEST_PAUSE_MS ?? 0);
const real = { ...disk };
let opened: Stats | undefined;

const writeSync = ((fd: number, data: NodeJS.ArrayBufferView) => {
  if (Math.random() < share) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  return real.writeSync(fd, data);
}) as Disk['writeSync'];

const fstatSync = ((fd: number) => {
  opened = real.fstatSync(fd);
  return opened;
}) as Disk['fstatSync'];

const statSync = ((path: string, options?: { throwIfNoEntry: false }) =>
  path.endsWith('.files') ? opened : real.statSync(path, options)) as Disk['statSync'];

replaceDisk(
  process.env.ENTIRE_TEST_NO_LOOK_BACK === '1' ? { writeSync, fstatSync, statSync } : { writeSync },
);
await import('../../../src/entire.ts');
