import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSession } from '../agent/session.ts';
import { type Case, commitInTurn, moveHead, otherSession, turn } from './case.ts';

const TASK = { tool_use_id: 'toolu_01task' };
const prompt = (session: AgentSession) =>
  session.hook('user-prompt-submit', 'UserPromptSubmit', { prompt: 'Go on' });
const stop = (session: AgentSession) => session.hook('stop', 'Stop', { last_assistant_message: 'Done.' });

export const PROMPT_CASES: readonly Case[] = [
  {
    name: 'session-start of a new session, with another one',
    acknowledged: ['other.txt'],
    arrange: otherSession,
    act: (_, session) => session.hook('session-start', 'SessionStart-startup'),
  },
  {
    name: 'session-start of a known session',
    acknowledged: ['a.txt'],
    arrange: (_, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
    },
    act: (_, session) => session.hook('session-start', 'SessionStart-startup', { source: 'resume' }),
  },
  {
    name: 'user-prompt-submit, first prompt',
    acknowledged: [],
    arrange: () => {},
    act: (_, session) => prompt(session),
  },
  {
    name: 'user-prompt-submit, first prompt in a fresh clone',
    acknowledged: [],
    arrange: (repo) => {
      repo.git('update-ref', '-d', 'refs/heads/entire/checkpoints/v1');
      rmSync(join(repo.dir, '.git', 'hooks'), { recursive: true });
      rmSync(join(repo.dir, '.entire', '.gitignore'));
    },
    act: (_, session) => prompt(session),
    mayChange: ['.entire/.gitignore'],
  },
  {
    name: 'user-prompt-submit after HEAD moved, branch moved',
    acknowledged: ['a.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      moveHead(repo);
    },
    act: (_, session) => prompt(session),
  },
  {
    name: 'user-prompt-submit after HEAD moved, onto the branch of another session',
    acknowledged: ['a.txt', 'other.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      moveHead(repo);
      otherSession(repo);
    },
    act: (_, session) => prompt(session),
  },
  {
    name: 'user-prompt-submit after a turn without a stop, with its commit to complete',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (repo, session) => {
      commitInTurn(repo, session);
      session.edit('b.txt', 'two\n');
    },
    act: (_, session) => prompt(session),
  },
];

export const EDIT_CASES: readonly Case[] = [
  {
    name: 'post-file-edit, first edit',
    acknowledged: [],
    arrange: (_, session) => {
      session.prompt('Write a.txt');
      session.editWithoutHook('a.txt', 'one\n');
    },
    act: (_, session) => session.reportEdit('a.txt'),
    recording: 'a.txt',
  },
  {
    name: 'post-file-edit, another edit',
    acknowledged: ['a.txt'],
    arrange: (_, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.editWithoutHook('b.txt', 'two\n');
    },
    act: (_, session) => session.reportEdit('b.txt'),
    recording: 'b.txt',
  },
];

export const STOP_CASES: readonly Case[] = [
  {
    name: 'stop, first step',
    acknowledged: ['a.txt'],
    arrange: (_, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.say('Done.');
    },
    act: (_, session) => stop(session),
  },
  {
    name: 'stop, second step',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (_, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      turn(session, { 'b.txt': 'two\n' });
      session.say('Done.');
    },
    act: (_, session) => stop(session),
  },
  {
    name: 'stop again, without a prompt between',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (_, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      session.edit('b.txt', 'two\n');
      session.say('Done.');
    },
    act: (_, session) => stop(session),
  },
  {
    name: 'stop after a commit in the turn, which is completed',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (repo, session) => {
      commitInTurn(repo, session);
      session.edit('b.txt', 'two\n');
      session.say('Done.');
    },
    act: (_, session) => stop(session),
  },
  {
    name: 'stop after HEAD moved in the turn',
    acknowledged: ['a.txt', 'b.txt'],
    arrange: (repo, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.stop();
      turn(session, { 'b.txt': 'two\n' });
      moveHead(repo);
      session.say('Done.');
    },
    act: (_, session) => stop(session),
  },
  {
    name: 'stop of one of two sessions on a shadow branch',
    acknowledged: ['a.txt', 'other.txt'],
    arrange: (repo, session) => {
      otherSession(repo);
      turn(session, { 'a.txt': 'one\n' });
      session.say('Done.');
    },
    act: (_, session) => stop(session),
  },
];

export const OTHER_CASES: readonly Case[] = [
  {
    name: 'pre-task',
    acknowledged: ['a.txt'],
    arrange: (_, session) => turn(session, { 'a.txt': 'one\n' }),
    act: (_, session) => session.hook('pre-task', 'PreToolUse-Agent', TASK),
  },
  {
    name: 'post-task',
    acknowledged: ['a.txt'],
    arrange: (_, session) => {
      turn(session, { 'a.txt': 'one\n' });
      session.hook('pre-task', 'PreToolUse-Agent', TASK);
    },
    act: (_, session) => session.hook('post-task', 'PostToolUse-Agent-completed', TASK),
  },
  {
    name: 'subagent-stop',
    acknowledged: ['a.txt'],
    arrange: (_, session) => turn(session, { 'a.txt': 'one\n' }),
    act: (_, session) => session.hook('subagent-stop', 'SubagentStop', TASK),
  },
  {
    name: 'pre-compact',
    acknowledged: ['a.txt'],
    arrange: (_, session) => turn(session, { 'a.txt': 'one\n' }),
    act: (_, session) => session.hook('pre-compact', 'PreCompact-manual'),
  },
  {
    name: 'session-end',
    acknowledged: ['a.txt'],
    arrange: (_, session) => turn(session, { 'a.txt': 'one\n' }),
    act: (_, session) => session.hook('session-end', 'SessionEnd-other'),
  },
];
