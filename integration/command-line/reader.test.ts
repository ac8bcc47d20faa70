import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type CheckpointId, parseCheckpointId } from '../../src/base/ids.ts';
import {
  readCheckpoint,
  readCheckpoints,
  type StoredCheckpoint,
} from '../../src/checkpoint/read/checkpoint.ts';
import { type CheckpointStore, listCheckpointIds, openCheckpoints } from '../../src/checkpoint/read/store.ts';
import { readPrompts, readTranscript } from '../../src/checkpoint/read/texts.ts';
import { gitAt } from '../../src/git/run.ts';
import { variation } from '../support/repository/scenario.ts';
import { checkpointFiles, folderOf, store } from '../support/repository/stored-checkpoints.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const A = 'a1b2c3d4e5f6';
const B = 'a1ffffffffff';
const id = (text: string): CheckpointId => parseCheckpointId(text) as CheckpointId;
const open = (repo: TestRepo): CheckpointStore => openCheckpoints(gitAt(repo.dir), repo.commonDir);
const read = async (repo: TestRepo, text: string): Promise<StoredCheckpoint> =>
  (await readCheckpoint(open(repo), id(text))) as StoredCheckpoint;

/** What the reader says of a checkpoint with these files. */
async function problemsOf(repo: TestRepo, files: Record<string, string>): Promise<readonly string[]> {
  store(repo, { [A]: files });
  return (await read(repo, A)).problems;
}

variation('a checkpoint of v0.4.4 is read as it is documented', async (repo) => {
  repo.init();
  const transcript = '{"type":"user"}\n{"type":"assistant"}\n';
  store(repo, {
    [A]: checkpointFiles(
      A,
      { session: 's-1', prompts: ['Say hello', '- - -', 'And again'], transcript },
      {
        session: 's-2',
        metadata: { files_touched: ['b.txt'], transcript_lines_at_start: 7, future: { x: 1 } },
      },
    ),
  });
  const checkpoint = await read(repo, A);
  expect(checkpoint).toMatchObject({ id: A, problems: [], isFlat: false, filesTouched: ['a.txt', 'b.txt'] });
  const [first, second] = checkpoint.slots;
  if (!first || !second) throw new Error('two slots');
  expect(first.metadata).toMatchObject({
    sessionId: 's-1',
    agent: 'Claude Code',
    createdAt: '2026-01-02T03:04:00.25Z',
  });
  expect(second.metadata).toMatchObject({ checkpointTranscriptStart: 7, other: { future: { x: 1 } } });
  expect(readTranscript(open(repo), first)).toMatchObject({ text: transcript, problems: [] });
  expect([...readPrompts(open(repo), checkpoint.slots).values()]).toEqual([['Say hello', 'And again'], []]);
});

variation('ids are listed by prefix, from the local branch and from what origin had', async (repo) => {
  repo.init();
  expect(await listCheckpointIds(open(repo))).toEqual([]);
  store(repo, {
    [A]: checkpointFiles(A, { session: 'local' }),
    [B]: checkpointFiles(B, { session: 'local' }),
  });
  const remote = 'refs/remotes/origin/entire/checkpoints/v1';
  const C = 'b00000000000';
  store(
    repo,
    { [A]: checkpointFiles(A, { session: 'old' }), [C]: checkpointFiles(C, { session: 'far' }) },
    remote,
  );
  store(repo, { 'README.md/x': { y: 'foreign' } });
  expect(await listCheckpointIds(open(repo))).toEqual([A, B, C]);
  expect(await listCheckpointIds(open(repo), 'a')).toEqual([A, B]);
  expect(await listCheckpointIds(open(repo), 'a1b')).toEqual([A]);
  expect(await listCheckpointIds(open(repo), 'A1B')).toEqual([]);
  const found = await readCheckpoints(open(repo), [A, B, C, '000000000000'].map(id));
  expect([...found.values()].map((c) => c.slots[0]?.metadata.sessionId)).toEqual(['local', 'local', 'far']);
});

variation('a checkpoint from before there were slots is one session', async (repo) => {
  repo.init();
  const metadata = { checkpoint_id: A, session_id: 'old', strategy: 'manual-commit', files_touched: ['x'] };
  store(repo, { [A]: { 'metadata.json': JSON.stringify(metadata), 'full.log': 'text', 'prompt.txt': 'Hi' } });
  const checkpoint = await read(repo, A);
  expect(checkpoint).toMatchObject({ isFlat: true, problems: [], filesTouched: ['x'] });
  const [slot] = checkpoint.slots;
  if (!slot) throw new Error('one slot');
  expect(slot).toMatchObject({ index: 0, dir: folderOf(A), metadata: { sessionId: 'old' } });
  expect(readTranscript(open(repo), slot)).toMatchObject({ text: 'text', problems: [] });
  expect(readPrompts(open(repo), [slot]).get(slot)).toEqual(['Hi']);
});

variation('each oddity of the metadata is a word, and the rest is read all the same', async (repo) => {
  repo.init();
  const good = checkpointFiles(A, { session: 's-1' }, { session: 's-2' });
  expect(await problemsOf(repo, { ...good, '0/metadata.json': '{"checkpoint' })).toEqual([
    'session 0: metadata.json is not a JSON object',
  ]);
  expect((await read(repo, A)).slots.map(({ metadata }) => metadata.sessionId)).toEqual(['', 's-2']);

  const odd = {
    checkpoint_id: B,
    session_id: 7,
    files_touched: ['a', 3],
    checkpoints_count: '2',
    created_at: null,
  };
  expect(await problemsOf(repo, { ...good, '0/metadata.json': JSON.stringify(odd) })).toEqual([
    'session 0: metadata.json: session_id is unusable',
    'session 0: metadata.json: checkpoints_count is unusable',
    'session 0: metadata.json: files_touched holds what is not a file name',
    `session 0: metadata.json belongs to checkpoint ${B}`,
  ]);
  expect((await read(repo, A)).slots[0]?.metadata).toMatchObject({ filesTouched: ['a'], createdAt: '' });

  expect(await problemsOf(repo, { ...good, 'metadata.json': '[]' })).toEqual([
    'metadata.json is not a JSON object',
    'metadata.json lists no sessions',
  ]);
  expect((await read(repo, A)).slots).toHaveLength(2);

  const root = JSON.parse(good['metadata.json'] as string);
  const twice = `/${folderOf(A)}/${folderOf(A)}/0/metadata.json`;
  root.sessions[0].metadata = twice;
  root.sessions.push({ metadata: `/${folderOf(A)}/4/metadata.json` }, 'text');
  expect(await problemsOf(repo, { ...good, 'metadata.json': JSON.stringify(root) })).toEqual([
    `session 0 is recorded with an odd path: ${twice}`,
    'session 4 is listed and not there',
    'session 3 is listed and not there',
  ]);
});

variation('gaps in the numbers, and parts of a transcript that are missing, are named', async (repo) => {
  repo.init();
  const { '0/full.jsonl': _, ...files } = checkpointFiles(A, { session: 's-1', transcript: 'one' });
  const moved = Object.fromEntries(
    Object.entries(files).map(([path, data]) => [path.replace(/^0/, '3'), data]),
  );
  store(repo, { [A]: { ...moved, '3/full.jsonl.001': 'two', '3/full.jsonl.004': 'five' } });
  const checkpoint = await read(repo, A);
  expect(checkpoint.problems).toEqual([
    'session 0 is listed and not there',
    'session 3 is there and not listed',
  ]);
  const [slot] = checkpoint.slots;
  if (!slot) throw new Error('one slot');
  expect(readTranscript(open(repo), slot)).toMatchObject({
    text: 'two\nfive',
    problems: ['the transcript lacks full.jsonl and 2 more'],
  });
});

variation('blobs that are missing or damaged are named, and the others are read', async (repo) => {
  repo.init();
  store(repo, {
    [A]: checkpointFiles(A, { session: 's-1', prompts: ['p'], transcript: 'gone' }, { session: 's-2' }),
    [B]: checkpointFiles(B, { session: 's-3', prompts: ['fine'] }),
  });
  const oid = (path: string) => repo.git('rev-parse', `entire/checkpoints/v1:${folderOf(A)}/${path}`);
  const file = (path: string) => join(repo.dir, '.git', 'objects', oid(path).slice(0, 2), oid(path).slice(2));
  const gone = file('0/full.jsonl');
  const broken = file('1/metadata.json');
  rmSync(gone);
  rmSync(broken);
  repo.write(broken.slice(repo.dir.length + 1), 'no object at all');
  const found = await readCheckpoints(open(repo), [A, B].map(id));
  expect(found.get(id(A))?.problems).toEqual([
    'session 1: metadata.json cannot be read: its object is damaged or missing',
  ]);
  expect(found.get(id(B))).toMatchObject({ problems: [], slots: [{ metadata: { sessionId: 's-3' } }] });
  const slot = found.get(id(A))?.slots[0];
  if (!slot) throw new Error('one slot');
  expect(readTranscript(open(repo), slot)).toMatchObject({
    text: '',
    problems: ['full.jsonl cannot be read: its object is damaged or missing'],
  });
  repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
  rmSync(broken);
});

variation('a folder that is damaged or gone is named, and the others are read', async (repo) => {
  repo.init();
  const far = 'b00000000000';
  store(repo, {
    [A]: checkpointFiles(A, { session: 's-1' }, { session: 's-2' }),
    [B]: checkpointFiles(B, { session: 's-3' }),
    [far]: checkpointFiles(far, { session: 's-4' }),
  });
  const spoil = (path: string, how: 'damage' | 'remove'): (() => void) => {
    const oid = repo.git('rev-parse', `entire/checkpoints/v1:${path}`);
    const file = join('.git', 'objects', oid.slice(0, 2), oid.slice(2));
    const before = readFileSync(join(repo.dir, file));
    rmSync(join(repo.dir, file));
    if (how === 'damage') writeFileSync(join(repo.dir, file), before.subarray(0, before.length / 2));
    return () => {
      rmSync(join(repo.dir, file), { force: true });
      writeFileSync(join(repo.dir, file), before);
    };
  };
  const problem = (text: string) => [`its folder ${folderOf(text)} cannot be read`];
  for (const how of ['damage', 'remove'] as const) {
    for (const path of [folderOf(A), `${folderOf(A)}/1`]) {
      const repair = spoil(path, how);
      const found = await readCheckpoints(open(repo), [A, B, far].map(id));
      expect(found.get(id(A)), `${how} ${path}`).toMatchObject({ slots: [], problems: problem(A) });
      expect(found.get(id(B))).toMatchObject({ problems: [], slots: [{ metadata: { sessionId: 's-3' } }] });
      expect(found.get(id(far))?.problems).toEqual([]);
      repair();
    }
    const repair = spoil(A.slice(0, 2), how);
    const found = await readCheckpoints(open(repo), [A, B, far].map(id));
    expect([...found.values()].map(({ problems }) => problems)).toEqual([problem(A), problem(B), []]);
    expect(await listCheckpointIds(open(repo))).toEqual([far]);
    repair();
  }
  expect((await read(repo, A)).problems).toEqual([]);
});
