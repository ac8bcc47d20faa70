import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { gitAt } from '../run.ts';
import { findNewest } from './beside.ts';

const BRANCH = 1_400;

/** `main` of two commits, and a branch that left it after the first. */
function history() {
  const root = mkdtempSync(join(tmpdir(), 'entire-beside-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['-C', root, ...args], { input, encoding: 'utf8' }).trim();
  git(['init', '--quiet']);
  const commit = (ref: string, at: number, from = ''): string =>
    `commit refs/heads/${ref}\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata 2\nx\n${from}\n`;
  const branch = Array.from({ length: BRANCH }, (_, at) =>
    commit('side', at + 2, at === 0 ? 'from refs/heads/main\n' : ''),
  );
  git(['fast-import', '--quiet'], [commit('main', 1), ...branch, commit('main', 5_000)].join(''));
  const oids = (...args: string[]) =>
    git(['rev-list', ...args])
      .split('\n')
      .filter(Boolean) as ObjectId[];
  return { git: gitAt(root), oids, run: git };
}

test('what is in a history is not beside it, however it is named', async () => {
  const { git, oids, run } = history();
  const [first] = oids('--reverse', 'main') as [ObjectId];
  run(['update-ref', '-d', 'refs/heads/side']);
  const [head] = oids('main') as [ObjectId];
  const { beside, within } = await findNewest(git, head, [first, 'f'.repeat(40) as ObjectId]);
  expect({ beside, within }).toEqual({ beside: [], within: [head] });
});

test('of a long branch that is beside it the newest commits are named, and where they end', async () => {
  const { git, oids } = history();
  const [head] = oids('main') as [ObjectId];
  const side = oids('side');
  const { beside } = await findNewest(git, head, []);
  expect(beside).toEqual([...side.slice(0, 300), `^${side[300]}`]);
});

test('a commit that no branch has is found where something names it, and ends in the history', async () => {
  const { git, oids, run } = history();
  const [head] = oids('main') as [ObjectId];
  const [, , , dropped] = oids('--reverse', 'side') as [ObjectId, ObjectId, ObjectId, ObjectId];
  run(['update-ref', '-d', 'refs/heads/side']);
  const { beside: found } = await findNewest(git, head, [dropped]);
  expect(run(['log', '--format=%s', ...found, `^${head}`]).split('\n')).toHaveLength(3);
  expect(found.filter((row) => row.startsWith('^'))).toEqual([]);
});

test('of a long history the newest commits end where no more are looked at', async () => {
  const { git, oids } = history();
  const side = oids('side');
  const { within } = await findNewest(git, side[0] as ObjectId, []);
  // One of those that are looked at is the newest of main.
  expect(within).toEqual([side[0], `^${side[999]}`]);
});
