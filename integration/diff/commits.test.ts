import { describe, expect } from 'vitest';
import { addWork, withWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SESSION = 'bee76f83-58dd-4892-8e75-8c5fe1567bcd';
const files = (shown: string) => shown.match(/^diff --git .*$/gm) ?? [];

/** A commit with two files of a session and one of a person. */
function withCommit(repo: TestRepo): string {
  repo.ready();
  addWork(repo, { 'a.txt': 'one\n', 'b.txt': 'b\n' }, repo.session(SESSION));
  repo.write('mine.txt', 'mine\n');
  return repo.commit('Add some', 'a.txt', 'b.txt', 'mine.txt') as string;
}

scenario('a commit is shown in the files that its sessions touched, with the sessions', (repo) => {
  const id = withCommit(repo);
  const oid = repo.git('rev-parse', 'HEAD');
  const { stdout } = repo.entire('diff', 'HEAD');
  expect(stdout).toContain(
    [
      `commit ${oid}`,
      'Author: Ada <ada@example.com>',
      'Date:   Fri Jan 2 03:04:05 2026 +0000',
      '',
      '    Add some',
      '    ',
      `    Checkpoint: ${id}`,
      `    Claude Code session ${SESSION}: "write a.txt and b.txt"`,
      '    ',
      `    1 other file in this commit was not touched by any session above: git show ${oid.slice(0, 7)}`,
      '',
      'diff --git a/a.txt b/a.txt',
    ].join('\n'),
  );
  expect(files(stdout)).toEqual(['diff --git a/a.txt b/a.txt', 'diff --git a/b.txt b/b.txt']);
  for (const what of ['main', oid, oid.slice(0, 7), id, id.slice(0, 6), `HEAD~0`, 'HEAD^{}'])
    expect(repo.entire('diff', what).stdout, what).toBe(stdout);
  expect(files(repo.entire('diff', id, '--', 'b.txt').stdout)).toEqual(['diff --git a/b.txt b/b.txt']);
  expect(repo.entire('diff', id, '--', 'mine.txt').stdout).toBe('Nothing of that changed mine.txt.\n');
  const [json] = JSON.parse(repo.entire('diff', 'HEAD', '--json').stdout);
  expect(json).toEqual({
    session_id: SESSION,
    turn: null,
    commit: oid,
    at: '2026-01-02T03:04:05+00:00',
    agent: 'Claude Code',
    prompt: expect.stringMatching(/^write a\.txt and b\.txt$/i),
    more_prompts: 0,
    checkpoints: [id],
    sessions: [{ session_id: SESSION, agent: 'Claude Code', prompt: expect.any(String), more_prompts: 0 }],
    files: [
      { path: 'a.txt', status: 'added', added: 1, removed: 0, kept: true },
      { path: 'b.txt', status: 'added', added: 1, removed: 0, kept: true },
    ],
    other_files: 1,
  });
});

describe('a commit', () => {
  variation('that leads to no checkpoint is left to git show', (repo) => {
    repo.ready();
    const { code, stdout, stderr } = repo.tryEntire('diff', 'HEAD');
    const short = repo.git('rev-parse', 'HEAD').slice(0, 7);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `Error: commit ${short} leads to no checkpoint.\nHint: \`git show ${short}\` shows it; \`entire why ${short}\` says why it is not linked.\n`,
    ]);
  });

  variation('whose checkpoint is elsewhere says where it may be', (repo) => {
    repo.ready();
    repo.write('x.txt', 'x\n');
    repo.git('add', 'x.txt');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '-qm', 'X\n\nEntire-Checkpoint: 0123456789ab');
    const { code, stderr } = repo.tryEntire('diff', 'HEAD');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/0123456789ab\nHint: .*entire fetch/)]);
    expect(repo.tryEntire('diff', '0123456789ab').stderr).toContain(
      'no such turn, session, commit or checkpoint: 0123456789ab',
    );
  });

  variation('that has the id of a checkpoint which is not its own is not presented as its work', (repo) => {
    const id = withCommit(repo);
    repo.write('x.txt', 'x\n');
    repo.git('add', 'x.txt');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'commit', '-qm', `X\n\nEntire-Checkpoint: ${id}`);
    const { code, stdout, stderr } = repo.tryEntire('diff', 'HEAD');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`names the checkpoint ${id}, which does not fit it`);
    expect(repo.entire('diff', id).stdout).toContain(`commit ${repo.git('rev-parse', 'HEAD~1')}`);
  });

  variation('of a merge is shown against its first parent, a first one against nothing', (repo) => {
    withWork(repo);
    repo.git('switch', '-qc', 'side');
    repo.commit('Side', 'a.txt');
    repo.git('switch', '-q', 'main');
    repo.gitWith({ env: { ENTIRE: '0' } }, 'merge', '-q', '--no-ff', '-m', repo.message('side'), 'side');
    expect(files(repo.entire('diff', 'HEAD').stdout)).toEqual(['diff --git a/a.txt b/a.txt']);
    const root = repo.git('rev-list', '--max-parents=0', 'HEAD');
    expect(repo.tryEntire('diff', root).stderr).toContain('leads to no checkpoint');
  });

  variation('of another branch is found by its checkpoint, with an empty worktree in between', (repo) => {
    const id = withCommit(repo);
    repo.git('branch', 'kept');
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    expect(repo.entire('diff', id).stdout).toContain(`commit ${repo.git('rev-parse', 'kept')}`);
    repo.git('branch', '-qD', 'kept');
    const { code, stderr } = repo.tryEntire('diff', id);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`no commit here leads to the checkpoint ${id}`),
    ]);
  });
});
