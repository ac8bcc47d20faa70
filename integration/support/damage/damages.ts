import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomFrom } from '../runner/random.ts';

/** Things that cannot be made without starting a program, made once, and put in place by a second name. */
export interface Wares {
  readonly pipe: string;
  /** A file outside of the repository, which is JSON. */
  readonly outside: string;
}

/** What may stand in the place of a file that we read. */
export interface Damage {
  readonly name: string;
  /** Puts it there; nothing is there any more. */
  put(file: string, wares: Wares, text: string): void;
}

const linkTo = (target: string) => (file: string) => symlinkSync(target, file);
const text = (content: string | Uint8Array) => (file: string) => writeFileSync(file, content);

const DEEP = 100_000;

function randomBytes(count: number): Uint8Array {
  const random = randomFrom(7);
  return Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
}

export const DAMAGES: readonly Damage[] = [
  { name: 'a link to /dev/zero', put: linkTo('/dev/zero') },
  { name: 'a link to /dev/tty', put: linkTo('/dev/tty') },
  { name: 'a link to a file of /proc that never answers', put: linkTo('/proc/kmsg') },
  { name: 'a pipe', put: (file, { pipe }) => linkSync(pipe, file) },
  {
    name: 'a folder',
    put: (file) => {
      mkdirSync(file);
      writeFileSync(join(file, 'in it'), '');
    },
  },
  { name: 'a link that leads nowhere', put: linkTo('nowhere') },
  { name: 'a link to itself', put: (file) => symlinkSync(file, file) },
  { name: 'a link out of the repository', put: (file, { outside }) => symlinkSync(outside, file) },
  {
    name: 'a file of 3 GB',
    put: (file) => {
      writeFileSync(file, '');
      truncateSync(file, 3 * 1024 ** 3);
    },
  },
  { name: 'nothing in it', put: text('') },
  { name: 'NULs', put: text(new Uint8Array(64 * 1024)) },
  { name: 'JSON that is nested deep', put: text(`{"a":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`) },
  {
    name: 'half of it',
    put: (file, _, whole) => writeFileSync(file, whole.slice(0, Math.max(1, whole.length / 2))),
  },
  { name: 'JSON of another shape', put: text('[1,"x",null,{"version":1,"enabled":[]}]') },
  { name: 'an object whose values are of other kinds', put: text('{"version":1,"constructor":{},"x":"y"}') },
  { name: 'random bytes', put: text(randomBytes(4096)) },
  {
    name: 'a file that may not be read',
    put: (file, _, whole) => {
      writeFileSync(file, whole);
      chmodSync(file, 0);
    },
  },
];

/** Puts a damage in the place of a file, and of whatever stands there. */
export function damage(file: string, { put }: Damage, wares: Wares, whole: string): void {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  put(file, wares, whole);
}
