import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { readPayload } from '../support/agent/agent-fixtures.ts';
import type { AgentSession } from '../support/agent/session.ts';
import { SubAgent } from '../support/agent/sub-agent.ts';
import { goBack, logsOnly, stepOf, temporary, turns } from '../support/command/rewind.ts';
import { addWork } from '../support/command/work.ts';
import { scenario, variation } from '../support/repository/scenario.ts';
import type { TestRepo } from '../support/repository/test-repo.ts';

const SECRET = 'AKIAZ7Q2M4X6P8R3T5W9';

/** A session in whose turn a sub-agent has done its work. */
function taskDone(repo: TestRepo): AgentSession {
  const session = repo.session();
  session.prompt(`use a sub-agent for ${SECRET}`);
  const task = new SubAgent(session);
  task.start();
  task.edit('one.txt', 'one\n');
  task.result();
  task.finish();
  return session;
}

/** Another folder of the agent than the one that the session's client has. Returns where it would look for its log there. */
function otherConfig(repo: TestRepo, transcript: string): string {
  const config = join(repo.scratch, 'config');
  repo.variables = { CLAUDE_CONFIG_DIR: config };
  return join(config, 'projects', repo.dir.replace(/[^a-zA-Z0-9]/g, '-'), basename(transcript));
}

describe('a log is cut where the hooks of its session said that it lies, whatever folder this shell names', () => {
  scenario('at a step; what is committed next has nothing of the abandoned prompt', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': `${SECRET}\n` });
    const first = session.read();
    addWork(repo, { 'a.txt': 'v2\n' }, session);
    session.prompt('abandoned words');
    session.stop();
    const other = otherConfig(repo, session.transcript);
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain(`Writing transcript to: ${session.transcript}\n`);
    expect(session.read()).toBe(first);
    expect(existsSync(other)).toBe(false);
    const id = repo.commit('First', 'a.txt') as string;
    expect(repo.stored(id, '0/full.jsonl')).not.toContain('abandoned words');
    expect(repo.stored(id, '0/prompt.txt')).not.toContain('abandoned words');
  });

  variation('at a commit', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': `${SECRET}\n` });
    repo.commit('First', 'a.txt');
    const first = session.read();
    addWork(repo, { 'a.txt': 'v2\n' }, session);
    otherConfig(repo, session.transcript);
    goBack(repo, logsOnly(repo)[0]?.id as string, '--force');
    expect(session.read()).toBe(first);
  });

  variation('at a task', (repo) => {
    repo.ready();
    const session = taskDone(repo);
    const first = session.read();
    session.stop();
    otherConfig(repo, session.transcript);
    const point = temporary(repo).find(({ is_task_checkpoint: isTask }) => isTask);
    const { stderr } = goBack(repo, point?.id as string);
    expect(session.read()).toBe(first);
    expect(stderr).toContain(`Writing truncated transcript to: ${session.transcript}\n`);
  });

  variation('where it is gone, what is committed next is read from where it was written instead', (repo) => {
    repo.ready();
    const session = turns(repo, { 'a.txt': 'one\n' });
    addWork(repo, { 'a.txt': 'v2\n' }, session);
    rmSync(session.transcript);
    const other = otherConfig(repo, session.transcript);
    const { stderr } = goBack(repo, stepOf(temporary(repo), 'Turn 1').id);
    expect(stderr).toContain(`Writing transcript to: ${other}\n`);
    const id = repo.commit('First', 'a.txt') as string;
    expect(repo.stored(id, '0/full.jsonl')).toBe(readFileSync(other, 'utf8').trimEnd());
    expect(repo.stored(id, '0/prompt.txt')).not.toContain('Turn 2');
  });
});

/** The step's `checkpoint.json` names another line of the transcript. */
function renameLine(repo: TestRepo, folder: string, uuid: string): string {
  const [branch = ''] = repo.shadowBranches();
  const path = `${folder}/checkpoint.json`;
  const task = JSON.parse(repo.git('show', `${branch}:${path}`));
  const input = JSON.stringify({ ...task, checkpoint_uuid: uuid });
  const blob = repo.gitWith({ input }, 'hash-object', '-w', '--stdin');
  const env = { GIT_INDEX_FILE: join(repo.scratch, 'index') };
  repo.gitWith({ env }, 'read-tree', branch);
  repo.gitWith({ env }, 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  const tree = repo.gitWith({ env }, 'write-tree');
  const message = repo.message(branch);
  const parents = repo.git('log', '-1', '--format=%P', branch).split(' ').filter(Boolean);
  const step = repo.git('commit-tree', tree, ...parents.flatMap((id) => ['-p', id]), '-m', message);
  repo.git('update-ref', `refs/heads/${branch}`, step);
  return step;
}

describe('a task whose line is not in the transcript', () => {
  variation('what the step has of it, and no word of a cut', (repo) => {
    repo.ready();
    const session = taskDone(repo);
    const atStep = session.read();
    const [point] = temporary(repo);
    const step = renameLine(repo, point?.metadata_dir as string, 'of-no-line');
    session.say('and more');
    const { stdout, stderr } = goBack(repo, step);
    expect(stderr).not.toContain('truncated');
    expect(stderr).toContain(`Writing transcript to: ${session.transcript}\n`);
    expect(stdout).toContain(`Rewound to ${step.slice(0, 7)}. claude -r ${session.id}\n`);
    expect(session.read()).toBe(atStep);
  });
});

/** A session of another agent with two turns, each of which adds a line to a file. Returns its transcript. */
function droidTurns(repo: TestRepo): string {
  const id = randomUUID();
  const transcript = join(repo.home, '.factory/sessions/-repo', `${id}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  const hook = (verb: string, name: string, more: Record<string, unknown> = {}): void => {
    const told = { session_id: id, transcript_path: transcript, cwd: repo.dir, ...more };
    const input = JSON.stringify({ ...readPayload('factoryai-droid', name), ...told });
    expect(repo.run('entire', ['hooks', 'factoryai-droid', verb], { input }).code).toBe(0);
  };
  const say = (role: string, text: string): void => {
    const message = { role, content: [{ type: 'text', text }] };
    const line = { type: 'message', id: randomUUID(), timestamp: new Date().toISOString(), message };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  };
  for (const turn of [1, 2]) {
    const prompt = `turn ${turn}`;
    hook('user-prompt-submit', 'UserPromptSubmit', { prompt });
    say('user', prompt);
    repo.write('a.txt', 'line\n'.repeat(turn));
    hook('post-file-edit', 'PostToolUse-Create', {
      tool_input: { file_path: join(repo.dir, 'a.txt'), content: 'line\n'.repeat(turn) },
    });
    say('assistant', 'Done.');
    hook('stop', 'Stop');
  }
  return transcript;
}

describe('the log of another agent, restored alone', () => {
  variation('is the one that is cut, and says what it loses', (repo) => {
    repo.ready();
    const transcript = droidTurns(repo);
    const whole = readFileSync(transcript, 'utf8');
    const { id } = stepOf(temporary(repo), 'Turn 1');
    const { stdout } = goBack(repo, id, '--logs-only', '--dry-run');
    expect(stdout).toContain(`  Would write: ${transcript}\n`);
    expect(stdout).toMatch(/ {2}Cuts off 1 later turn of session \S+: “turn 2”\n/);
    const done = goBack(repo, id, '--logs-only', '--force');
    expect(done.stdout).toContain('droid --resume');
    const cut = readFileSync(transcript, 'utf8');
    expect([whole.startsWith(cut), cut.includes('turn 2')]).toEqual([true, false]);
    expect(existsSync(join(repo.home, '.claude/projects'))).toBe(false);
    repo.entire('undo');
    expect(readFileSync(transcript, 'utf8')).toBe(whole);
  });
});

describe('one of the logs of a commit that cannot be written', () => {
  /** A commit of two sessions, which went on since, and the point of it. */
  const twoSessions = (repo: TestRepo) => {
    repo.ready();
    const sessions = [turns(repo, { 'a.txt': 'one\n' }), addWork(repo, { 'b.txt': 'b\n' })] as const;
    repo.commit('First', 'a.txt', 'b.txt');
    for (const session of sessions) session.say('more');
    repo.git('commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'Second');
    const [one, two] = sessions;
    const [other, newest] = one.id < two.id ? [one, two] : [two, one]; // the order in which they are restored
    return { newest, other, id: logsOnly(repo)[0]?.id as string };
  };
  /** An operation of a session that was interrupted: nothing else goes back in it. */
  const interrupted = (repo: TestRepo, { id }: AgentSession): string => {
    const file = join(repo.commonDir, 'entire/snapshots', id, 'journal.json');
    writeFileSync(file, '{');
    return file;
  };

  variation('the branch was moved before: it is said how it comes back', (repo) => {
    const { other, id } = twoSessions(repo);
    const head = repo.git('rev-parse', 'HEAD');
    const journal = interrupted(repo, other);
    const { code, stdout } = repo.tryEntire('rewind', '--to', id, '--force', '--reset');
    expect([code, repo.git('rev-parse', 'HEAD')]).toEqual([1, id]);
    expect(stdout).toContain(`To undo this reset: git reset --hard ${head.slice(0, 7)}\n`);
    rmSync(journal);
  });

  variation('another one was restored before: it is said how it comes back', (repo) => {
    const { newest, other, id } = twoSessions(repo);
    const whole = other.read();
    const journal = interrupted(repo, newest);
    const { code, stderr } = repo.tryEntire('rewind', '--to', id, '--force', '--logs-only');
    expect(code).toBe(1);
    expect(other.read()).not.toBe(whole);
    expect(stderr).toMatch(/To reverse this: entire undo.*\nError: an undo, redo or rewind was interrupted/);
    rmSync(journal);
  });
});
