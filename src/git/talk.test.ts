import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { gitAt } from './run.ts';
import { runAside } from './talk.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-aside-'));
  execFileSync('git', ['init', '--quiet'], { cwd: dir });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('git that runs aside reads what it is given, and says all that it says', async () => {
  const text = 'a line\n'.repeat(100_000); // more than a pipe holds
  const oid = await runAside(gitAt(dir), ['hash-object', '-w', '--stdin'], text);
  const said = await runAside(gitAt(dir), ['cat-file', 'blob', String(oid).trim()]);
  expect(said?.toString()).toBe(text);
});

test('half an answer is none: where git fails, or is not there, nothing is said', async () => {
  const ends = ['cat-file', '--batch', '--no-such-option'];
  expect(await runAside(gitAt(dir), ends)).toBeUndefined();
  const { cwd, env } = gitAt(dir);
  expect(await runAside({ cwd, env: { ...env, PATH: dir } }, ['version'])).toBeUndefined();
});

test('what git starts for a file is found where the person has it, as ever', async () => {
  const elsewhere = join(dir, '..', `${basename(dir)}-elsewhere`);
  mkdirSync(elsewhere);
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  for (const [folder, says] of [
    [dir, 'tr a-z A-Z < "$1"'],
    [elsewhere, 'echo another one'],
  ] as const) {
    writeFileSync(join(folder, 'to-upper'), `#!/bin/sh\n${says}\n`);
    chmodSync(join(folder, 'to-upper'), 0o755);
  }
  writeFileSync(join(dir, 'a.txt'), 'words\n');
  writeFileSync(join(dir, '.gitattributes'), '*.txt diff=upper\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir });
  git('config', 'diff.upper.textconv', 'to-upper');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'One');
  const { cwd, env } = gitAt(dir);
  const own = { cwd, env: { ...env, PATH: [dir, elsewhere, env.PATH].join(delimiter) } };
  expect(String(await runAside(own, ['blame', 'a.txt']))).toContain('WORDS');
});
