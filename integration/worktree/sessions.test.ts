import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';
import { create, refusal, rowOf, within } from './worktrees.ts';

/** A session in a worktree, after a turn that wrote a file. */
function work(repo: TestRepo, root: string, path: string) {
  const session = repo.session();
  within(repo, root, () => {
    session.start();
    session.prompt(`Write ${path}`);
    session.edit(path, `${path}\n`);
    session.stop();
  });
  return session;
}

describe('the sessions of a worktree', () => {
  scenario('are listed with it, stay when it is removed, and go on in another one', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    const session = work(repo, root, 'a.txt');
    const checkpoint = within(repo, root, () => repo.commit('Add a', 'a.txt')) as string;
    expect(rowOf(repo, 'task').sessions).toMatchObject([
      { session_id: session.id, phase: 'idle', agent_type: 'Claude Code', first_prompt: 'Write a.txt' },
    ]);
    expect(repo.entire('worktree', 'list').stdout).toContain(
      `    [Claude Code] ${session.id.slice(0, 8)} idle, `,
    );
    const { stdout } = repo.entire('worktree', 'remove', 'task');
    expect(stdout).toContain(
      `1 session of it stays. To go on with it from any other worktree:\n    entire resume ${session.id}\n`,
    );

    expect(repo.entire('status', '--json').stdout).toContain(session.id);
    expect(repo.entire('explain', checkpoint).stdout).toContain('Write a.txt');
    repo.git('merge', '--quiet', '--ff-only', 'task');
    expect(repo.entire('explain', '--session', session.id).stdout).toContain(checkpoint);
    const { stderr } = repo.entire('resume', session.id);
    const project = repo.dir.replace(/[^a-zA-Z0-9]/g, '-');
    const here = join(repo.home, '.claude/projects', project, `${session.id}.jsonl`);
    expect(stderr).toContain(`claude -r ${session.id}`);
    expect(readFileSync(here, 'utf8')).toBe(session.read());

    session.prompt('Now b');
    session.edit('b.txt', 'b\n');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ worktree_path: repo.dir });
    expect(repo.state(session.id).worktree_id ?? '').toBe('');
    const next = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(next, '0/metadata.json')).toMatchObject({
      session_id: session.id,
      files_touched: ['b.txt'],
    });
  });

  variation('that are over and had work without a commit are known after its removal', (repo) => {
    repo.ready();
    const session = work(repo, create(repo, 'task'), 'a.txt');
    session.end();
    repo.entire('worktree', 'remove', 'task', '--force');
    expect(repo.entire('status').stdout).toContain(`entire resume ${session.id}`);
    for (const asked of [['--session', session.id], [session.id]])
      expect(repo.entire('explain', ...asked).stdout).toContain('Write a.txt');
  });

  variation('in the middle of a turn they keep it from being removed', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    const session = work(repo, root, 'a.txt');
    within(repo, root, () => {
      repo.commit('Add a', 'a.txt');
      session.prompt('More');
    });
    expect(refusal(repo, 'remove', 'task')).toContain(
      `- 1 session in the middle of a turn: Claude Code ${session.id}\n`,
    );
    expect(rowOf(repo, 'task').sessions[0].phase).toBe('active');
    within(repo, root, () => session.stop());
    repo.entire('worktree', 'remove', 'task');
  });

  variation('a turn whose agent was not heard of for hours keeps nothing', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    const session = work(repo, root, 'a.txt');
    within(repo, root, () => {
      repo.commit('Add a', 'a.txt');
      session.prompt('More');
    });
    const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
    writeFileSync(
      file,
      JSON.stringify({ ...repo.state(session.id), last_interaction_time: '2020-01-01T00:00:00Z' }),
    );
    repo.run('touch', ['-d', '2020-01-01', session.transcript]);
    repo.entire('worktree', 'remove', 'task');
    expect(existsSync(root)).toBe(false);
  });

  variation(
    'work that was kept by --force, and is taken up elsewhere, is linked when it is committed',
    (repo) => {
      repo.ready();
      const root = create(repo, 'task');
      const session = work(repo, root, 'a.txt');
      const { kept } = JSON.parse(repo.entire('worktree', 'remove', 'task', '--force', '--json').stdout);
      repo.git('restore', `--source=${kept.ref}`, '--', 'a.txt');
      repo.entire('resume', session.id);
      session.prompt('Now b');
      session.edit('b.txt', 'b\n');
      session.stop();
      expect(repo.state(session.id)).toMatchObject({ worktree_path: repo.dir });
      const checkpoint = repo.commit('Add both', 'a.txt', 'b.txt') as string;
      expect(repo.storedJson(checkpoint, '0/metadata.json')).toMatchObject({
        session_id: session.id,
        files_touched: ['a.txt', 'b.txt'],
      });
      expect(repo.shadowBranches()).toEqual([]);
    },
  );

  variation('transcripts that were handed over into the worktree move to another one', (repo) => {
    repo.ready();
    const root = create(repo, 'task');
    const session = work(repo, root, 'a.txt');
    within(repo, root, () => repo.commit('Add a', 'a.txt'));
    const handed = join(root, '.entire/tmp', `${session.id}.jsonl`);
    mkdirSync(join(root, '.entire/tmp'), { recursive: true });
    writeFileSync(handed, session.read());
    const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
    writeFileSync(
      file,
      JSON.stringify({ ...repo.state(session.id), agent_type: 'OpenCode', transcript_path: handed }),
    );
    repo.entire('worktree', 'remove', 'task');
    const moved = join(repo.dir, '.entire/tmp', `${session.id}.jsonl`);
    expect(repo.state(session.id).transcript_path).toBe(moved);
    expect(readFileSync(moved, 'utf8')).toBe(session.read());
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
