import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { gitAt } from '../run.ts';
import { withObjects } from './object-reader.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-objects-'));
  execFileSync('git', ['init', '--quiet'], { cwd: dir });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (data: string | Buffer): string =>
  execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: dir, input: data }).toString().trim();
/** Cuts an object off, so that git begins to read it and cannot go on. */
const damage = (oid: string): void => {
  const file = join(dir, '.git', 'objects', oid.slice(0, 2), oid.slice(2));
  const whole = readFileSync(file);
  rmSync(file);
  writeFileSync(file, whole.subarray(0, whole.length / 2));
};

test('question after question is answered by one process, whatever the objects hold', async () => {
  const texts = ['', '\n', 'blob 3\nabc', '\0'.repeat(10), 'x'.repeat(1_000_000), 'ü'];
  const oids = texts.map((text) => write(text));
  const missing = '0123456789'.repeat(4);
  await withObjects(gitAt(dir), async (objects) => {
    const first = await objects.read([...oids, missing, oids[0] as string, 'two\nlines', 'HEAD:nothing']);
    expect([...(first ?? [])].map(([name, { oid, data }]) => [name, oid, data.toString()])).toEqual(
      oids.map((oid, at) => [oid, oid, texts[at]]),
    );
    const second = await objects.read([oids[5] as string]);
    expect(second?.get(oids[5] as string)?.data.toString()).toBe('ü');
    expect(await objects.read([missing])).toEqual(new Map());
    expect(await objects.read([])).toEqual(new Map());
  });
});

test('at a damaged object the answer is lost, and the next question is answered again', async () => {
  const [good, bad] = [write('good'), write(randomBytes(10_000))];
  damage(bad);
  await withObjects(gitAt(dir), async (objects) => {
    expect(await objects.read([good, bad, good])).toBeUndefined();
    expect((await objects.read([good]))?.get(good)?.data.toString()).toBe('good');
  });
});

test('where git cannot be started the answer is lost, too', async () => {
  const nowhere = { ...gitAt(dir), env: { PATH: '/nonexistent' } };
  expect(await withObjects(nowhere, (objects) => objects.read(['HEAD']))).toBeUndefined();
});

test('a git that takes no commands is asked in the way it knows', async () => {
  const path = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  const script = `#!/bin/sh\ncase "$*" in *--batch-command*) exit 129;; esac\nexec ${path} "$@"\n`;
  const bin = mkdtempSync(join(tmpdir(), 'entire-old-git-')); // in the repository it would not be started
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const old = { ...gitAt(dir), env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } };
  const [one, two] = [write('one'), write('two')];
  await withObjects(old, async (objects) => {
    expect((await objects.read([one]))?.get(one)?.data.toString()).toBe('one');
    expect((await objects.read([two, one]))?.size).toBe(2);
  });
});
