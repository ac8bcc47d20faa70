import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { addWork, expectLinked, expectNotLinked } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const OLD = '2026-01-02T03:04:05Z';

/** States that months of work left behind, each changed in its own way. */
function leaveOld(repo: TestRepo, count: number, change: (at: number) => object = () => ({})): string[] {
  const session = addWork(repo, { 'first.txt': 'first\n' });
  repo.commit('First', 'first.txt');
  const template = repo.state(session.id);
  return Array.from({ length: count }, (_, at) => {
    const session_id = `old-${String(at).padStart(3, '0')}`;
    const state = { ...template, session_id, started_at: OLD, last_interaction_time: OLD, ...change(at) };
    writeFileSync(stateFile(repo, session_id), JSON.stringify(state));
    return session_id;
  });
}

const stateFile = (repo: TestRepo, id: string) => join(repo.commonDir, 'entire-sessions', `${id}.json`);
const archiveDir = (repo: TestRepo) => join(repo.commonDir, 'entire', 'archive');
const archived = (repo: TestRepo): string[] =>
  existsSync(archiveDir(repo)) ? readdirSync(archiveDir(repo)).map((name) => name.replace('.json', '')) : [];

describe('sessions that are long over', () => {
  scenario('leave the folder that every hook looks through, and come back with a prompt', (repo) => {
    repo.ready();
    const old = leaveOld(repo, 60);
    addWork(repo, { 'a.txt': 'one\n' });
    expect(archived(repo).sort()).toEqual(old);
    expect(repo.stateFiles()).toHaveLength(2);

    const before = readFileSync(join(archiveDir(repo), 'old-007.json'), 'utf8');
    const resumed = addWork(repo, { 'b.txt': 'two\n' }, repo.session('old-007'));
    expect(repo.state('old-007')).toMatchObject({
      started_at: OLD,
      first_prompt: JSON.parse(before).first_prompt,
      checkpoint_transcript_start: JSON.parse(before).checkpoint_transcript_start,
      files_touched: ['b.txt'],
    });
    expect(archived(repo)).toHaveLength(59);
    repo.commit('Add b', 'b.txt');
    expectLinked(repo, resumed, 'b.txt');
  });

  variation('stay while they are few', (repo) => {
    repo.ready();
    leaveOld(repo, 50);
    addWork(repo, { 'a.txt': 'one\n' });
    expect(archived(repo)).toEqual([]);
    expect(repo.stateFiles()).toHaveLength(52);
  });

  variation('stay while they wait for a commit, run, or were heard of lately', (repo) => {
    repo.ready();
    repo.write('waits.txt', 'by the agent\n');
    const lately = new Date(Date.now() - 60_000).toISOString();
    const own = [
      { files_touched: ['waits.txt'] },
      { phase: 'active' },
      { last_interaction_time: lately },
      { checkpoint_count: 1 },
    ];
    leaveOld(repo, 60, (at) => own[at] ?? {});
    addWork(repo, { 'a.txt': 'one\n' });
    expect(archived(repo)).toHaveLength(56);
    repo.commit('What waited', 'waits.txt');
    expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: ['old-000'] });
  });

  variation('stay while somebody works on them, and the others go', (repo) => {
    repo.ready();
    leaveOld(repo, 60);
    const lock = join(repo.commonDir, 'entire-sessions', 'old-002.lock');
    mkdirSync(lock);
    writeFileSync(join(lock, `pid-${process.pid}`), '');
    addWork(repo, { 'a.txt': 'one\n' });
    expect(archived(repo)).toHaveLength(59);
    expect(repo.state('old-002').session_id).toBe('old-002');
    expect(repo.logText()).not.toMatch(/WARN|ERROR/);
    rmSync(lock, { recursive: true });
  });

  variation('leave the link of a commit that is amended where all of them are archived', (repo) => {
    repo.ready();
    const side = join(repo.scratch, 'side');
    repo.git('worktree', 'add', '--quiet', side);
    leaveOld(repo, 60);
    const id = repo.checkpointOf('HEAD') as string;
    addWork(repo, { 'a.txt': 'one\n' });
    repo.git('-C', side, 'reset', '--quiet', '--hard', 'main');
    repo.git('-C', side, 'commit', '--quiet', '--amend', '-m', 'First, reworded');
    expect(repo.verdict()).toMatchObject({ reason: 'kept', checkpoint: id });
  });

  variation('stay out of a commit when their state is broken', (repo) => {
    repo.ready();
    leaveOld(repo, 60);
    addWork(repo, { 'a.txt': 'one\n' });
    writeFileSync(join(archiveDir(repo), 'old-003.json'), '{');
    repo.session('old-003').edit('late.txt', 'late\n');
    repo.commit('Late', 'late.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation('are linked when an edit of theirs arrives without a prompt', (repo) => {
    repo.ready();
    leaveOld(repo, 60);
    addWork(repo, { 'a.txt': 'one\n' });
    const late = repo.session('old-003');
    late.edit('late.txt', 'late\n');
    repo.commit('Late', 'late.txt');
    expectLinked(repo, late, 'late.txt');
    expect(archived(repo)).not.toContain('old-003');
  });

  variation('keep the checkpoint of a commit that is amended', (repo) => {
    repo.ready();
    const id = repo.checkpointOf('HEAD');
    leaveOld(repo, 60);
    const linked = repo.checkpointOf('HEAD') as string;
    addWork(repo, { 'a.txt': 'one\n' });
    repo.git('commit', '--quiet', '--amend', '-m', 'First, reworded');
    expect(id).toBeUndefined();
    expect(repo.checkpointOf('HEAD')).toBe(linked);
    repo.write('mine.txt', 'mine\n').commit('Mine', 'mine.txt');
    expectNotLinked(repo, 'no-overlap');
  });

  variation(
    'are shown by status, started again by the client, and counted by disable --uninstall',
    (repo) => {
      repo.ready();
      leaveOld(repo, 60, (at) => (at === 5 ? { ended_at: OLD, phase: 'ended' } : {}));
      addWork(repo, { 'a.txt': 'one\n' });
      const { sessions } = JSON.parse(repo.run('entire', ['status', '--json']).stdout);
      expect(sessions).toHaveLength(61);
      repo.session('old-005').start();
      expect(repo.state('old-005').phase).toBe('idle');
      const { stdout } = repo.run('entire', ['disable', '--uninstall', '--force']);
      expect(stdout).toContain('62');
      expect(existsSync(archiveDir(repo))).toBe(false);
    },
  );

  variation('come back clean from scrub', (repo) => {
    repo.ready();
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    leaveOld(repo, 60, (at) => (at === 9 ? { first_prompt: `use ${secret}` } : {}));
    addWork(repo, { 'a.txt': 'one\n' });
    const find = () => repo.run('grep', ['-rl', secret, repo.commonDir]).stdout;
    expect(find()).toContain('old-009');
    expect(repo.run('entire', ['scrub']).code).toBe(0);
    expect(find()).toBe('');
  });
});
