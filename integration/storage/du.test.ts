import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { turn } from '../support/repository/leftovers.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { create } from '../worktree/worktrees.ts';

interface Report {
  readonly total: number;
  readonly kinds: ReadonlyArray<{
    readonly kind: string;
    readonly bytes: number | null;
    readonly count: number;
  }>;
  readonly sessions: ReadonlyArray<{
    readonly session_id: string;
    readonly bytes: number;
    readonly by_kind: Readonly<Record<string, number>>;
  }>;
}

const report = (repo: TestRepo, cwd = repo.dir): Report =>
  JSON.parse(repo.run('entire', ['du', '--json'], { cwd }).stdout) as Report;
const kind = (of: Report, name: string) => of.kinds.find((row) => row.kind === name);

describe('what we take on disk', () => {
  scenario('is told by kind and by session, and adds up', (repo) => {
    repo.ready();
    expect(repo.entire('du').stdout).toMatch(
      /^Entire keeps in this repository:\n\n {2}Checkpoints .* 0 checkpoints\n/,
    );
    const large = repo.session();
    large.prompt('write a');
    for (let n = 0; n < 300; n++) large.say(`step ${n}: ${'words '.repeat(40)}`);
    large.edit('a.txt', 'a\n');
    large.stop();
    const id = repo.commit('Add a', 'a.txt') as string;
    const small = turn(repo, 'b.txt');
    mkdirSync(join(repo.commonDir, `entire/snapshots/${small.id}@side/blobs`), { recursive: true });
    writeFileSync(join(repo.commonDir, `entire/snapshots/${small.id}@side/blobs/x`), 'x'.repeat(1000));

    const now = report(repo);
    expect(now.total).toBe(now.kinds.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0));
    expect(kind(now, 'checkpoints')).toMatchObject({ count: 1 });
    expect(kind(now, 'checkpoints')?.bytes).toBe(
      Number(repo.git('rev-list', '--disk-usage', '--objects', 'entire/checkpoints/v1')),
    );
    expect(kind(now, 'steps')?.count).toBe(1);
    expect(kind(now, 'snapshots')?.bytes).toBeGreaterThan(1000);
    const copy = statSync(join(repo.dir, '.entire/metadata', large.id, 'full.jsonl')).size;
    const cache = statSync(join(repo.commonDir, 'entire/transcripts', large.id, 'redacted.jsonl')).size;
    const [first, second] = now.sessions;
    expect(first?.session_id).toBe(large.id);
    expect(first?.by_kind.transcript_copies).toBe(copy);
    expect(first?.by_kind.transcript_caches).toBeGreaterThan(cache);
    expect(first?.by_kind.checkpoints).toBeGreaterThan(0);
    expect(first?.bytes).toBe(Object.values(first?.by_kind ?? {}).reduce((sum, size) => sum + size, 0));
    expect(second).toMatchObject({ session_id: small.id });
    expect(second?.by_kind.snapshots).toBeGreaterThan(1000);
    expect(repo.storedPaths(id)).toContain('0/full.jsonl');

    const { stdout } = repo.entire('du');
    expect(stdout).toMatch(new RegExp(`\nLargest sessions:\n\n {2}session .*\n {2}${large.id} .* KiB`));
    expect(stdout).toMatch(/\n {2}Total +[\d.]+ [KM]iB\n/);
  });

  variation('no agent, checkpoint or other name is shown as a session', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    const own = join(repo.commonDir, 'entire');
    for (const folder of ['owed', 'removals', 'pauses/0123456789ab', 'reads', 'open-commits'])
      mkdirSync(join(own, folder), { recursive: true });
    writeFileSync(join(own, 'owed/0123456789ab.json'), '{}');
    writeFileSync(join(own, 'removals/0123456789ab.json'), '{}');
    writeFileSync(join(own, `pauses/0123456789ab/begin.json`), '{}');
    writeFileSync(join(own, `reads/${session.id}.json`), '"a.txt"\n');
    expect(statSync(join(own, 'agent-settings/claude-code.json')).size).toBeGreaterThan(0);
    expect(report(repo).sessions.map(({ session_id: id }) => id)).toEqual([session.id]);
  });

  variation("the user's own files are not counted, and neither are chunks that a checkpoint has", (repo) => {
    repo.ready();
    const noise = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('\n');
    repo.write('big.txt', noise);
    repo.git('add', '.');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '--quiet', '-m', 'Big');
    turn(repo, 'a.txt');
    const shadow = repo.shadowBranches()[0] as string;
    const all = Number(repo.git('rev-list', '--disk-usage', '--objects', shadow));
    expect(all).toBeGreaterThan(100_000);
    expect(kind(report(repo), 'steps')?.bytes).toBeLessThan(5_000);
  });

  variation('all worktrees count, whichever one asks', (repo) => {
    repo.ready();
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', side, '-b', 'side');
    turn(repo, 'a.txt');
    mkdirSync(join(side, '.entire/metadata/there'), { recursive: true });
    writeFileSync(join(side, '.entire/metadata/there/full.jsonl'), 'y'.repeat(500));
    const here = report(repo);
    expect(here.sessions).toContainEqual({
      session_id: 'there',
      bytes: 500,
      by_kind: { transcript_copies: 500 },
    });
    expect(report(repo, side)).toEqual(here);
  });

  variation(
    'what was kept of worktrees that were removed is told: commits of nobody else, and files',
    (repo) => {
      repo.ready();
      repo.write('.gitignore', '.env\n');
      repo.commit('Ignore', '.gitignore');
      expect(kind(report(repo), 'removed_worktrees')).toEqual({
        kind: 'removed_worktrees',
        bytes: 0,
        count: 0,
      });
      for (const name of ['one', 'two']) {
        const root = create(repo, name);
        writeFileSync(join(root, 'noise.txt'), randomBytes(50_000).toString('base64'));
        if (name === 'one') writeFileSync(join(root, '.env'), 'A'.repeat(1000));
        repo.entire('worktree', 'remove', name, '--force');
      }
      const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/entire/removed').split('\n');
      const bytes = Number(repo.git('rev-list', '--disk-usage', '--objects', ...kept, '--not', '--branches'));
      expect(bytes).toBeGreaterThan(100_000);
      const row = { kind: 'removed_worktrees', bytes: bytes + 1000, count: 2 };
      expect(kind(report(repo), 'removed_worktrees')).toEqual(row);
      expect(repo.entire('du').stdout).toMatch(/\n {2}Kept of removed worktrees +[\d.]+ KiB +2 worktrees\n/);
    },
  );

  variation('damage and links are no reason to fail', (repo) => {
    repo.ready();
    const session = turn(repo, 'a.txt');
    const id = repo.commit('Add a', 'a.txt') as string;
    const blob = repo.git('rev-parse', `entire/checkpoints/v1:${id.slice(0, 2)}/${id.slice(2)}/0/prompt.txt`);
    const tree = repo.git('rev-parse', `entire/checkpoints/v1:${id.slice(0, 2)}`);
    const object = (oid: string) => join(repo.dir, '.git/objects', oid.slice(0, 2), oid.slice(2));
    const [kept, keptTree] = [readFileSync(object(blob)), readFileSync(object(tree))];
    repo.run('rm', ['-rf', join(repo.commonDir, 'entire', 'snapshots')]);
    repo.run('ln', ['-s', repo.home, join(repo.commonDir, 'entire', 'snapshots')]);
    repo.run('rm', ['-f', object(blob), object(tree)]);
    const { stdout } = repo.entire('du');
    expect(stdout).toMatch(/\n {2}Checkpoints .* unknown {2}/);
    expect(stdout).toContain('`entire verify` says which are damaged or missing');
    expect(kind(report(repo), 'snapshots')?.bytes).toBe(0);
    expect(report(repo).sessions.map((one) => one.session_id)).toContain(session.id);
    writeFileSync(object(blob), kept);
    writeFileSync(object(tree), keptTree);
  });
});
