import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AgentSession } from '../support/agent/session.ts';
import { expectLinked } from '../support/command/work.ts';
import { variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs `body` as if the current folder was another one. */
function inside<T>(repo: TestRepo, dir: string, body: () => T): T {
  const before = repo.dir;
  repo.dir = dir;
  try {
    return body();
  } finally {
    repo.dir = before;
  }
}

function linkedWorktree(repo: TestRepo): string {
  const linked = join(repo.scratch, 'linked');
  repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
  return linked;
}

/** An edit of a session that was started in `repo.dir`, as the client reports it from there. */
function editAt(session: AgentSession, file: string, content: string): void {
  session.edit(file, content, { cwd: join(file, '..') });
}

variation(
  'of one payload with files of two repositories each has its lines in its own log, under the session',
  (repo) => {
    repo.variables = { ENTIRE_LOG_LEVEL: 'debug' };
    repo.ready();
    const second = join(repo.scratch, 'second');
    repo.git('clone', '--quiet', `file://${repo.dir}`, second);
    repo.entire('agent', 'add', 'codex');
    const patch = [
      '*** Begin Patch',
      '*** Add File: one.txt',
      '+one',
      `*** Add File: ${second}/two.txt`,
      '+two',
      '*** End Patch',
    ];
    const payload = {
      ...{ session_id: 'session-1', cwd: repo.dir, transcript_path: null, hook_event_name: 'PostToolUse' },
      ...{ turn_id: 't', model: 'm', permission_mode: 'default', tool_use_id: 'u', tool_name: 'apply_patch' },
      ...{ tool_input: { command: patch.join('\n') }, tool_response: 'ok' },
    };
    repo.write('one.txt', 'one\n');
    writeFileSync(join(second, 'two.txt'), 'two\n');
    repo.run('entire', ['hooks', 'codex', 'post-file-edit'], { input: JSON.stringify(payload) });
    const recorded = (dir: string) =>
      inside(repo, dir, () => repo.logText())
        .split('\n')
        .flatMap((line) => (line.includes('edit recorded') ? [JSON.parse(line)] : []))
        .map(({ session_id: id, paths }) => ({ id, paths }));
    expect(recorded(repo.dir)).toEqual([{ id: 'session-1', paths: ['one.txt'] }]);
    expect(recorded(second)).toEqual([{ id: 'session-1', paths: ['two.txt'] }]);
  },
);

describe('a session edits another worktree of its repository', () => {
  variation('the commit made there is linked, with the files of that worktree only', (repo) => {
    repo.ready();
    const linked = linkedWorktree(repo);
    const session = repo.session('session-1');
    session.prompt('create files in both');
    session.edit('here.txt', 'one\n');
    editAt(session, join(linked, 'there.txt'), 'two\n');
    editAt(session, join(linked, 'later.txt'), 'three\n');
    session.stop();
    const before = repo.state(session.id);

    const id = inside(repo, linked, () => repo.commit('Add there', 'there.txt')) as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      session_id: session.id,
      files_touched: ['there.txt'],
    });
    expect(repo.stored(id, '0/full.jsonl')).toContain('create files in both');
    expect(repo.state(session.id)).toEqual(before); // what it has at home is not touched
    expect(repo.tracked('session-1@linked')).toEqual(['later.txt']);

    const later = inside(repo, linked, () => repo.commit('Add later', 'later.txt')) as string;
    expect(repo.storedJson(later, '0/metadata.json').files_touched).toEqual(['later.txt']);
    inside(repo, linked, () => {
      repo.write('there.txt', 'by hand\n');
      expect(repo.commit('By hand', 'there.txt')).toBeUndefined();
    });
    const home = repo.commit('Add here', 'here.txt') as string;
    expect(repo.storedJson(home, '0/metadata.json').files_touched).toEqual(['here.txt']);
  });

  variation('the agent commits there in mid-turn: its stop completes that checkpoint', (repo) => {
    repo.ready();
    const linked = linkedWorktree(repo);
    const session = repo.session('session-1');
    session.prompt('work over there');
    editAt(session, join(linked, 'there.txt'), 'two\n');
    const id = inside(repo, linked, () => repo.agentCommit('Add there', 'there.txt')) as string;
    expect(repo.state(session.id).turn_checkpoint_ids).toEqual([id]);
    session.stop('All done over there.');
    expect(repo.stored(id, '0/full.jsonl')).toContain('All done over there.');
  });

  variation('what a commit there left in a stash, or ignored, is linked when it is committed', (repo) => {
    repo.ready();
    const linked = linkedWorktree(repo);
    writeFileSync(join(repo.commonDir, 'info', 'exclude'), '*.log\n');
    const session = repo.session('session-1');
    session.prompt('create files there');
    for (const name of ['a.txt', 'b.txt', 'c.log']) editAt(session, join(linked, name), `${name}\n`);
    session.stop();
    inside(repo, linked, () => {
      repo.git('stash', 'push', '--quiet', '--include-untracked', '--', 'b.txt');
      repo.commit('Add a', 'a.txt');
      repo.git('stash', 'pop', '--quiet');
      repo.commit('Add b', 'b.txt');
      expectLinked(repo, session, 'b.txt');
      repo.git('add', '--force', 'c.log');
      repo.commit('Add c');
      expectLinked(repo, session, 'c.log');
    });
  });

  variation('a commit in another worktree that holds nothing of it is not linked', (repo) => {
    repo.ready();
    const linked = linkedWorktree(repo);
    const session = repo.session('session-1');
    session.prompt('work over there');
    editAt(session, join(linked, 'there.txt'), 'two\n');
    session.stop();
    inside(repo, linked, () => {
      repo.write('mine.txt', 'by hand\n');
      expect(repo.commit('By hand', 'mine.txt')).toBeUndefined();
    });
  });
});

describe('a session edits another repository', () => {
  variation('the commit made there is linked in that repository', (repo) => {
    repo.ready();
    const home = repo.dir;
    const other = join(repo.scratch, 'other');
    mkdirSync(other);
    inside(repo, other, () => repo.ready());
    const session = repo.session('session-1');
    session.prompt('change the other repository');
    editAt(session, join(other, 'a.txt'), 'one\n');
    editAt(session, join(other, 'b.txt'), 'two\n');
    session.stop();

    repo.dir = other;
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      session_id: session.id,
      agent: 'Claude Code',
      files_touched: ['a.txt'],
    });
    expect(repo.stored(id, '0/prompt.txt')).toBe('change the other repository');
    expect(repo.state(session.id).files_touched).toEqual(['b.txt']);
    const next = repo.commit('Add b', 'b.txt') as string;
    expect(repo.storedJson(next, '0/metadata.json').files_touched).toEqual(['b.txt']);
    repo.write('a.txt', 'by hand\n');
    expect(repo.commit('By hand', 'a.txt')).toBeUndefined();
    repo.expectSound();
    repo.dir = home;
  });

  variation('a session that was started in no repository at all', (repo) => {
    repo.ready();
    const session = repo.session('session-1');
    const file = join(repo.dir, 'a.txt');
    inside(repo, repo.scratch, () => {
      session.prompt('change the repository below');
      session.edit(file, 'one\n');
      session.stop();
    });
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').session_id).toBe(session.id);
  });
});

describe('a turn whose client died', () => {
  variation('it claims no commit of somebody else an hour later', (repo) => {
    repo.ready();
    const session = repo.session('session-1');
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(session.transcript, old, old);
    const file = join(repo.commonDir, 'entire-sessions', `${session.id}.json`);
    writeFileSync(
      file,
      JSON.stringify({ ...repo.state(session.id), last_interaction_time: old.toISOString() }),
    );
    repo.write('mine.txt', 'by hand\n');
    expect(repo.agentCommit('By hand', 'mine.txt')).toBeUndefined();
    expect(repo.commit('Its work all the same', 'a.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('a session that is resumed is in no turn before its next prompt', (repo) => {
    repo.ready();
    const session = repo.session('session-1');
    session.prompt('create a.txt');
    session.hook('session-start', 'SessionStart-startup', { source: 'resume' });
    expect(repo.state(session.id).phase).toBe('idle');
    session.prompt('go on');
    session.hook('session-start', 'SessionStart-startup', { source: 'compact' });
    expect(repo.state(session.id).phase).toBe('active');
  });
});
