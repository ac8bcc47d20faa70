import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopKilled, switchTo, useAuto } from '../command/auto.ts';
import type { TestRepo } from '../repository/test-repo.ts';
import { type Case, moveHead, turn } from './case.ts';

/** What auto-commit is there to change of the user's. */
const mayChange = ['.git/index', '.git/refs/heads/main'];
/** Goes on as manual-commit, whose commits are linked when the user makes them. */
const next = (repo: TestRepo) => switchTo(repo, 'manual-commit');
const TASK = { tool_use_id: 'toolu_01task' };

/** Another session's turn goes on, and the user has something staged. */
function busy(repo: TestRepo): void {
  useAuto(repo).write('mine.txt', 'mine\n').git('add', 'mine.txt');
  turn(repo.session('other-session'), { 'other.txt': 'other\n' });
}

export const AUTO_CASES: readonly Case[] = [
  {
    name: 'stop, auto-commit',
    acknowledged: ['a.txt', 'other.txt'],
    arrange: (repo, session) => {
      busy(repo);
      turn(session, { 'a.txt': 'one\n' });
      session.say('Done.');
    },
    act: (_, session) => session.hook('stop', 'Stop', { last_assistant_message: 'Done.' }),
    mayChange,
    next,
  },
  {
    name: 'stop, auto-commit of work that had to wait, after HEAD moved',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (repo, session) => {
      useAuto(repo).git('switch', '--quiet', '--detach');
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      repo.git('switch', '--quiet', 'main');
      turn(session, { 'b.txt': 'two\n' });
      moveHead(repo);
      session.say('Done.');
    },
    act: (_, session) => session.hook('stop', 'Stop', { last_assistant_message: 'Done.' }),
    mayChange,
    next,
  },
  {
    name: 'user-prompt-submit that completes an auto-commit',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      useAuto(repo);
      turn(session, { 'a.txt': 'one\n' });
      stopKilled(repo, session, 'update-index', 'before');
      rmSync(join(repo.commonDir, 'entire-sessions', `${session.id}.lock`), { recursive: true });
    },
    act: (_, session) => session.hook('user-prompt-submit', 'UserPromptSubmit', { prompt: 'Go on' }),
    mayChange: ['.git/index'],
    next,
  },
  {
    name: 'post-task, auto-commit',
    acknowledged: [],
    arrange: (repo, session) => {
      useAuto(repo);
      session.prompt('ask a sub-agent');
      session.hook('pre-task', 'PreToolUse-Agent', TASK);
      session.edit('a.txt', 'one\n');
    },
    act: (_, session) => session.hook('post-task', 'PostToolUse-Agent-completed', TASK),
    mayChange,
    next,
  },
];
