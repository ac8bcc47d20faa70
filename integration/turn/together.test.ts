import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { payload } from '../support/agent/payloads.ts';
import { addWork } from '../support/command/work.ts';
import { onBothBuilds, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

/** Runs one hook of many sessions at the same moment; all must exit 0. */
async function atOnce(repo: TestRepo, verb: string, payloads: readonly object[]): Promise<void> {
  const args = ['hooks', 'claude-code', verb];
  const runs = payloads.map((values) => repo.inBackground('entire', args, { input: JSON.stringify(values) }));
  await Promise.all(runs);
}

describe('several at once', () => {
  onBothBuilds(
    'eight sessions stop at the same moment: each has its step, and one commit takes them all',
    async (repo) => {
      repo.ready();
      const sessions = Array.from({ length: 8 }, (_, n) => repo.session(`session-${n}`));
      for (const [n, session] of sessions.entries()) {
        session.prompt(`create ${n}.txt`);
        session.edit(`${n}.txt`, `${n}\n`);
        session.say('Done.');
      }
      const base = payload('Stop', repo.places);
      const stops = sessions.map(({ id, transcript }) => ({
        ...base,
        session_id: id,
        transcript_path: transcript,
        last_assistant_message: 'Done.',
      }));
      await atOnce(repo, 'stop', stops);
      for (const [n, { id }] of sessions.entries()) {
        expect(repo.state(id), `${id}\n${repo.logText()}`).toMatchObject({
          phase: 'idle',
          checkpoint_count: 1,
          files_touched: [`${n}.txt`],
        });
      }
      const id = repo.commit('All', ...sessions.map((_, n) => `${n}.txt`)) as string;
      expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(8);
      expect(repo.verdict().sessions).toEqual(sessions.map((session) => session.id));
    },
  );

  variation(
    'two hooks of one session at the same moment: both take effect, one after the other',
    async (repo) => {
      repo.ready();
      const session = repo.session('session-1');
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.say('Done.');
      const stop = {
        ...payload('Stop', repo.places),
        session_id: session.id,
        transcript_path: session.transcript,
        last_assistant_message: 'Done.',
      };
      await atOnce(repo, 'stop', [stop, stop, stop]);
      expect(repo.state(session.id)).toMatchObject({
        phase: 'idle',
        checkpoint_count: 1,
        files_touched: ['a.txt'],
      });
    },
  );
});

describe('two agents in one worktree', () => {
  variation('a commit of what nobody reported belongs to the session whose shell made it', (repo) => {
    repo.ready();
    const [first, second] = [repo.session('session-1'), repo.session('session-2')];
    first.prompt('commit something');
    second.prompt('do something else');
    repo.write('made.txt', 'by a command nobody reported\n').git('add', 'made.txt');
    const env = { ENTIRE_TEST_TTY: '0', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: first.id };
    repo.gitWith({ env }, 'commit', '--quiet', '-m', 'Add made');
    const id = repo.checkpointOf('HEAD') as string;
    expect(repo.storedJson(id, '0/metadata.json')).toMatchObject({
      session_id: first.id,
      files_touched: ['made.txt'],
    });
    expect(repo.storedJson(id, 'metadata.json').sessions).toHaveLength(1);
  });
});

describe('turns that end more than once', () => {
  variation("a second stop takes nothing of the user's, and what came after the first", (repo) => {
    repo.ready();
    repo.write('mine.txt', 'untracked before the session\n');
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    session.stop('Done again.', { stop_hook_active: true });
    expect(repo.state(session.id)).toMatchObject({ files_touched: ['a.txt'] });
    session.shell(() => repo.write('late.txt', 'by a command\n'));
    session.stop('Done at last.', { stop_hook_active: true });
    expect(repo.state(session.id)).toMatchObject({
      files_touched: ['a.txt', 'late.txt'],
      checkpoint_count: 2,
    });
  });

  variation(
    'a background sub-agent edits by shell after the stop; its notice starts the next turn',
    (repo) => {
      repo.ready();
      const session = repo.session();
      session.prompt('ask a sub-agent in the background');
      session.hook('post-task', 'PostToolUse-Agent-async_launched');
      session.hook('stop', 'Stop-background-running');
      repo.write('made.txt', 'by the sub-agent, in a shell\n');
      session.hook('subagent-stop', 'SubagentStop');
      session.hook('user-prompt-submit', 'UserPromptSubmit-task-notification');
      session.stop('The sub-agent is done.');
      expect(repo.state(session.id).files_touched).toEqual(['made.txt']);
      expect(repo.state(session.id).first_prompt).toBe('ask a sub-agent in the background');
      expect(repo.commit('Add made', 'made.txt')).toMatch(/^[0-9a-f]{12}$/);
    },
  );

  variation("what the user changes between two turns is the user's", (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.write('mine.txt', 'between the turns\n');
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.state(session.id).files_touched).toEqual(['a.txt', 'b.txt']);
  });
});

describe('moving about', () => {
  variation('a session that is resumed in another worktree is linked there', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.commit('Add a', 'a.txt');
    const linked = join(repo.scratch, 'linked');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    repo.dir = linked;
    session.prompt('create b.txt');
    session.edit('b.txt', 'two\n');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ worktree_path: linked, worktree_id: 'linked' });
    expect(repo.commit('Add b', 'b.txt')).toMatch(/^[0-9a-f]{12}$/);
  });

  variation('its steps come along where its worktree is gone, and stay where it is not', (repo) => {
    repo.ready();
    const main = repo.dir;
    const linked = join(repo.scratch, 'linked');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    repo.dir = linked;
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    const there = repo.shadowBranches();
    repo.dir = main;
    session.prompt('go on');
    session.stop();
    expect(repo.state(session.id)).toMatchObject({ worktree_path: linked });
    expect(repo.shadowBranches()).toEqual(there);
    repo.git('worktree', 'remove', '--force', linked);
    session.prompt('create b.txt');
    expect(repo.state(session.id).worktree_path).toBe(main);
    expect(repo.shadowBranches()).not.toEqual(there);
    session.edit('b.txt', 'two\n');
    session.edit('a.txt', 'one\n');
    session.stop();
    const id = repo.commit('Add both', 'a.txt', 'b.txt') as string;
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt', 'b.txt']);
    expect(repo.shadowBranches()).toEqual([]);
  });

  variation(
    'a branch named like our folder of branches: commits go through, and status says why nothing is stored',
    (repo) => {
      repo.init().write('README.md', 'base\n').git('add', '.');
      repo.git('commit', '--quiet', '-m', 'init');
      repo.git('branch', 'entire');
      repo.write('.entire/settings.json', '{"enabled":true}');
      const session = repo.session();
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.stop();
      repo.commit('Add a', 'a.txt');
      expect(repo.entire('status').stdout).toMatch(/Problems:[\s\S]*refs\/heads\/entire/);
      expect(repo.state(session.id).files_touched).toEqual(['a.txt']);
    },
  );
});

variation('work of many sessions that rested for a while is committed: no branch stays behind', (repo) => {
  repo.ready();
  const paths = Array.from({ length: 10 }, (_, n) => `file-${n}.txt`);
  const sessions = paths.map((path) => addWork(repo, { [path]: 'one\n' }));
  const past = new Date(Date.now() - 60_000);
  for (const { id } of sessions)
    utimesSync(join(repo.commonDir, 'entire-sessions', `${id}.json`), past, past);
  repo.git('commit', '--quiet', '--allow-empty', '-m', 'Mine');
  expect(existsSync(join(repo.commonDir, 'entire', 'sessions.json'))).toBe(true);
  repo.commit('Add all', ...paths);
  expect(repo.verdict().sessions).toHaveLength(10);
  expect(repo.shadowBranches()).toEqual([]);
});

variation(
  'a stop between a commit and the hook after it links the commit, and one verdict says so',
  (repo) => {
    repo.ready();
    const session = addWork(repo, { 'a.txt': 'one\n' });
    session.prompt('go on');
    const hook = join(repo.commonDir, 'hooks', 'post-commit');
    const input = join(repo.scratch, 'stop.json');
    writeFileSync(input, JSON.stringify({ ...payload('Stop', repo.places), session_id: session.id }));
    const stop = `(unset GIT_DIR GIT_INDEX_FILE; entire hooks claude-code stop < '${input}' > /dev/null 2>&1)`;
    writeFileSync(hook, readFileSync(hook, 'utf8').replace('\n', `\n${stop}\n`));
    const id = repo.commit('Add a', 'a.txt') as string;
    expect(repo.verdict()).toMatchObject({ reason: 'linked', checkpoint: id, sessions: [session.id] });
    expect(repo.storedJson(id, '0/metadata.json').files_touched).toEqual(['a.txt']);
  },
);

describe('messages', () => {
  variation('with scissors our comments stand below the line, and do not get into the message', (repo) => {
    repo.ready();
    const session = repo.session();
    session.prompt('create a.txt');
    session.edit('a.txt', 'one\n');
    session.stop();
    repo.git('add', 'a.txt');
    const editor = join(repo.scratch, 'editor');
    writeFileSync(editor, '#!/bin/sh\n(echo "Add a"; cat "$1") > "$1.new" && mv "$1.new" "$1"\n', {
      mode: 0o755,
    });
    repo.gitWith({ env: { GIT_EDITOR: editor } }, 'commit', '--quiet', '--cleanup=scissors');
    expect(repo.message('HEAD')).toMatch(/^Add a\n\n+Entire-Checkpoint: [0-9a-f]{12}$/);
  });

  variation(
    'the shadow branch that two of many sessions share goes with the commit that takes the work of both',
    (repo) => {
      repo.ready();
      const sessions = join(repo.commonDir, 'entire-sessions');
      const pair = ['a.txt', 'b.txt'].map((path) => addWork(repo, { [path]: 'one\n' }));
      for (let number = 0; number < 12; number++) {
        const state = { ...repo.state(pair[0]?.id as string), session_id: `old-${number}` };
        const over = { ...state, base_commit: '0'.repeat(40), files_touched: [], checkpoint_count: 0 };
        writeFileSync(join(sessions, `old-${number}.json`), JSON.stringify(over));
      }
      const longAgo = new Date(Date.now() - 60_000); // settled: nobody has written them lately
      for (const name of readdirSync(sessions)) utimesSync(join(sessions, name), longAgo, longAgo);
      expect(repo.shadowBranches()).toHaveLength(1);
      repo.commit('Add both', 'a.txt', 'b.txt');
      expect(repo.verdict()).toMatchObject({ reason: 'linked', sessions: pair.map(({ id }) => id).sort() });
      expect(repo.shadowBranches()).toEqual([]);
    },
  );
});
