/**
 * The product's own entry at a moment that does not pass, with ids that are the same in every run: what it prints can be held
 * against a file. `ENTIRE_TEST_NOW` is the moment; ids follow from that and from the command line.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { replaceClock } from '../../../src/base/clock.ts';
import { createHash } from '../../../src/base/hash.ts';
import { replaceSpawn } from '../../../src/git/run.ts';

const now = new Date(process.env.ENTIRE_TEST_NOW ?? '2026-03-04T12:00:00Z');
const seconds = Math.floor(now.getTime() / 1000);

let drawn = 0;
function draw(count: number): Buffer {
  const parts: Buffer[] = [];
  for (let length = 0; length < count; length += 32)
    parts.push(
      createHash('sha256')
        .update([now.toISOString(), ++drawn, ...process.argv.slice(2)].join('\0'))
        .digest(),
    );
  return Buffer.concat(parts).subarray(0, count);
}

Object.assign(crypto, {
  getRandomValues: (into: Uint8Array): Uint8Array => {
    into.set(draw(into.length));
    return into;
  },
  randomUUID: (): string =>
    draw(16)
      .toString('hex')
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5'),
});

replaceClock(() => new Date(now));

// `now` of fast-import is the time of the machine; all else takes it from the environment.
const spawn = (program: string, args: readonly string[], options: SpawnSyncOptions) => {
  const date = `${seconds} +0000`;
  const env = { ...options.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  if (!args.includes('--date-format=now')) return spawnSync(program, [...args], { ...options, env });
  const fixed = args.map((arg) => (arg === '--date-format=now' ? '--date-format=raw' : arg));
  const input = Buffer.from(
    Buffer.from(options.input as Buffer | string)
      .toString('latin1')
      .replace(/^(committer .*>) now$/gm, `$1 ${date}`),
    'latin1',
  );
  return spawnSync(program, fixed, { ...options, env, input });
};
replaceSpawn(spawn as typeof spawnSync);

await import('../../../src/entire.ts');
