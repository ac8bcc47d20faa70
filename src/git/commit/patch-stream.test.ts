import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ObjectId } from '../../base/ids.ts';
import { gitAt } from '../run.ts';
import { type AskedPatch, type Patch, readPatches } from './patch.ts';
import { streamPatches } from './patch-stream.ts';

const MANY = 700;
/** A file whose patch is larger than what is looked at together. */
const LARGE = 'a long line of it\n'.repeat(20_000);

let dir: string;
let asked: AskedPatch[];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'entire-patches-'));
  execFileSync('git', ['init', '--quiet'], { cwd: dir });
  const parts = Array.from({ length: MANY }, (_, at) => {
    const text = at === 300 ? LARGE : `line ${at}\ncommit:no ${at}\ngrün ${at}\n`;
    return `commit refs/heads/all\ncommitter A <a@example.com> ${1_700_000_000 + at} +0000\ndata 1\nx\nM 100644 inline f${at % 7}.txt\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: dir, input: parts.join('') });
  const log = execFileSync('git', ['rev-list', 'refs/heads/all'], { cwd: dir }).toString().trim().split('\n');
  asked = log.map((commit, at) => ({
    commit: commit as ObjectId,
    parent: log[at + 1] as ObjectId | undefined,
  }));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function collect(commits: readonly AskedPatch[]): Promise<{ all: Patch[]; times: number }> {
  const all: Patch[] = [];
  let times = 0;
  for await (const patches of streamPatches(gitAt(dir), commits)) {
    all.push(...patches);
    times++;
  }
  return { all, times };
}

const told = (patches: readonly Patch[]) => patches.map(({ ids, ...patch }) => ({ ...patch, ids: ids() }));

test('patches that come some at a time are those that are read at once', async () => {
  const { all, times } = await collect(asked);
  expect(times).toBeGreaterThan(1);
  expect(all.map(({ commit }) => commit)).toEqual(asked.map(({ commit }) => commit));
  expect(told(all)).toEqual(told(readPatches(gitAt(dir), asked)));
});

test('a commit that is not here is left out, in the middle and at the end', async () => {
  const gone = { commit: '0'.repeat(39).concat('1') as ObjectId, parent: undefined };
  const { all } = await collect([...asked.slice(0, 600), gone, ...asked.slice(600), gone]);
  expect(all.map(({ commit }) => commit)).toEqual(asked.map(({ commit }) => commit));
});

test('where git fails on its way, it is said why; what came before has come', async () => {
  const tree = execFileSync('git', ['rev-parse', 'refs/heads/all^{tree}'], { cwd: dir }).toString().trim();
  const hurt = `tree ${tree.replace(/./g, '7')}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nx\n`;
  const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
    cwd: dir,
    input: hurt,
  })
    .toString()
    .trim() as ObjectId;
  const came: ObjectId[] = [];
  const read = async (): Promise<void> => {
    const commits = [...asked.slice(0, 650), { commit, parent: undefined }, ...asked.slice(650)];
    for await (const patches of streamPatches(gitAt(dir), commits))
      came.push(...patches.map((one) => one.commit));
  };
  await expect(read()).rejects.toMatchObject({ code: 'GIT_FAILED' });
  expect(came.length).toBeGreaterThan(100);
  expect(came).toEqual(asked.slice(0, came.length).map((one) => one.commit));
});

test('who takes no more ends git', async () => {
  for await (const patches of streamPatches(gitAt(dir), asked)) {
    expect(patches.length).toBeGreaterThan(0);
    break;
  }
  const { all } = await collect(asked.slice(0, 3));
  expect(all).toHaveLength(3);
});
