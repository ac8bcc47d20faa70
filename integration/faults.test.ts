import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Disk, disk, replaceDisk } from '../src/base/disk.ts';
import { parseSessionId, type SessionId } from '../src/base/ids.ts';
import { replaceSpawn } from '../src/git/run.ts';
import { runAgentHook } from '../src/hooks/agent-hook.ts';
import { runGitHook } from '../src/hooks/git-hook.ts';
import { runPostFileEdit } from '../src/hooks/post-file-edit.ts';
import { listStates } from '../src/session/state-store.ts';
import { readFilesTouched } from '../src/session/tracking-file.ts';
import { BUILDS, type Build } from './support/builds.ts';
import type { AgentSession } from './support/session.ts';
import { SubAgent } from './support/sub-agent.ts';
import { TestRepo } from './support/test-repo.ts';

/**
 * The hooks run in this process, on a disk and a git of which the Nth operation fails, for every N until a run
 * passes untouched. Afterwards the repository is sound, no file of the user's changed, and the next commit works.
 */

const [native] = BUILDS as [Build];

/** Makes the `n`-th call of the disk and of git fail; returns how many calls there were, and a way back. */
function failAt(n: number, code: string): { calls: () => number; restore: () => void } {
  let calls = 0;
  const fails = () => ++calls === n;
  const failure = () => Object.assign(new Error(`${code}: injected`), { code });
  const watched = Object.entries(disk).map(([name, call]) => {
    const wrapped = (...args: unknown[]) => {
      if (fails()) throw failure();
      return (call as (...args: unknown[]) => unknown)(...args);
    };
    return [name, Object.assign(wrapped, call)]; // realpathSync.native stays reachable
  });
  const restoreDisk = replaceDisk(Object.fromEntries(watched) as Partial<Disk>);
  const restoreSpawn = replaceSpawn(((command: string, args: string[], options: object) =>
    fails()
      ? {
          status: null,
          signal: 'SIGKILL',
          error: failure(),
          stdout: Buffer.alloc(0),
          stderr: Buffer.alloc(0),
        }
      : spawnSync(command, args, options)) as typeof spawnSync);
  const restore = () => {
    restoreDisk();
    restoreSpawn();
  };
  return { calls: () => calls, restore };
}

interface Case {
  readonly name: string;
  /** Edits that were acknowledged before: they must be on record afterwards, wherever. */
  readonly acknowledged: readonly string[];
  /** Brings the repository to the moment before the hook. */
  readonly before: (repo: TestRepo, session: AgentSession) => void;
  readonly hook: (repo: TestRepo, session: AgentSession) => void | Promise<void>;
}

const input = (repo: TestRepo, session: AgentSession, more: object) => () => ({
  session_id: session.id,
  transcript_path: session.transcript,
  cwd: repo.dir,
  ...more,
});

/** A sub-agent up to the moment when it is done. */
function runTask(session: AgentSession): void {
  session.prompt('ask a sub-agent');
  const task = new SubAgent(session, { toolUseId: 'toolu_1', agentId: 'a1' });
  task.start();
  task.edit('a.txt', 'one\n');
}

const CASES: readonly Case[] = [
  {
    name: 'post-file-edit',
    acknowledged: [],
    before: (_, session) => void session.prompt('create a.txt'),
    hook: (repo, session) =>
      runPostFileEdit(
        'claude-code',
        input(repo, session, { tool_input: { file_path: join(repo.dir, 'a.txt') } }),
      ),
  },
  {
    name: 'user-prompt-submit',
    acknowledged: [],
    before: () => {},
    hook: (repo, session) =>
      runAgentHook('claude-code', 'user-prompt-submit', input(repo, session, { prompt: 'create a.txt' })),
  },
  {
    name: 'stop',
    acknowledged: ['a.txt'],
    before: (_, session) => {
      session.prompt('create a.txt');
      session.edit('a.txt', 'one\n');
      session.say('Done.');
    },
    hook: (repo, session) =>
      runAgentHook('claude-code', 'stop', input(repo, session, { last_assistant_message: 'Done.' })),
  },
  {
    name: 'pre-task',
    acknowledged: ['a.txt'],
    before: (_, session) => {
      session.prompt('ask a sub-agent');
      session.edit('a.txt', 'one\n');
    },
    hook: (repo, session) =>
      runAgentHook('claude-code', 'pre-task', input(repo, session, { tool_use_id: 'toolu_1' })),
  },
  {
    name: 'post-task',
    acknowledged: ['a.txt'],
    before: (_, session) => runTask(session),
    hook: (repo, session) => {
      const task = { tool_use_id: 'toolu_1', tool_response: { agentId: 'a1', status: 'completed' } };
      return runAgentHook('claude-code', 'post-task', input(repo, session, task));
    },
  },
  {
    name: 'post-todo',
    acknowledged: ['a.txt'],
    before: (repo, session) => {
      repo.git('switch', '--quiet', '-c', 'feature');
      runTask(session);
    },
    hook: (repo, session) =>
      runAgentHook('claude-code', 'post-todo', input(repo, session, { tool_input: { todos: [] } })),
  },
  {
    name: 'post-commit',
    acknowledged: ['a.txt', 'b.txt'],
    before: (repo, session) => {
      session.prompt('create a.txt and b.txt');
      session.edit('a.txt', 'one\n');
      session.edit('b.txt', 'two\n');
      session.stop();
      repo.git('config', 'core.hooksPath', '/dev/null');
      repo.git('add', 'a.txt');
      repo.git('commit', '--quiet', '-m', 'Add a\n\nEntire-Checkpoint: 0123456789ab');
      repo.git('config', '--unset', 'core.hooksPath');
    },
    hook: () => runGitHook(['post-commit']),
  },
];

describe('every operation of a hook fails in turn', () => {
  for (const { name, acknowledged, before, hook } of CASES) {
    test(`${name}: exits well (I6), harms no file (I1), is sound (I2, I4), loses nothing acknowledged (I3)`, {
      timeout: 300_000,
    }, async () => {
      const template = new TestRepo(native).ready();
      const session = template.session('faulty-session');
      before(template, session);
      const pristine = join(template.scratch, 'pristine');
      cpSync(template.dir, pristine, { recursive: true, preserveTimestamps: true });
      const cwd = process.cwd();
      const silence = [vi.spyOn(process.stderr, 'write'), vi.spyOn(process.stdout, 'write')];
      for (const spy of silence) spy.mockImplementation(() => true);
      let n = 1;
      try {
        for (let reached = true; reached; n++) {
          rmSync(template.dir, { recursive: true });
          cpSync(pristine, template.dir, { recursive: true, preserveTimestamps: true });
          process.chdir(template.dir);
          const files = userFiles(template);

          const fault = failAt(n, n % 2 === 0 ? 'ENOSPC' : 'EIO');
          try {
            await hook(template, session);
          } finally {
            fault.restore();
          }
          reached = fault.calls() >= n;
          expect(userFiles(template), `after fault ${n}`).toBe(files);
          expect(silence[1]?.mock.calls, `stdout after fault ${n}`).toEqual([]);
          expect(onRecord(template, session.id), `on record after fault ${n}`).toEqual(
            expect.arrayContaining([...acknowledged]),
          );
          expectSoundAfterFault(template, n);
        }
      } finally {
        process.chdir(cwd);
        for (const spy of silence) spy.mockRestore();
        template.remove();
      }
      expect(n).toBeGreaterThan(5); // the loop really went through the hook's operations
    });
  }
});

/** Everything in the worktree that is not ours, with its content, and what the index and HEAD say. */
function userFiles(repo: TestRepo): string {
  const listed = repo.git('ls-files', '-co', '-z', '--exclude-standard', '--', ':!.entire', ':!.claude');
  const contents = listed
    .split('\0')
    .filter(Boolean)
    .map((path) => `${path}\n${repo.read(path)}`);
  return [...contents, repo.git('ls-files', '--stage'), repo.git('rev-parse', 'HEAD')].join('\0');
}

/** Every path of the session that its state, its tracking files or a checkpoint names. */
function onRecord(repo: TestRepo, id: string): string[] {
  const sessions = join(repo.commonDir, 'entire-sessions');
  const { states } = listStates(sessions);
  const listed = repo.git('ls-tree', '-r', '--name-only', 'entire/checkpoints/v1').split('\n');
  const slots = listed.filter((path) => /\/0\/metadata\.json$/.test(path));
  const checkpoints = slots.map((path) => JSON.parse(repo.git('show', `entire/checkpoints/v1:${path}`)));
  return [
    ...states.flatMap(({ filesTouched }) => filesTouched),
    ...readFilesTouched(sessions, parseSessionId(id) as SessionId),
    ...checkpoints.flatMap(({ files_touched }) => files_touched as string[]),
  ];
}

function expectSoundAfterFault(repo: TestRepo, n: number): void {
  const fsck = repo.tryGit('fsck', '--strict', '--no-dangling');
  expect(fsck.code, `fsck after fault ${n}: ${fsck.stderr}`).toBe(0);
  mkdirSync(join(repo.dir, 'later'), { recursive: true });
  writeFileSync(join(repo.dir, 'later', 'mine.txt'), `${n}\n`);
  repo.git('add', 'later/mine.txt');
  expect(repo.tryGit('commit', '--quiet', '-m', 'Mine').code, `commit after fault ${n}`).toBe(0);
}
